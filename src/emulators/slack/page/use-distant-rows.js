import { useEffect, useRef } from 'preact/hooks';

/** Rows within this distance of the visible part are laid out. The others only keep their height. */
const NEAR_MARGIN = '800px 0px';

/**
 * Marks the rows of a long list that are far from the visible part, so that the style can skip them. Visible rows
 * aren't marked, because a skipped row cuts off its menus.
 * @param {{ current: HTMLElement | null }} list what scrolls
 * @param {readonly unknown[]} messages
 */
export function useDistantRows(list, messages) {
  const watched = useRef(new WeakSet());
  /** @type {{ current: IntersectionObserver | undefined }} */
  const watch = useRef(undefined);
  useEffect(() => {
    watch.current ??= new IntersectionObserver(mark, { root: list.current, rootMargin: NEAR_MARGIN });
    for (const row of list.current?.querySelectorAll('.message') ?? []) {
      if (watched.current.has(row)) continue;
      watched.current.add(row);
      watch.current.observe(row);
    }
  }, [messages]);
  useEffect(() => () => watch.current?.disconnect(), []);
}

/** @param {readonly IntersectionObserverEntry[]} entries */
function mark(entries) {
  for (const { target, isIntersecting } of entries) target.classList.toggle('is-away', !isIntersecting);
}
