import { useEffect, useState } from 'preact/hooks';
import { ThreadFooter, useChat } from './chat.js';
import { Composer } from './composer.js';
import { findApp, getChannelTitle } from './directory.js';
import { html } from './html.js';
import { Message } from './message.js';
import { isContinuation } from './message-list.js';
import { filterThreadMessages } from './threads.js';
import { useDirectory } from './use-directory.js';
import { usePage, usePageState } from './use-page.js';
import { useStickToEnd } from './use-stick-to-end.js';

/** @type {readonly never[]} */
const NONE = [];

/**
 * A message and its replies beside the channel, with a composer for a reply.
 * @param {{ channel: string, ts: string }} props
 */
export function Thread({ channel, ts }) {
  const directory = useDirectory();
  const { loadThread, closeThread } = usePage();
  const channelMessages = usePageState((state) => state.workspace?.messages[channel]) ?? NONE;
  const shortcuts = usePageState((state) => state.workspace?.shortcuts) ?? NONE;
  const messageShortcuts = shortcuts.filter(({ type }) => type === 'message');
  const chat = useChat(channel, ts);
  // The first message of a chat is empty.
  const messages = filterThreadMessages(channelMessages, ts).filter(
    (message) => chat === undefined || message.ts !== ts,
  );
  const [sentCount, setSentCount] = useState(0);
  const { list, onScroll } = useStickToEnd(ts, messages, sentCount);
  const openChannel = directory.channels.get(channel);
  useEffect(() => void loadThread(channel, ts), [channel, ts]);
  /** @param {KeyboardEvent} event */
  const onKeyDown = (event) => {
    if (event.key === 'Escape' && !event.defaultPrevented) closeThread();
  };
  return html`<aside class="thread" aria-label="Thread" onKeyDown=${onKeyDown}>
    <header class="inspector-head">
      <div>
        <h2>${chat ? (chat.title ?? 'New chat') : 'Thread'}</h2>
        <p>${chat ? `Chat with ${findApp(openChannel, directory)?.name}` : getChannelTitle(openChannel, directory)}</p>
      </div>
      <button type="button" class="icon-button" aria-label="Close the thread" onClick=${closeThread}>
        <span aria-hidden="true">×</span>
      </button>
    </header>
    <div class="messages" ref=${list} onScroll=${onScroll} tabindex="0" role="region" aria-label="Messages in the thread">
      <div role="log" aria-label="Thread"><ol class="message-list">
        ${messages.map((message, index) => {
          const before = messages[index - 1];
          // The first message has a heading of its own, and so has the first reply.
          const continues = index > 1 && before !== undefined && isContinuation(before, message);
          return html`<${Message} key=${message.ts} message=${message} isContinuation=${continues} shortcuts=${messageShortcuts} inThread />`;
        })}
      </ol></div>
      <${ThreadFooter} channel=${channel} ts=${ts} />
    </div>
    ${openChannel?.archived ? null : html`<${Composer} channel=${channel} threadTs=${ts} title="the thread" prefill=${NO_PREFILL} onSent=${() => setSentCount((count) => count + 1)} />`}
  </aside>`;
}

const NO_PREFILL = { text: '', count: 0 };
