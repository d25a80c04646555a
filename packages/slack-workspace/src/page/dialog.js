import { useLayoutEffect, useRef } from 'preact/hooks';
import { html } from './html.js';

/**
 * A modal dialog. The browser makes the rest of the page inert. The Tab key stays inside, Escape calls `onClose`, and
 * afterwards the focus returns to the previous element.
 * @param {object} props
 * @param {string} props.labelledBy
 * @param {string} props.class
 * @param {() => void} props.onClose
 * @param {import('preact').ComponentChildren} props.children
 * @param {'dialog' | 'alertdialog'} [props.role]
 */
export function Dialog({ labelledBy, class: name, onClose, children, role = 'dialog' }) {
  /** @type {{ current: HTMLDialogElement | null }} */
  const dialog = useRef(null);
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
    onCancel=${(/** @type {Event} */ event) => {
      event.preventDefault();
      if (event.target === dialog.current) onClose();
    }}
    onKeyDown=${trapFocus}
  >
    ${children}
  </dialog>`;
}

/**
 * False after a reload, when nothing had focus, and if the element was removed in the meantime.
 * @param {Element | null} before
 * @returns {before is HTMLElement}
 */
function canRestoreFocus(before) {
  return before instanceof HTMLElement && before !== document.body && before.isConnected;
}

/**
 * Moves the focus from the last stop to the first, and back. Otherwise it would leave the page for the browser's bars.
 * @param {KeyboardEvent & { currentTarget: HTMLElement }} event
 */
function trapFocus(event) {
  if (event.key !== 'Tab' || event.defaultPrevented) return;
  const stops = listTabStops(event.currentTarget);
  const edge = event.shiftKey ? stops[0] : stops.at(-1);
  const other = event.shiftKey ? stops.at(-1) : stops[0];
  if (document.activeElement !== edge && event.currentTarget.contains(document.activeElement)) return;
  event.preventDefault();
  other?.focus();
}

/**
 * The element with `focus_on_load`, otherwise the first field, otherwise the first button.
 * @param {Element} root
 */
export function findFirstStop(root) {
  const stops = listTabStops(root);
  const preferred = root.querySelector('[data-focus-on-load], [data-first]');
  return (
    stops.find((stop) => stop === preferred) ??
    stops.find((stop) => stop.matches('.dialog-body *')) ??
    stops.find((stop) => stop.matches('.dialog-foot *'))
  );
}

/**
 * The elements at which the Tab key stops, in order.
 * @param {Element} root
 */
export function listTabStops(root) {
  return [...root.querySelectorAll('a[href], button, input, textarea, select, [tabindex]')].filter(
    /** @returns {stop is HTMLElement} */
    (stop) =>
      stop instanceof HTMLElement &&
      stop.tabIndex >= 0 &&
      !stop.matches(':disabled') &&
      stop.checkVisibility(),
  );
}
