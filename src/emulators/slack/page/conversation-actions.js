import { changeMessages } from './messages-state.js';
import { isRecord } from './slack-json.js';
import { mergeMessages } from './threads.js';

/**
 * @import { Connection } from './connection.js'
 * @import { Message } from '../protocol.ts'
 * @import { PageState } from './state.js'
 * @import { Store } from './store.js'
 */

/** Older messages drawn in one frame. With more, scrolling would stutter. */
const MAX_PER_FRAME = 10;

/**
 * Opens threads, and loads older messages.
 * @param {Store<PageState>} store
 * @param {Connection['request']} request
 */
export function createConversationActions(store, request) {
  return {
    /** @param {string} channel */
    loadOlder: async (channel) => {
      const before = store.get().workspace?.messages[channel]?.[0]?.ts;
      if (before === undefined) return;
      const answer = await request({ act: 'history', channel, before });
      const found = answer.ok ? readMessages(answer.data) : undefined;
      if (found === undefined) return;
      for (let end = found.messages.length; end > 0; end -= MAX_PER_FRAME) {
        const batch = found.messages.slice(Math.max(0, end - MAX_PER_FRAME), end);
        store.update((state) => changeMessages(state, channel, (messages) => mergeMessages(batch, messages)));
        await new Promise((resolve) => requestAnimationFrame(resolve));
      }
      if (!found.hasMore) store.update((state) => markComplete(state, channel));
    },

    /**
     * @param {string} channel
     * @param {string} ts of the thread's first message
     */
    loadThread: async (channel, ts) => {
      const answer = await request({ act: 'replies', channel, ts });
      const found = answer.ok ? readMessages(answer.data) : undefined;
      if (found === undefined) return;
      store.update((state) =>
        changeMessages(state, channel, (messages) => mergeMessages(messages, found.messages)),
      );
    },

    /**
     * Opens a new chat with an app. The app learns which channel is open.
     * @param {string} app the app's user id
     */
    startChat: async (app) => {
      const answer = await request({ act: 'start-chat', app, channel: store.get().route.channel });
      const chat = answer.ok ? readThread(answer.data) : undefined;
      if (chat) store.update((state) => setThread(state, chat));
    },

    /**
     * @param {string} channel
     * @param {string} ts
     */
    openThread: (channel, ts) => store.update((state) => setThread(state, { channel, ts })),

    closeThread: () => {
      const open = store.get().panels.thread;
      store.update((state) => setThread(state, undefined));
      // The focus returns to the button that opened the thread.
      const row = document.querySelector(`.channel [data-ts="${CSS.escape(open?.ts ?? '')}"] .reply-button`);
      if (row instanceof HTMLElement) row.focus();
    },
  };
}

/**
 * Reads the channel and ts of a thread from an answer of the workspace.
 * @param {unknown} data
 * @returns {{ channel: string, ts: string } | undefined}
 */
export function readThread(data) {
  if (!isRecord(data) || typeof data.channel !== 'string' || typeof data.ts !== 'string') return undefined;
  return { channel: data.channel, ts: data.ts };
}

/**
 * @param {PageState} state
 * @param {{ channel: string, ts: string } | undefined} thread
 * @returns {PageState}
 */
export const setThread = (state, thread) => ({ ...state, panels: { ...state.panels, thread } });

/**
 * Notes that the channel has no older messages.
 * @param {PageState} state
 * @param {string} channel
 * @returns {PageState}
 */
function markComplete(state, channel) {
  if (state.workspace === undefined) return state;
  const older = state.workspace.older?.filter((id) => id !== channel) ?? [];
  return { ...state, workspace: { ...state.workspace, older } };
}

/**
 * @param {unknown} data
 * @returns {{ messages: Message[], hasMore: boolean } | undefined}
 */
function readMessages(data) {
  if (!isRecord(data) || !Array.isArray(data.messages)) return undefined;
  return { messages: data.messages.filter(isMessage), hasMore: data.hasMore === true };
}

/**
 * @param {unknown} value
 * @returns {value is Message}
 */
const isMessage = (value) => isRecord(value) && typeof value.ts === 'string';
