import type { ComponentChildren } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { ShortcutEntry, Message as SlackMessage } from '../protocol.ts';
import { useDirectory } from './directory.ts';
import { html } from './html.ts';
import { Message } from './message.ts';
import { filterChannelMessages } from './state.ts';
import { formatDayDivider, getDayKey, parseTs, type Reader } from './time.ts';
import { usePage, usePageState } from './use-page.ts';
import { useStickToEnd } from './use-stick-to-end.ts';

/** Rows within this distance of the visible part are laid out. The others only keep their height. */
const NEAR_MARGIN = '800px 0px';

/**
 * Marks the rows of a long list that are far from the visible part, so that the browser doesn't lay them out. Near rows
 * aren't marked, because the menus of a marked row would be cut off. `list`: the scrolling element.
 */
function useDistantRows(list: { current: HTMLElement | null }, messages: readonly unknown[]) {
  const observedRows = useRef(new WeakSet());
  const observer: { current: IntersectionObserver | undefined } = useRef(undefined);
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

function mark(entries: readonly IntersectionObserverEntry[]) {
  for (const { target, isIntersecting } of entries) target.classList.toggle('is-distant', !isIntersecting);
}

/** Older messages are fetched this far before the top, so that the person doesn't wait for them. */
const FETCH_MARGIN = '600px 0px 0px 0px';

/** Fetches older messages when the top becomes visible, or when pressed. `list`: the scrolling element. */
function OlderMessages({ channel, list }: { channel: string; list: { current: HTMLElement | null } }) {
  const { loadOlder } = usePage();
  const [isLoading, setLoading] = useState(false);
  const top = useRef<HTMLElement>(null);
  const load = async () => {
    setLoading(true);
    await loadOlder(channel);
    setLoading(false);
  };
  useEffect(() => {
    if (isLoading || !top.current) return undefined;
    // Observes again after each answer, to fetch more messages if the top is still visible.
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && void load(), {
      root: list.current,
      rootMargin: FETCH_MARGIN,
    });
    observer.observe(top.current);
    return () => observer.disconnect();
  }, [isLoading]);
  return html`<p class="older" ref=${top}>
    <button type="button" class="button" disabled=${isLoading} onClick=${load}>
      ${isLoading ? 'Loading older messages…' : 'Show older messages'}
    </button>
  </p>`;
}

const NONE: readonly never[] = [];

/** Consecutive messages of one author within this time share a heading. */
const MAX_GROUP_MS = 5 * 60_000;

interface MessageListProps {
  channel: string;
  title: string;
  /** How many messages the reader has sent here. */
  sentCount: number;
  /** Follow the last message. */
  children: ComponentChildren;
}

/** The messages of a channel. */
export function MessageList({ channel, title, sentCount, children }: MessageListProps) {
  const { reader, now: clock, channels } = useDirectory();
  const kind = channels.get(channel)?.kind;
  const isDirect = kind === 'im' || kind === 'mpim';
  const channelMessages: readonly SlackMessage[] =
    usePageState((state) => state.workspace?.messages[channel]) ?? NONE;
  const messages = useMemo(() => filterChannelMessages(channelMessages), [channelMessages]);
  const hasOlder = usePageState((state) => state.workspace?.older?.includes(channel) ?? false);
  const allShortcuts = usePageState((state) => state.workspace?.shortcuts);
  const shortcuts: readonly ShortcutEntry[] = useMemo(
    () => allShortcuts?.filter(({ type }) => type === 'message') ?? NONE,
    [allShortcuts],
  );
  const { list, onScroll, hasNewBelow, scrollToEnd } = useStickToEnd(channel, messages, sentCount);
  useDistantRows(list, messages);
  const now = clock();
  const days = useDays(messages, reader);
  return html`<div class="messages scroller column" ref=${list} onScroll=${onScroll} tabindex="0" role="region" aria-label=${`Messages in ${title}`}>
    ${
      hasOlder
        ? html`<${OlderMessages} key=${`older-${channel}`} channel=${channel} list=${list} />`
        : html`<div key="beginning" class="beginning">
            <p class="beginning-title">${title}</p>
            <p>This is the very beginning of ${isDirect ? `your conversation with ${title}` : title}.</p>
          </div>`
    }
    <div key="log" role="log" aria-live="polite" aria-label=${title}><ol class="message-list">
      ${messages.flatMap((message, index) => {
        const before = messages[index - 1];
        const isNewDay = before === undefined || days[index] !== days[index - 1];
        // One list for all days. With a list for each day, an older message at the top would redraw all messages.
        return [
          isNewDay
            ? html`<li key=${`day-${message.ts}`} class="day"><span>${formatDayDivider(parseTs(message.ts), reader, now)}</span></li>`
            : null,
          html`<${Message} key=${message.ts} message=${message} isContinuation=${!isNewDay && isContinuation(before, message)} shortcuts=${shortcuts} />`,
        ];
      })}
    </ol></div>
    ${children}
    ${hasNewBelow ? html`<button type="button" class="to-end" onClick=${scrollToEnd}>New messages ↓</button>` : null}
  </div>`;
}

/** The day of each message. Days are cached, because a channel can have thousands of messages. */
function useDays(messages: readonly SlackMessage[], reader: Reader) {
  const cache = useMemo(() => new Map(), [reader.zone]);
  return messages.map(({ ts }) => {
    const day = cache.get(ts) ?? getDayKey(parseTs(ts), reader);
    cache.set(ts, day);
    return day;
  });
}

/** Whether the message needs no heading, because the one before has the same. */
export function isContinuation(before: SlackMessage, message: SlackMessage) {
  return (
    before.user === message.user &&
    before.subtype === message.subtype &&
    (before.ephemeralTo === undefined) === (message.ephemeralTo === undefined) &&
    before.username === message.username &&
    parseTs(message.ts) - parseTs(before.ts) < MAX_GROUP_MS
  );
}
