import { useEffect, useRef } from 'preact/hooks';

/** Rows within this distance of the visible part are laid out. The others only keep their height. */
const NEAR_MARGIN = '800px 0px';

/**
 * Marks the rows of a long list that are far from the visible part, so that the browser doesn't lay them out. Near rows
 * aren't marked, because the menus of a marked row would be cut off.
 * @param {{ current: HTMLElement | null }} list the scrolling element
 * @param {readonly unknown[]} messages
 */
export function useDistantRows(list, messages) {
  const observedRows = useRef(new WeakSet());
  /** @type {{ current: IntersectionObserver | undefined }} */
  const observer = useRef(undefined);
  useEffect(() => {
    observer.current ??= new IntersectionObserver(mark, { root: list.current, rootMargin: NEAR_MARGIN });
    for (const row of list.current?.querySelectorAll('.message') ?? []) {
      if (observedRows.current.has(row)) continue;
      observedRows.current.add(row);
      observer.current.observe(row);
    }
  }, [messages]);
  useEffect(() => () => observer.current?.disconnect(), []);
}

/** @param {readonly IntersectionObserverEntry[]} entries */
function mark(entries) {
  for (const { target, isIntersecting } of entries) target.classList.toggle('is-distant', !isIntersecting);
}
