import { connect } from './connection.js';
import { createConversationActions, threadIn, withThread } from './conversation-actions.js';
import { createFormActions } from './form-actions.js';
import { markRead } from './messages-state.js';
import { withNotice } from './notice.js';
import { isRecord } from './slack-json.js';
import { afterServer, initialState } from './state.js';
import { createStore } from './store.js';

/**
 * @import { Asked, Connection } from './connection.js'
 * @import { ServerMessage } from '../protocol.ts'
 * @import { PageState } from './state.js'
 * @import { Store } from './store.js'
 */

/**
 * The actions of a person on the page, over one connection at a time.
 * @typedef {ReturnType<typeof createWorkspace>} Workspace
 */

/**
 * @param {object} options
 * @param {string} options.live
 * @param {string | null} options.as
 * @param {string | null} options.team `T…`; null: the first
 * @param {PageState['place'] | undefined} options.place where the page was before a reload
 * @param {(name: string, team: string | null) => void} options.onPerson
 */
export function createWorkspace({ live, as, team: firstTeam, place, onPerson }) {
  let team = firstTeam;
  /** @type {Store<PageState>} */
  const store = createStore({ ...initialState, ...(place && { place }) });
  let connection = open(as);

  /** @param {string | null} person */
  function open(person) {
    return connect({
      url: liveAddress(live, person, team),
      onMessage: (message) => {
        const isLoading = store.get().connection === 'connecting';
        hear(store, message);
        if (message.type !== 'snapshot') return;
        onPerson(message.me.name, team);
        // A page that begins in the app has just opened it. A page that reconnects has not.
        if (isLoading) tellOpened();
      },
      onLost: () => store.update((state) => ({ ...state, connection: 'lost' })),
    });
  }

  /** @param {string | null} person */
  function become(person) {
    connection.close();
    store.update(asNobody);
    connection = open(person);
  }

  /** Tells the app that the person has opened its Home or Messages. */
  function tellOpened() {
    const { place, world } = store.get();
    const channel = world?.channels.find(({ id }) => id === place.channel);
    const apps = world ? [world.app, ...(world.otherApps ?? [])] : [];
    const app = apps.find(({ botUserId }) => channel?.members.includes(botUserId));
    if (channel?.kind !== 'im' || !app) return;
    void ask({ act: place.tab === 'home' ? 'home-opened' : 'messages-opened', app: app.botUserId });
  }

  /** @param {Partial<PageState['shown']>} change */
  const show = (change) => store.update((state) => ({ ...state, shown: { ...state.shown, ...change } }));

  /** @type {Connection['ask']} */
  const ask = (asked) => connection.ask(asked);

  /**
   * An action outside a form. If it fails, the channel shows the reason.
   * @param {Asked} asked
   */
  async function act(asked) {
    // Somebody who uses a command doesn't need the hint.
    if (asked.act === 'command') show({ hint: false });
    const answer = await ask(asked);
    const chat = answer.ok && isRecord(answer.data) ? threadIn(answer.data.chat) : undefined;
    if (chat) store.update((state) => withThread(state, chat));
    if (answer.ok) return answer;
    const lost = answer.error === 'connection_lost';
    // The workspace itself shows the results of commands and shortcuts, with Slack's texts.
    const told = asked.act === 'command' || asked.act === 'shortcut';
    const words = lost ? NOT_SENT : `This failed with the error "${answer.error}".`;
    if (lost || !told) store.update((state) => withNotice(state, words));
    return answer;
  }

  return {
    store,
    ask,
    act,
    ...createFormActions(store, ask),
    ...createConversationActions(store, ask),
    /** @param {string} name */
    actAs: (name) => become(name),
    /** @param {string} id of another workspace; its owner acts there first */
    goToTeam: (id) => {
      team = id;
      become(null);
    },
    /**
     * @param {string} channel
     * @param {'messages' | 'home'} [tab]
     */
    goTo: (channel, tab = 'messages') => {
      store.update((state) => atPlace(state, channel, tab));
      tellOpened();
      const { thread } = store.get().shown;
      if (thread) void ask({ act: 'chat-context', ts: thread.ts, channel });
    },
    show,
  };
}

/**
 * @param {string} live
 * @param {string | null} person
 * @param {string | null} team
 */
function liveAddress(live, person, team) {
  const query = new URLSearchParams();
  if (person !== null) query.set('person', person);
  if (team !== null) query.set('team', team);
  return `${live}?${query}`;
}

/**
 * @param {Store<PageState>} store
 * @param {ServerMessage} message
 */
function hear(store, message) {
  store.update((state) => afterServer(state, message));
  const now = 'now' in message ? message.now : undefined;
  if (now !== undefined) store.update((state) => withClock(state, now));
  if (message.type === 'notice') store.update((state) => withNotice(state, message.text, message.channel));
}

/**
 * @param {PageState} state
 * @param {number} now the workspace's clock, ms
 * @returns {PageState}
 */
function withClock(state, now) {
  const ahead = now - Date.now();
  // A message takes time to arrive, so only larger differences mean that the clock was moved.
  return { ...state, ahead: Math.abs(ahead) < MOVED_MS ? 0 : ahead };
}

const MOVED_MS = 10_000;

/** As in narrow.css. */
const NARROW = matchMedia('(max-width: 1000px)');

/**
 * Clears the state of one person before the page acts as another.
 * @param {PageState} state
 * @returns {PageState}
 */
function asNobody(state) {
  return {
    ...state,
    connection: 'connecting',
    world: undefined,
    forms: {},
    traffic: [],
    shown: { ...state.shown, thread: undefined },
  };
}

const NOT_SENT =
  'The workspace cannot be reached just now, so this was not sent. Please try again in a moment.';

/**
 * @param {PageState} state
 * @param {string} channel
 * @param {'messages' | 'home'} tab
 * @returns {PageState}
 */
function atPlace(state, channel, tab) {
  const { thread } = state.shown;
  // A chat stays open beside another channel, if there is room.
  const isChat = state.world?.chats?.some(({ ts }) => ts === thread?.ts) && !NARROW.matches;
  const shown = { ...state.shown, sidebar: false, thread: isChat ? thread : undefined };
  return markRead({ ...state, place: { channel, tab }, shown });
}
