import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { findFirstStop, listTabStops } from './dialog.js';

/**
 * Moves the focus to the first field with a new error.
 * @param {{ current: HTMLFormElement | null }} form
 * @param {Record<string, string> | undefined} errors
 * @param {boolean} isWaiting whether the page waits for the app. Some fields can't have focus then.
 * @returns {{ current: number }} the number of errors so far. After it is set to 0, all errors count as new.
 */
export function useFocusOnError(form, errors, isWaiting) {
  const before = useRef(0);
  const count = Object.keys(errors ?? {}).length;
  useEffect(() => {
    if (isWaiting) return;
    // With fewer errors than before, the person is correcting a field, so the focus stays there.
    if (count > before.current && form.current) {
      const block = form.current.querySelector('.has-error');
      const field = block && listTabStops(block).find((stop) => !(stop instanceof HTMLButtonElement));
      field?.focus();
      block?.scrollIntoView({ block: 'nearest' });
    }
    before.current = count;
  }, [errors, isWaiting]);
  return before;
}

/**
 * Restores the focus after a submission, because disabled elements lose it. If the focused element was removed, the
 * first field or button gets the focus.
 * @param {{ current: HTMLFormElement | null }} form
 * @param {boolean} isWaiting
 */
export function useRestoredFocus(form, isWaiting) {
  /** @type {{ current: Element | null }} */
  const focused = useRef(null);
  useLayoutEffect(() => {
    if (isWaiting) focused.current = document.activeElement;
    else if (focused.current !== null && form.current && document.activeElement === document.body) {
      moveFocus(focused.current.isConnected ? focused.current : findFirstStop(form.current));
    }
  }, [isWaiting]);
}

/**
 * Moves the focus after the app has updated the view:
 * - to the first field, if the view had no fields before (“Loading…”) and the person hasn't moved the focus;
 * - to the first field or button, if the focused element was removed.
 * @param {{ current: HTMLFormElement | null }} form
 * @param {readonly unknown[]} blocks
 */
export function useFocusOnUpdate(form, blocks) {
  const before = document.activeElement;
  const hadFields = useRef(true);
  /** The element that the page has focused. @type {{ current: Element | null }} */
  const focusedByPage = useRef(null);
  useLayoutEffect(() => {
    if (!form.current) return;
    const isFirst = focusedByPage.current === null;
    const hasFields = form.current.querySelector('.dialog-body :is(input, textarea)') !== null;
    const isLoaded = hasFields && !hadFields.current && document.activeElement === focusedByPage.current;
    const isRemoved = before !== null && !before.isConnected;
    if (!isFirst && (isLoaded || isRemoved)) findFirstStop(form.current)?.focus();
    if (isFirst || isLoaded || isRemoved) focusedByPage.current = document.activeElement;
    hadFields.current = hasFields;
  }, [blocks]);
}

/** @param {Element | undefined} element */
function moveFocus(element) {
  if (element instanceof HTMLElement) element.focus();
}
