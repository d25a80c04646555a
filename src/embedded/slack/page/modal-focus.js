import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { firstStop, tabStops } from './dialog.js';

/**
 * New errors take focus to the first field that has one.
 * @param {{ current: HTMLFormElement | null }} form
 * @param {Record<string, string> | undefined} errors
 * @returns {{ current: number }} how many were seen; 0 makes the next ones new
 */
export function useFocusOnError(form, errors) {
  const before = useRef(0);
  const count = Object.keys(errors ?? {}).length;
  useEffect(() => {
    // Fewer than before: one is being mended, and focus stays where the person types.
    if (count > before.current && form.current) {
      const block = form.current.querySelector('.has-error');
      const field = block && tabStops(block).find((stop) => !(stop instanceof HTMLButtonElement));
      field?.focus();
      block?.scrollIntoView({ block: 'nearest' });
    }
    before.current = count;
  }, [errors]);
  return before;
}

/**
 * A form that comes in the place of "Loading…" takes focus; fields that are added to others do not.
 * @param {{ current: HTMLFormElement | null }} form
 * @param {readonly unknown[]} blocks
 */
export function useFocusOnFields(form, blocks) {
  const had = useRef(true);
  useLayoutEffect(() => {
    const body = form.current?.querySelector('.dialog-body');
    if (!form.current || !body) return;
    const has = tabStops(body).length > 0;
    if (has && !had.current && !body.contains(document.activeElement)) firstStop(form.current)?.focus();
    had.current = has;
  }, [blocks]);
}
