import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { html } from './html.ts';

interface DialogProps {
  labelledBy: string;
  class: string;
  onClose: () => void;
  children: ComponentChildren;
  role?: 'dialog' | 'alertdialog';
}

/**
 * A modal dialog. The browser makes the rest of the page inert. The Tab key stays inside, Escape calls `onClose`, and
 * afterwards the focus returns to the previous element.
 */
export function Dialog({ labelledBy, class: name, onClose, children, role = 'dialog' }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  // A layout effect, because the browser soon moves the focus away from covered elements.
  useLayoutEffect(() => {
    const element = dialog.current;
    const before = document.activeElement;
    element?.showModal();
    if (element) findFirstStop(element)?.focus();
    return () => {
      // Elements outside can have focus only after the dialog is closed and the page is drawn.
      element?.close();
      queueMicrotask(() => (canRestoreFocus(before) ? before : document.getElementById('composer'))?.focus());
    };
  }, []);
  return html`<dialog
    ref=${dialog}
    class=${name}
    role=${role}
    aria-modal="true"
    aria-labelledby=${labelledBy}
    onCancel=${(event: Event) => {
      event.preventDefault();
      if (event.target === dialog.current) onClose();
    }}
    onKeyDown=${trapFocus}
  >
    ${children}
  </dialog>`;
}

/** False after a reload, when nothing had focus, and if the element was removed in the meantime. */
function canRestoreFocus(before: Element | null): before is HTMLElement {
  return before instanceof HTMLElement && before !== document.body && before.isConnected;
}

/**
 * Moves the focus from the last stop to the first, and back. Otherwise it would leave the page for the browser's bars.
 */
function trapFocus(event: KeyboardEvent & { currentTarget: HTMLElement }) {
  if (event.key !== 'Tab' || event.defaultPrevented) return;
  const stops = listTabStops(event.currentTarget);
  const edge = event.shiftKey ? stops[0] : stops.at(-1);
  const other = event.shiftKey ? stops.at(-1) : stops[0];
  if (document.activeElement !== edge && event.currentTarget.contains(document.activeElement)) return;
  event.preventDefault();
  other?.focus();
}

/** The element with `focus_on_load`, otherwise the first field, otherwise the first button. */
export function findFirstStop(root: Element) {
  const stops = listTabStops(root);
  const preferred = root.querySelector('[data-focus-on-load], [data-first]');
  return (
    stops.find((stop) => stop === preferred) ??
    stops.find((stop) => stop.matches('.dialog-body *')) ??
    stops.find((stop) => stop.matches('.dialog-foot *'))
  );
}

/** The elements at which the Tab key stops, in order. */
export function listTabStops(root: Element) {
  return [...root.querySelectorAll('a[href], button, input, textarea, select, [tabindex]')].filter(
    (stop): stop is HTMLElement =>
      stop instanceof HTMLElement &&
      stop.tabIndex >= 0 &&
      !stop.matches(':disabled') &&
      stop.checkVisibility(),
  );
}
