import { useMemo } from 'preact/hooks';
import { html } from './html.js';
import { Message } from './message.js';
import { Older } from './older.js';
import { inChannel } from './threads.js';
import { dayDivider, dayKey, momentOf } from './time.js';
import { useAway } from './use-away.js';
import { useDirectory } from './use-directory.js';
import { useStickToEnd } from './use-stick-to-end.js';
import { usePageState } from './use-workspace.js';

/**
 * @import { Message as MessageFacts, ShortcutEntry } from '../protocol.ts'
 */

/** @type {readonly never[]} */
const NONE = [];

/** Messages of one person within this time share a name and time, unless they have blocks. */
const TOGETHER_MS = 5 * 60_000;

/**
 * `sent`: how many messages the reader has sent here. `children` are below the last message.
 * @param {{ channel: string, title: string, sent: number, children: import('preact').ComponentChildren }} props
 */
export function MessageList({ channel, title, sent, children }) {
  const { reader, now: clock } = useDirectory();
  /** @type {readonly MessageFacts[]} */
  const said = usePageState((state) => state.world?.messages[channel]) ?? NONE;
  const messages = useMemo(() => inChannel(said), [said]);
  const hasOlder = usePageState((state) => state.world?.older?.includes(channel) ?? false);
  const all = usePageState((state) => state.world?.shortcuts);
  /** @type {readonly ShortcutEntry[]} */
  const shortcuts = useMemo(() => all?.filter(({ type }) => type === 'message') ?? NONE, [all]);
  const { list, onScroll, below, toEnd } = useStickToEnd(channel, messages, sent);
  useAway(list, messages);
  const now = clock();
  const days = useDays(messages, reader);
  return html`<div class="messages" ref=${list} onScroll=${onScroll} tabindex="0" role="region" aria-label=${`Messages in ${title}`}>
    ${
      hasOlder
        ? html`<${Older} key=${`older-${channel}`} channel=${channel} list=${list} />`
        : html`<div key="beginning" class="beginning">
            <p class="beginning-title">${title}</p>
            <p>This is the very beginning of ${title}.</p>
          </div>`
    }
    <div key="log" role="log" aria-live="polite" aria-label=${title}><ol class="message-list">
      ${messages.flatMap((message, index) => {
        const before = messages[index - 1];
        const newDay = before === undefined || days[index] !== days[index - 1];
        // One flat list. With a list for each day, one more message at the top would draw all of them again.
        return [
          newDay
            ? html`<li key=${`day-${message.ts}`} class="day"><span>${dayDivider(momentOf(message.ts), reader, now)}</span></li>`
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
 * The day of each message. Cached, so that a new message doesn't compute the others again.
 * @param {readonly MessageFacts[]} messages
 * @param {import('./time.js').Reader} reader
 */
function useDays(messages, reader) {
  const known = useMemo(() => new Map(), [reader.zone]);
  return messages.map(({ ts }) => {
    const day = known.get(ts) ?? dayKey(momentOf(ts), reader);
    known.set(ts, day);
    return day;
  });
}

/**
 * @param {MessageFacts} before
 * @param {MessageFacts} message
 */
function follows(before, message) {
  return (
    before.user === message.user &&
    before.subtype === message.subtype &&
    (before.ephemeralTo === undefined) === (message.ephemeralTo === undefined) &&
    !hasBlocks(before) &&
    !hasBlocks(message) &&
    momentOf(message.ts) - momentOf(before.ts) < TOGETHER_MS
  );
}

/** @param {MessageFacts} message */
const hasBlocks = ({ blocks = [] }) => blocks.length > 0;
