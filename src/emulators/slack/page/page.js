import { connect } from './connection.js';
import { createConversationActions, readThread, setThread } from './conversation-actions.js';
import { createFormActions } from './form-actions.js';
import { markRead } from './messages-state.js';
import { addNotice } from './notice.js';
import { isRecord } from './slack-json.js';
import { applyServerMessage, initialState } from './state.js';
import { createStore } from './store.js';

/**
 * @import { RequestBody, Connection } from './connection.js'
 * @import { ServerMessage } from '../protocol.ts'
 * @import { PageState } from './state.js'
 * @import { Store } from './store.js'
 */

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
