import { isRecord } from '../json.ts';
import type { PageRequest } from '../page-request.ts';
import type { Message, ServerMessage } from '../protocol.ts';
import { type Connection, connect } from './connection.ts';
import { createFormActions } from './form-actions.ts';
import {
  addNotice,
  applyServerMessage,
  changeMessages,
  initialState,
  markRead,
  mergeMessages,
  type PageState,
} from './state.ts';
import { createStore, type Store } from './store.ts';

/** Older messages drawn in one frame. With more, scrolling would stutter. */
const MAX_PER_FRAME = 10;

/** Opens threads, and loads older messages. */
function createConversationActions(store: Store<PageState>, request: Connection['request']) {
  return {
    loadOlder: async (channel: string) => {
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

    /** `ts`: of the thread's first message. */
    loadThread: async (channel: string, ts: string) => {
      const answer = await request({ act: 'replies', channel, ts });
      const found = answer.ok ? readMessages(answer.data) : undefined;
      if (found === undefined) return;
      store.update((state) =>
        changeMessages(state, channel, (messages) => mergeMessages(messages, found.messages)),
      );
    },

    /** Opens a new chat with an app. The app learns which channel is open. `app`: the app's user id. */
    startChat: async (app: string) => {
      const answer = await request({ act: 'start-chat', app, channel: store.get().route.channel });
      const chat = answer.ok ? readThread(answer.data) : undefined;
      if (chat) store.update((state) => setThread(state, chat));
    },

    openThread: (channel: string, ts: string) => store.update((state) => setThread(state, { channel, ts })),

    closeThread: () => {
      const open = store.get().panels.thread;
      store.update((state) => setThread(state, undefined));
      // The focus returns to the button that opened the thread.
      const row = document.querySelector(`.channel [data-ts="${CSS.escape(open?.ts ?? '')}"] .reply-button`);
      if (row instanceof HTMLElement) row.focus();
    },
  };
}

/** Reads the channel and ts of a thread from an answer of the workspace. */
function readThread(data: unknown): { channel: string; ts: string } | undefined {
  if (!isRecord(data) || typeof data.channel !== 'string' || typeof data.ts !== 'string') return undefined;
  return { channel: data.channel, ts: data.ts };
}

const setThread = (state: PageState, thread: { channel: string; ts: string } | undefined): PageState => ({
  ...state,
  panels: { ...state.panels, thread },
});

/** Notes that the channel has no older messages. */
function markComplete(state: PageState, channel: string): PageState {
  if (state.workspace === undefined) return state;
  const older = state.workspace.older?.filter((id) => id !== channel) ?? [];
  return { ...state, workspace: { ...state.workspace, older } };
}

function readMessages(data: unknown): { messages: Message[]; hasMore: boolean } | undefined {
  if (!isRecord(data) || !Array.isArray(data.messages)) return undefined;
  return { messages: data.messages.filter(isMessage), hasMore: data.hasMore === true };
}

const isMessage = (value: unknown): value is Message => isRecord(value) && typeof value.ts === 'string';

/** The state of the page, and a person's actions on it. */
export type Page = ReturnType<typeof createPage>;

export function createPage({
  liveUrl,
  as,
  team: initialTeam,
  route,
  onPerson,
}: {
  /** `ws://…/page/live` */
  liveUrl: string;
  /** Name of the person. Null selects the first owner. */
  as: string | null;
  /** `T…`. Null selects the first workspace. */
  team: string | null;
  /** The open channel before a reload. */
  route: PageState['route'] | undefined;
  /** Called after each snapshot. */
  onPerson: (name: string, team: string | null) => void;
}) {
  let team = initialTeam;
  const store: Store<PageState> = createStore({ ...initialState, ...(route && { route }) });
  let connection = open(as);

  function open(person: string | null) {
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

  function reconnectAs(person: string | null) {
    connection.close();
    store.update(clearPerson);
    connection = open(person);
  }

  /** Tells the app that the person has opened its Home or Messages tab. */
  function reportOpenedTab() {
    const { route: current, workspace } = store.get();
    const channel = workspace?.channels.find(({ id }) => id === current.channel);
    const app = workspace?.apps.find(({ botUserId }) => channel?.members.includes(botUserId));
    if (channel?.kind !== 'im' || !app) return;
    void request({
      act: current.tab === 'home' && app.hasHome ? 'home-opened' : 'messages-opened',
      app: app.botUserId,
    });
  }

  const show = (change: Partial<PageState['panels']>) =>
    store.update((state) => ({ ...state, panels: { ...state.panels, ...change } }));

  const request: Connection['request'] = (body) => connection.request(body);

  /** Performs an action outside a form. If it fails, the channel shows the reason. */
  async function act(body: PageRequest) {
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
    actAs: (name: string) => reconnectAs(name),
    /** `id`: of another workspace. The page acts as its first owner. */
    goToTeam: (id: string) => {
      team = id;
      reconnectAs(null);
    },
    goTo: (channel: string, tab: 'messages' | 'home' = 'messages') => {
      store.update((state) => changeRoute(state, channel, tab));
      reportOpenedTab();
      const { thread } = store.get().panels;
      if (thread) void request({ act: 'chat-context', ts: thread.ts, channel });
    },
    show,
  };
}

function buildLiveUrl(liveUrl: string, person: string | null, team: string | null) {
  const query = new URLSearchParams();
  if (person !== null) query.set('person', person);
  if (team !== null) query.set('team', team);
  return `${liveUrl}?${query}`;
}

function receive(store: Store<PageState>, message: ServerMessage) {
  store.update((state) => applyServerMessage(state, message));
  const now = 'now' in message ? message.now : undefined;
  if (now !== undefined) store.update((state) => setClock(state, now));
  if (message.type === 'notice') store.update((state) => addNotice(state, message.text, message.channel));
}

/** `now` is the workspace's clock, ms. */
function setClock(state: PageState, now: number): PageState {
  const offsetMs = now - Date.now();
  return { ...state, clockOffsetMs: Math.abs(offsetMs) < MIN_CLOCK_OFFSET_MS ? 0 : offsetMs };
}

/** Smaller differences come from the time that a message takes to arrive. */
const MIN_CLOCK_OFFSET_MS = 10_000;

/** Screens up to this width are narrow. narrow.css uses the same width. */
const NARROW_SCREEN = matchMedia('(max-width: 1000px)');

/** Clears the state of the current person before the page acts as another. */
function clearPerson(state: PageState): PageState {
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

function changeRoute(state: PageState, channel: string, tab: 'messages' | 'home'): PageState {
  const { thread } = state.panels;
  // A chat stays open beside another channel if the screen is wide enough.
  const isChat = state.workspace?.chats?.some(({ ts }) => ts === thread?.ts) && !NARROW_SCREEN.matches;
  const panels = { ...state.panels, sidebar: false, thread: isChat ? thread : undefined };
  return markRead({ ...state, route: { channel, tab }, panels });
}
