import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Message as SlackMessage } from '../protocol.ts';

/** Maximum distance from the end, px, at which the person counts as reading the end. */
const MAX_END_DISTANCE = 60;

/**
 * Keeps a list of messages at its end while the person reads there. Otherwise the visible messages stay where they are,
 * and `hasNewBelow` is true when there are new messages below. `conversationKey`: the channel or thread. A change
 * scrolls to the end. `sentCount`: the number of messages that the reader has sent here. A change scrolls to the end.
 */
export function useStickToEnd(conversationKey: string, messages: readonly SlackMessage[], sentCount: number) {
  const list = useRef<HTMLElement>(null);
  const isAtEnd = useRef(true);
  const lastTop = useRef(0);
  const [hasNewBelow, setNewBelow] = useState(false);
  const before = useScrollBefore(list, messages[0]?.ts);
  const scrollToEnd = () => {
    list.current?.scrollTo({ top: list.current.scrollHeight });
    lastTop.current = list.current?.scrollTop ?? 0;
    setNewBelow(false);
  };
  useLayoutEffect(() => {
    isAtEnd.current = true;
    scrollToEnd();
  }, [conversationKey, sentCount]);
  useLayoutEffect(() => {
    const node = list.current;
    if (node && !isAtEnd.current) node.scrollTop = before.top + node.scrollHeight - before.height;
  }, [messages[0]?.ts]);
  useLayoutEffect(() => {
    if (isAtEnd.current) scrollToEnd();
    else setNewBelow(true);
  }, [messages.at(-1)?.ts]);
  useEffect(() => {
    // The list grows when pictures and fonts are loaded.
    const node = list.current;
    const content = node?.querySelector('.message-list');
    if (!node || !content) return undefined;
    // Scroll events come one frame late. If the person has scrolled up meanwhile, the position isn't changed.
    const observer = new ResizeObserver(
      () => isAtEnd.current && node.scrollTop >= lastTop.current && scrollToEnd(),
    );
    observer.observe(content);
    observer.observe(node);
    return () => observer.disconnect();
  }, []);
  const onScroll = () => {
    const node = list.current;
    if (!node) return;
    const isNearEnd = node.scrollHeight - node.scrollTop - node.clientHeight < MAX_END_DISTANCE;
    // Only a person scrolls up. If new content moves the end away, the list still counts as at its end.
    isAtEnd.current = isNearEnd || (isAtEnd.current && node.scrollTop >= lastTop.current);
    lastTop.current = node.scrollTop;
    if (isAtEnd.current) setNewBelow(false);
  };
  return { list, onScroll, hasNewBelow, scrollToEnd };
}

/** The scroll position and height of the list before an older message is drawn. */
function useScrollBefore(list: { current: HTMLElement | null }, firstTs: string | undefined) {
  const drawnTs = useRef(firstTs);
  const before = useRef({ top: 0, height: 0 });
  if (drawnTs.current !== firstTs) {
    drawnTs.current = firstTs;
    before.current = { top: list.current?.scrollTop ?? 0, height: list.current?.scrollHeight ?? 0 };
  }
  return before.current;
}
