import { useLayoutEffect, useRef } from 'preact/hooks';
import { html } from './html.js';

/**
 * A modal dialog: the browser makes the rest of the page inert, Tab stays inside, Escape asks to close, and focus goes
 * back to where it was.
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
  // Before the browser looks again: it would take focus from what this dialog covers.
  useLayoutEffect(() => {
    const own = dialog.current;
    const before = document.activeElement;
    own?.showModal();
    if (own) findFirstStop(own)?.focus();
    return () => {
      // While it is open, nothing outside can have focus; what it covered is seen again once all is drawn.
      own?.close();
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
 * After a reload nothing had focus when the dialog opened, and what had it may be gone since.
 * @param {Element | null} before
 * @returns {before is HTMLElement}
 */
function canRestoreFocus(before) {
  return before instanceof HTMLElement && before !== document.body && before.isConnected;
}

/**
 * The last stop leads to the first and back; the browser alone would go on to its own bars.
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
 * What the app wants focused, else the first field, else the first button.
 * @param {Element} root
 */
export function findFirstStop(root) {
  const stops = listTabStops(root);
  const wanted = root.querySelector('[data-focus-on-load], [data-first]');
  return (
    stops.find((stop) => stop === wanted) ??
    stops.find((stop) => stop.matches('.dialog-body *')) ??
    stops.find((stop) => stop.matches('.dialog-foot *'))
  );
}

/** @param {Element} root */
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
