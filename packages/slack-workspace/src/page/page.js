import { connect } from './connection.js';
import { createFormActions } from './form-actions.js';
import { changeMessages, markRead } from './messages-state.js';
import { addNotice } from './notice.js';
import { isRecord } from './slack-json.js';
import { applyServerMessage, initialState } from './state.js';
import { createStore } from './store.js';
import { mergeMessages } from './threads.js';

/**
 * @import { Message, ServerMessage } from '../protocol.ts'
 * @import { Connection, RequestBody } from './connection.js'
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
function createConversationActions(store, request) {
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
function readThread(data) {
  if (!isRecord(data) || typeof data.channel !== 'string' || typeof data.ts !== 'string') return undefined;
  return { channel: data.channel, ts: data.ts };
}

/**
 * @param {PageState} state
 * @param {{ channel: string, ts: string } | undefined} thread
 * @returns {PageState}
 */
const setThread = (state, thread) => ({ ...state, panels: { ...state.panels, thread } });

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

/**
 * The state of the page, and a person's actions on it.
 * @typedef {ReturnType<typeof createPage>} Page
 */

/**
 * @param {object} options
 * @param {string} options.liveUrl `ws://…/page/live`
 * @param {string | null} options.as name of the person. Null selects the first owner.
 * @param {string | null} options.team `T…`. Null selects the first workspace.
 * @param {PageState['route'] | undefined} options.route the open channel before a reload
 * @param {(name: string, team: string | null) => void} options.onPerson called after each snapshot
 */
export function createPage({ liveUrl, as, team: initialTeam, route, onPerson }) {
  let team = initialTeam;
  /** @type {Store<PageState>} */
  const store = createStore({ ...initialState, ...(route && { route }) });
  let connection = open(as);

  /** @param {string | null} person */
  function open(person) {
    return connect({
      url: buildLiveUrl(liveUrl, person, team),
      onMessage: (message) => {
        const isLoading = store.get().connection === 'connecting';
        receive(store, message);
        if (message.type !== 'snapshot') return;
        onPerson(message.me.name, team);
        // A page that loads with the app's tab has just opened it. A page that reconnects hasn't.
        if (isLoading) reportOpenedTab();
      },
      onLost: () => store.update((state) => ({ ...state, connection: 'lost' })),
    });
  }

  /** @param {string | null} person */
  function reconnectAs(person) {
    connection.close();
    store.update(clearPerson);
    connection = open(person);
  }

  /** Tells the app that the person has opened its Home or Messages tab. */
  function reportOpenedTab() {
    const { route: current, workspace } = store.get();
    const channel = workspace?.channels.find(({ id }) => id === current.channel);
    const apps = workspace ? [workspace.app, ...(workspace.otherApps ?? [])] : [];
    const app = apps.find(({ botUserId }) => channel?.members.includes(botUserId));
    if (channel?.kind !== 'im' || !app) return;
    void request({
      act: current.tab === 'home' && app.hasHome ? 'home-opened' : 'messages-opened',
      app: app.botUserId,
    });
  }

  /** @param {Partial<PageState['panels']>} change */
  const show = (change) => store.update((state) => ({ ...state, panels: { ...state.panels, ...change } }));

  /** @type {Connection['request']} */
  const request = (body) => connection.request(body);

  /**
   * Performs an action outside a form. If it fails, the channel shows the reason.
   * @param {RequestBody} body
   */
  async function act(body) {
    // A person who uses a command doesn't need the hint.
    if (body.act === 'command') show({ hint: false });
    const answer = await request(body);
    const chat = answer.ok && isRecord(answer.data) ? readThread(answer.data.chat) : undefined;
    if (chat) store.update((state) => setThread(state, chat));
    if (answer.ok) return answer;
    const isLost = answer.error === 'connection_lost';
    // For commands and shortcuts, the workspace itself shows Slack's error texts.
    const isShown = body.act === 'command' || body.act === 'shortcut';
    const text = isLost ? NOT_SENT_TEXT : `This failed with the error “${answer.error}”.`;
    if (isLost || !isShown) store.update((state) => addNotice(state, text));
    return answer;
  }

  return {
    store,
    request,
    act,
    ...createFormActions(store, request),
    ...createConversationActions(store, request),
    /** @param {string} name */
    actAs: (name) => reconnectAs(name),
    /** @param {string} id of another workspace. The page acts as its first owner. */
    goToTeam: (id) => {
      team = id;
      reconnectAs(null);
    },
    /**
     * @param {string} channel
     * @param {'messages' | 'home'} [tab]
     */
    goTo: (channel, tab = 'messages') => {
      store.update((state) => changeRoute(state, channel, tab));
      reportOpenedTab();
      const { thread } = store.get().panels;
      if (thread) void request({ act: 'chat-context', ts: thread.ts, channel });
    },
    show,
  };
}

/**
 * @param {string} liveUrl
 * @param {string | null} person
 * @param {string | null} team
 */
function buildLiveUrl(liveUrl, person, team) {
  const query = new URLSearchParams();
  if (person !== null) query.set('person', person);
  if (team !== null) query.set('team', team);
  return `${liveUrl}?${query}`;
}

/**
 * @param {Store<PageState>} store
 * @param {ServerMessage} message
 */
function receive(store, message) {
  store.update((state) => applyServerMessage(state, message));
  const now = 'now' in message ? message.now : undefined;
  if (now !== undefined) store.update((state) => setClock(state, now));
  if (message.type === 'notice') store.update((state) => addNotice(state, message.text, message.channel));
}

/**
 * @param {PageState} state
 * @param {number} now the workspace's clock, ms
 * @returns {PageState}
 */
function setClock(state, now) {
  const offsetMs = now - Date.now();
  return { ...state, clockOffsetMs: Math.abs(offsetMs) < MIN_CLOCK_OFFSET_MS ? 0 : offsetMs };
}

/** Smaller differences come from the time that a message takes to arrive. */
const MIN_CLOCK_OFFSET_MS = 10_000;

/** Screens up to this width are narrow. narrow.css uses the same width. */
const NARROW_SCREEN = matchMedia('(max-width: 1000px)');

/**
 * Clears the state of the current person before the page acts as another.
 * @param {PageState} state
 * @returns {PageState}
 */
function clearPerson(state) {
  return {
    ...state,
    connection: 'connecting',
    workspace: undefined,
    forms: {},
    traffic: [],
    panels: { ...state.panels, thread: undefined },
  };
}

const NOT_SENT_TEXT =
  'The workspace can’t be reached, so nothing was sent. Please try again in a few seconds.';

/**
 * @param {PageState} state
 * @param {string} channel
 * @param {'messages' | 'home'} tab
 * @returns {PageState}
 */
function changeRoute(state, channel, tab) {
  const { thread } = state.panels;
  // A chat stays open beside another channel if the screen is wide enough.
  const isChat = state.workspace?.chats?.some(({ ts }) => ts === thread?.ts) && !NARROW_SCREEN.matches;
  const panels = { ...state.panels, sidebar: false, thread: isChat ? thread : undefined };
  return markRead({ ...state, route: { channel, tab }, panels });
}
