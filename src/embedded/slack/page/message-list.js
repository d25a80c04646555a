import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { html } from './html.js';
import { Message } from './message.js';
import { inThreads, isReply } from './threads.js';
import { dayDivider, dayKey, momentOf } from './time.js';
import { useDirectory } from './use-directory.js';
import { usePageState } from './use-workspace.js';

/**
 * @import { Message as MessageFacts, ShortcutEntry } from '../protocol.ts'
 */

/** @type {readonly never[]} */
const NONE = [];

/** As many messages of a channel the workspace sends to a page that opens. */
const SENT_AT_ONCE = 200;

/** Messages by one writer within this time stand under one name. */
const TOGETHER_MS = 5 * 60_000;

/** @param {{ channel: string, title: string, children: import('preact').ComponentChildren }} props `children`: below the last message */
export function MessageList({ channel, title, children }) {
  const { reader } = useDirectory();
  /** @type {readonly MessageFacts[]} */
  const messages = inThreads(usePageState((state) => state.world?.messages[channel]) ?? NONE);
  const all = usePageState((state) => state.world?.shortcuts);
  /** @type {readonly ShortcutEntry[]} */
  const shortcuts = useMemo(() => all?.filter(({ type }) => type === 'message') ?? NONE, [all]);
  const { list, onScroll, below, toEnd } = useStickToEnd(channel, messages);
  const now = Date.now();
  return html`<div class="messages" ref=${list} onScroll=${onScroll} tabindex="0" role="region" aria-label=${`Messages in ${title}`}>
    <div class="beginning">
      <p class="beginning-title">${title}</p>
      <p>${messages.length < SENT_AT_ONCE ? `This is the very beginning of ${title}.` : 'Older messages are not shown here.'}</p>
    </div>
    <div role="log" aria-live="polite" aria-label=${title}><ol class="message-list">
      ${messages.map((message, index) => {
        const before = messages[index - 1];
        const ms = momentOf(message.ts);
        const newDay =
          before === undefined ||
          (!isReply(message) && dayKey(momentOf(before.ts), reader) !== dayKey(ms, reader));
        return [
          newDay
            ? html`<li key=${`day-${message.ts}`} class="day"><span>${dayDivider(ms, reader, now)}</span></li>`
            : null,
          html`<${Message} key=${message.ts} message=${message} follows=${!newDay && follows(before, message)} shortcuts=${shortcuts} />`,
        ];
      })}
    </ol></div>
    ${children}
    ${below ? html`<button type="button" class="to-end" onClick=${toEnd}>New messages ↓</button>` : null}
  </div>`;
}

/**
 * @param {MessageFacts} before
 * @param {MessageFacts} message
 */
function follows(before, message) {
  return (
    before.user === message.user &&
    before.threadTs === message.threadTs &&
    (before.ephemeralTo === undefined) === (message.ephemeralTo === undefined) &&
    momentOf(message.ts) - momentOf(before.ts) < TOGETHER_MS
  );
}

/** Less than this many px from the end still counts as reading the end. */
const NEAR_END = 60;

/**
 * Stays at the end while the person reads there; otherwise says that there is something new.
 * @param {string} channel
 * @param {readonly MessageFacts[]} messages
 */
function useStickToEnd(channel, messages) {
  /** @type {{ current: HTMLElement | null }} */
  const list = useRef(null);
  const atEnd = useRef(true);
  const [below, setBelow] = useState(false);
  const toEnd = () => {
    list.current?.scrollTo({ top: list.current.scrollHeight });
    setBelow(false);
  };
  useLayoutEffect(() => {
    atEnd.current = true;
    toEnd();
  }, [channel]);
  useLayoutEffect(() => {
    if (atEnd.current) toEnd();
    else setBelow(true);
  }, [messages.length, messages.at(-1)?.ts]);
  useEffect(() => {
    // Pictures and wider letters that come late push the end away.
    if (!list.current?.children[1]) return undefined;
    const watch = new ResizeObserver(() => atEnd.current && toEnd());
    watch.observe(list.current.children[1]);
    watch.observe(list.current);
    return () => watch.disconnect();
  }, []);
  const onScroll = () => {
    const node = list.current;
    if (!node) return;
    atEnd.current = node.scrollHeight - node.scrollTop - node.clientHeight < NEAR_END;
    if (atEnd.current) setBelow(false);
  };
  return { list, onScroll, below, toEnd };
}
