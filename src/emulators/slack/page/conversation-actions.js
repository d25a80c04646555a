import { withMessages } from './messages-state.js';
import { isRecord } from './slack-json.js';
import { together } from './threads.js';

/**
 * @import { Connection } from './connection.js'
 * @import { Message } from '../protocol.ts'
 * @import { PageState } from './state.js'
 * @import { Store } from './store.js'
 */

/** Few enough messages to be drawn within a frame, because the person may be scrolling. */
const IN_ONE_FRAME = 10;

/**
 * Opens threads, and loads older messages.
 * @param {Store<PageState>} store
 * @param {Connection['ask']} ask
 */
export function createConversationActions(store, ask) {
  return {
    /** @param {string} channel */
    loadOlder: async (channel) => {
      const before = store.get().world?.messages[channel]?.[0]?.ts;
      if (before === undefined) return;
      const answer = await ask({ act: 'history', channel, before });
      const found = answer.ok ? messagesIn(answer.data) : undefined;
      if (found === undefined) return;
      for (let end = found.messages.length; end > 0; end -= IN_ONE_FRAME) {
        const some = found.messages.slice(Math.max(0, end - IN_ONE_FRAME), end);
        store.update((state) => withMessages(state, channel, (all) => together(some, all)));
        await new Promise((drawn) => requestAnimationFrame(drawn));
      }
      if (!found.hasMore) store.update((state) => withoutOlder(state, channel));
    },

    /**
     * @param {string} channel
     * @param {string} ts of the message that began it
     */
    loadThread: async (channel, ts) => {
      const answer = await ask({ act: 'replies', channel, ts });
      const found = answer.ok ? messagesIn(answer.data) : undefined;
      if (found === undefined) return;
      store.update((state) => withMessages(state, channel, (all) => together(all, found.messages)));
    },

    /** Opens a new chat with the app, which hears beside which channel. */
    startChat: async () => {
      const answer = await ask({ act: 'start-chat', channel: store.get().place.channel });
      const chat = answer.ok ? threadIn(answer.data) : undefined;
      if (chat) store.update((state) => withThread(state, chat));
    },

    /**
     * @param {string} channel
     * @param {string} ts
     */
    openThread: (channel, ts) => store.update((state) => withThread(state, { channel, ts })),

    closeThread: () => {
      const open = store.get().shown.thread;
      store.update((state) => withThread(state, undefined));
      // The focus goes back to the button that opened it.
      const row = document.querySelector(`.channel [data-ts="${CSS.escape(open?.ts ?? '')}"] .reply-button`);
      if (row instanceof HTMLElement) row.focus();
    },
  };
}

/**
 * The thread in an answer of the workspace.
 * @param {unknown} data
 * @returns {{ channel: string, ts: string } | undefined}
 */
export function threadIn(data) {
  if (!isRecord(data) || typeof data.channel !== 'string' || typeof data.ts !== 'string') return undefined;
  return { channel: data.channel, ts: data.ts };
}

/**
 * @param {PageState} state
 * @param {{ channel: string, ts: string } | undefined} thread
 * @returns {PageState}
 */
export const withThread = (state, thread) => ({ ...state, shown: { ...state.shown, thread } });

/**
 * @param {PageState} state
 * @param {string} channel
 * @returns {PageState}
 */
function withoutOlder(state, channel) {
  if (state.world === undefined) return state;
  const older = state.world.older?.filter((one) => one !== channel) ?? [];
  return { ...state, world: { ...state.world, older } };
}

/**
 * @param {unknown} data
 * @returns {{ messages: Message[], hasMore: boolean } | undefined}
 */
function messagesIn(data) {
  if (!isRecord(data) || !Array.isArray(data.messages)) return undefined;
  return { messages: data.messages.filter(isMessage), hasMore: data.hasMore === true };
}

/**
 * @param {unknown} value
 * @returns {value is Message}
 */
const isMessage = (value) => isRecord(value) && typeof value.ts === 'string';
