import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';

/** @import { Message as SlackMessage } from '../protocol.ts' */

/** Maximum distance from the end, px, at which the person counts as reading the end. */
const MAX_END_DISTANCE = 60;

/**
 * Stays at the end while the person reads there; otherwise says that there is something new, and what was in sight stays
 * where it is when older messages come in above it.
 * @param {string} place another one begins at its end
 * @param {readonly SlackMessage[]} messages
 * @param {number} sent how often the reader has written here: then they want to see what comes of it
 */
export function useStickToEnd(place, messages, sent) {
  /** @type {{ current: HTMLElement | null }} */
  const list = useRef(null);
  const atEnd = useRef(true);
  const lastTop = useRef(0);
  const [below, setBelow] = useState(false);
  const before = useScrollBefore(list, messages[0]?.ts);
  const toEnd = () => {
    list.current?.scrollTo({ top: list.current.scrollHeight });
    lastTop.current = list.current?.scrollTop ?? 0;
    setBelow(false);
  };
  useLayoutEffect(() => {
    atEnd.current = true;
    toEnd();
  }, [place, sent]);
  useLayoutEffect(() => {
    const node = list.current;
    if (node && !atEnd.current) node.scrollTop = before.top + node.scrollHeight - before.height;
  }, [messages[0]?.ts]);
  useLayoutEffect(() => {
    if (atEnd.current) toEnd();
    else setBelow(true);
  }, [messages.at(-1)?.ts]);
  useEffect(() => {
    // Pictures and fonts that load late move the end.
    const node = list.current;
    const content = node?.querySelector('.message-list');
    if (!node || !content) return undefined;
    // A scroll event comes one frame late, so a position that has changed since isn't restored.
    const watch = new ResizeObserver(() => atEnd.current && node.scrollTop >= lastTop.current && toEnd());
    watch.observe(content);
    watch.observe(node);
    return () => watch.disconnect();
  }, []);
  const onScroll = () => {
    const node = list.current;
    if (!node) return;
    const near = node.scrollHeight - node.scrollTop - node.clientHeight < MAX_END_DISTANCE;
    // Only a person scrolls up. If the end moves away, the person did nothing.
    atEnd.current = near || (atEnd.current && node.scrollTop >= lastTop.current);
    lastTop.current = node.scrollTop;
    if (atEnd.current) setBelow(false);
  };
  return { list, onScroll, below, toEnd };
}

/**
 * The scroll position and height of the list before an older message is drawn.
 * @param {{ current: HTMLElement | null }} list
 * @param {string | undefined} first
 */
function useScrollBefore(list, first) {
  const drawn = useRef(first);
  const before = useRef({ top: 0, height: 0 });
  if (drawn.current !== first) {
    drawn.current = first;
    before.current = { top: list.current?.scrollTop ?? 0, height: list.current?.scrollHeight ?? 0 };
  }
  return before.current;
}
