import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { findFirstStop, listTabStops } from './dialog.js';

/**
 * Moves the focus to the first field with a new error.
 * @param {{ current: HTMLFormElement | null }} form
 * @param {Record<string, string> | undefined} errors
 * @param {boolean} waiting the app is being asked: until it has answered, some fields cannot have focus
 * @returns {{ current: number }} how many were seen; 0 makes the next ones new
 */
export function useFocusOnError(form, errors, waiting) {
  const before = useRef(0);
  const count = Object.keys(errors ?? {}).length;
  useEffect(() => {
    if (waiting) return;
    // With fewer errors than before, the person is correcting a field, so the focus stays there.
    if (count > before.current && form.current) {
      const block = form.current.querySelector('.has-error');
      const field = block && listTabStops(block).find((stop) => !(stop instanceof HTMLButtonElement));
      field?.focus();
      block?.scrollIntoView({ block: 'nearest' });
    }
    before.current = count;
  }, [errors, waiting]);
  return before;
}

/**
 * Restores the focus after a request to the app, because the browser takes it away from disabled elements. If the
 * element is gone, its replacement gets the focus.
 * @param {{ current: HTMLFormElement | null }} form
 * @param {boolean} waiting
 */
export function useRestoredFocus(form, waiting) {
  /** @type {{ current: Element | null }} */
  const kept = useRef(null);
  useLayoutEffect(() => {
    if (waiting) kept.current = document.activeElement;
    else if (kept.current !== null && form.current && document.activeElement === document.body) {
      moveFocus(kept.current.isConnected ? kept.current : findFirstStop(form.current));
    }
  }, [waiting]);
}

/**
 * A form that comes in the place of "Loading…" takes focus to its first field, unless the person has moved on meanwhile;
 * fields that are added to others do not. When what had focus is gone, focus goes to what there is instead.
 * @param {{ current: HTMLFormElement | null }} form
 * @param {readonly unknown[]} blocks
 */
export function useFocusOnUpdate(form, blocks) {
  const before = document.activeElement;
  const hadFields = useRef(true);
  /** What has focus without the person's doing. @type {{ current: Element | null }} */
  const given = useRef(null);
  useLayoutEffect(() => {
    if (!form.current) return;
    const opened = given.current === null;
    const hasFields = form.current.querySelector('.dialog-body :is(input, textarea)') !== null;
    const formComes = hasFields && !hadFields.current && document.activeElement === given.current;
    const isGone = before !== null && !before.isConnected;
    if (!opened && (formComes || isGone)) findFirstStop(form.current)?.focus();
    if (opened || formComes || isGone) given.current = document.activeElement;
    hadFields.current = hasFields;
  }, [blocks]);
}

/** @param {Element | undefined} element */
function moveFocus(element) {
  if (element instanceof HTMLElement) element.focus();
}
