import { useEffect, useState } from 'preact/hooks';
import type { Chat, Message, ThreadStatus } from '../protocol.ts';
import { useDirectory } from './directory.ts';
import { html } from './html.ts';
import { usePage, usePageState } from './use-page.ts';

/** Time for which each loading message is visible, ms. */
const LOADING_MS = 3_000;

/** The chat with the app in this thread. Undefined if the thread is no chat. */
export function useChat(channel: string, ts: string) {
  const chats = usePageState((state) => state.workspace?.chats) ?? [];
  return chats.find((chat) => chat.channel === channel && chat.ts === ts);
}

/** A button for each app that is an assistant. It opens a new chat beside the channel. */
export function StartChatButtons() {
  const { startChat } = usePage();
  const { apps } = useDirectory();
  return apps
    .filter(({ isAssistant }) => isAssistant)
    .map(
      ({ name, botUserId }) =>
        html`<button type="button" key=${botUserId} class="tool-button" onClick=${() => void startChat(botUserId)}>Ask ${name}</button>`,
    );
}

/** The title of a chat, in place of its first message in the direct message. */
export function ChatTitle({ message }: { message: Message }) {
  const { openThread } = usePage();
  const { title = 'New chat' } = useChat(message.channel, message.ts) ?? {};
  return html`<button type="button" class="link-button" onClick=${() => openThread(message.channel, message.ts)}>
    <span aria-hidden="true">✦</span> ${title}
  </button>`;
}

/** The app's status in this thread, and its suggested prompts. */
export function ThreadFooter({ channel, ts }: { channel: string; ts: string }) {
  const statuses = usePageState((state) => state.workspace?.statuses) ?? [];
  const status = statuses.find((entry) => entry.channel === channel && entry.threadTs === ts);
  const chat = useChat(channel, ts);
  return html`<div role="status">${status ? html`<${Status} key=${status.status} status=${status} />` : null}</div>
    ${chat?.prompts ? html`<${Prompts} chat=${chat} />` : null}`;
}

function Status({ status: { status, loadingMessages, name } }: { status: ThreadStatus }) {
  const [step, setStep] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => setStep((count) => count + 1), LOADING_MS);
    return () => clearInterval(timer);
  }, []);
  const loading = loadingMessages[step % Math.max(1, loadingMessages.length)];
  return html`<p class="thread-status quiet">
    ${name} ${status}${loading === undefined ? null : html` <span aria-hidden="true">${loading}</span>`}
  </p>`;
}

function Prompts({ chat: { channel, ts: threadTs, prompts } }: { chat: Chat }) {
  const { act } = usePage();
  const title = prompts?.title ?? 'Try these prompts:';
  return html`<div class="chat-prompts row wrapping" role="group" aria-label=${title}>
    <p class="quiet">${title}</p>
    ${prompts?.prompts.map(
      (prompt, index) => html`<button
        type="button"
        key=${index}
        class="button"
        title=${prompt.message}
        onClick=${() => void act({ act: 'message', channel, text: prompt.message, threadTs })}
      >
        ${prompt.title}
      </button>`,
    )}
  </div>`;
}
