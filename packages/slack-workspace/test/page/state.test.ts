import { describe, expect, test } from 'vitest';
import { createFormActions } from '../../src/page/form-actions.ts';
import { isContinuation } from '../../src/page/message-list.ts';
import { applyServerMessage, changeForm, findUnread, initialState } from '../../src/page/state.ts';
import { createStore } from '../../src/page/store.ts';
import type { Message, OpenView, Person, ServerMessage } from '../../src/protocol.ts';

const ana: Person = {
  id: 'U1',
  name: 'ana',
  realName: 'Ana',
  tz: 'Europe/Lisbon',
  locale: 'en-GB',
  role: 'owner',
  isBot: false,
  color: '#b4552d',
};
const createChannel = (id: string) => ({ id, name: id, kind: 'public' as const, topic: '', members: ['U1'] });
const createMessage = (ts: string, at = 'C1'): Message => ({ ts, channel: at, user: 'U2', text: ts });
const snapshot: ServerMessage = {
  type: 'snapshot',
  team: { id: 'T', name: 'Team' },
  me: ana,
  apps: [{ name: 'App', description: '', botUserId: 'B', connected: true, hasHome: true }],
  people: [ana],
  channels: [createChannel('C1'), createChannel('C2')],
  commands: [],
  shortcuts: [],
  messages: { C1: [createMessage('1.0')] },
  maxRecords: 2,
  views: [],
};
const applyMessages = (...messages: ServerMessage[]) => messages.reduce(applyServerMessage, initialState);

const createTextInput = (blockId: string, initial?: string) => ({
  type: 'input',
  block_id: blockId,
  label: { type: 'plain_text', text: blockId },
  element: {
    type: 'plain_text_input',
    action_id: 'a',
    ...(initial === undefined ? {} : { initial_value: initial }),
  },
});
const createView = (hash: string, blocks: unknown[], fields: Partial<OpenView> = {}): OpenView => ({
  id: 'V1',
  hash,
  view: { type: 'modal', blocks },
  errors: {},
  ...fields,
});
const showViews = (...views: OpenView[]): ServerMessage => ({ type: 'views', views });
const readValue = (state: ReturnType<typeof applyMessages>, blockId: string) =>
  state.forms.V1?.values[blockId]?.a?.value;

describe('the text in a modal', () => {
  const openState = applyMessages(snapshot, showViews(createView('1', [createTextInput('one', 'begun')])));
  const typedState = changeForm(openState, 'V1', {
    values: { one: { a: { type: 'plain_text_input', value: 'typed' } } },
  });

  test('a field begins with its initial value', () => {
    expect(readValue(openState, 'one')).toBe('begun');
  });

  test('an update keeps the text while block and action stay the same, whatever the new initial value is', () => {
    const nextState = applyServerMessage(
      typedState,
      showViews(createView('2', [createTextInput('one', 'other'), createTextInput('two', 'new')])),
    );
    expect(readValue(nextState, 'one')).toBe('typed');
    expect(readValue(nextState, 'two')).toBe('new');
  });

  test('an update removes the text if the block has another id', () => {
    const nextState = applyServerMessage(
      typedState,
      showViews(createView('2', [createTextInput('uno', 'fresh')])),
    );
    expect(nextState.forms.V1?.values).toEqual({ uno: { a: { type: 'plain_text_input', value: 'fresh' } } });
  });
});

describe('the phase of a modal', () => {
  const blocks = [createTextInput('one')];
  const openState = applyMessages(snapshot, showViews(createView('1', blocks)));

  test('an update before the answer does not end the waiting phase', () => {
    const waitingState = changeForm(openState, 'V1', { phase: 'waiting' });
    expect(applyServerMessage(waitingState, showViews(createView('2', blocks))).forms.V1?.phase).toBe(
      'waiting',
    );
  });

  test('an update by the app ends the failed phase', () => {
    const failedState = changeForm(openState, 'V1', { phase: 'failed' });
    expect(applyServerMessage(failedState, showViews(createView('1', blocks))).forms.V1?.phase).toBe(
      'failed',
    );
    expect(applyServerMessage(failedState, showViews(createView('2', blocks))).forms.V1?.phase).toBe('ready');
  });
});

test('an update by the app removes the errors', () => {
  const blocks = [createTextInput('one')];
  const stateWithErrors = applyMessages(
    snapshot,
    showViews(createView('1', blocks, { errors: { one: 'No.' } })),
  );
  expect(applyServerMessage(stateWithErrors, showViews(createView('2', blocks))).forms.V1?.errors).toEqual(
    {},
  );
});

test('a modal that the workspace closed while the connection was lost stays visible as expired', () => {
  const openState = applyMessages(snapshot, showViews(createView('1', [createTextInput('one', 'typed')])));
  const restoredState = applyServerMessage({ ...openState, connection: 'lost' }, snapshot);
  expect(restoredState.workspace?.views.map(({ id }) => id)).toEqual(['V1']);
  expect(restoredState.forms.V1?.phase).toBe('expired');
  expect(readValue(restoredState, 'one')).toBe('typed');
  expect(applyServerMessage(openState, snapshot).workspace?.views).toEqual([]);
});

const READ = { isUnread: false, count: 0 };
const BOLD = { isUnread: true, count: 0 };

describe('messages', () => {
  test('a message is unread only in a channel that isn’t open', () => {
    const state = applyMessages(
      snapshot,
      { type: 'message', message: createMessage('2.0') },
      { type: 'message', message: createMessage('2.1', 'C2') },
    );
    expect([findUnread(state, 'C1'), findUnread(state, 'C2')]).toEqual([READ, BOLD]);
  });

  test.each([
    ['a mention', { text: `Hello <@${ana.id}>` }, { isUnread: true, count: 1 }],
    ['a mention of everybody', { text: 'Hello <!channel>' }, { isUnread: true, count: 1 }],
    ['a reply in a thread', { threadTs: '1.0' }, READ],
    ['a mention in a thread', { threadTs: '1.0', text: `<@${ana.id}>` }, { isUnread: false, count: 1 }],
    ['an ephemeral message', { ephemeralTo: ana.id }, READ],
  ])('%s is counted as in Slack', (_, about, unread) => {
    const message = { ...createMessage('2.1', 'C2'), ...about };
    expect(findUnread(applyMessages(snapshot, { type: 'message', message }), 'C2')).toEqual(unread);
  });

  test('all messages of a direct message are counted', () => {
    const channel = { id: 'D1', kind: 'im' as const, name: '', topic: '', members: [ana.id, 'U9'] };
    const withDirect = { ...snapshot, channels: [...snapshot.channels, channel] };
    const messages = ['2.1', '2.2'].map((ts) => ({
      type: 'message' as const,
      message: createMessage(ts, 'D1'),
    }));
    expect(findUnread(applyMessages(withDirect, ...messages), 'D1')).toEqual({ isUnread: true, count: 2 });
  });

  test('ephemeral messages outlast a reconnection, and no other snapshot', () => {
    const message = { ...createMessage('2.0'), ephemeralTo: ana.id };
    const state = applyMessages(snapshot, { type: 'message', message });
    const list = (before: typeof state) =>
      applyServerMessage(before, snapshot).workspace?.messages.C1?.map(({ ts }) => ts);
    expect(list({ ...state, connection: 'lost' })).toContain('2.0');
    expect(list(state)).not.toContain('2.0');
  });

  test('a message stays unread while the page shows another person', () => {
    const ben = { ...snapshot, me: { ...ana, id: 'U3', name: 'ben' } };
    const bothChannels = { C1: [createMessage('1.0')], C2: [createMessage('2.1', 'C2')] };
    const state = applyMessages(
      snapshot,
      { type: 'message', message: createMessage('2.1', 'C2') },
      { ...ben, messages: bothChannels },
    );
    expect(findUnread(state, 'C2')).toEqual(BOLD);
    const anaState = applyServerMessage(state, { ...snapshot, messages: bothChannels });
    expect(findUnread(anaState, 'C2')).toEqual(BOLD);
  });

  test('a message of the app is unread while its Home tab is open', () => {
    const homeState = { ...applyMessages(snapshot), route: { channel: 'C2', tab: 'home' as const } };
    expect(
      findUnread(
        applyServerMessage(homeState, { type: 'message', message: createMessage('2.1', 'C2') }),
        'C2',
      ),
    ).toEqual(BOLD);
  });
});

describe('messages by one author are grouped', () => {
  const first = createMessage('1000.0');
  test.each<[string, boolean, Partial<Message>]>([
    ['within five minutes', true, { ts: '1299.9' }],
    ['but not after five minutes', false, { ts: '1300.0' }],
    ['but not with messages by others', false, { user: 'U3' }],
    ['but not with messages of another kind', false, { subtype: 'bot_message' }],
    ['but not with messages under another name', false, { username: 'Barista' }],
    ['but not with messages that only one person sees', false, { ephemeralTo: 'U1' }],
  ])('%s', (_, isGrouped, changes) => {
    expect(isContinuation(first, { ...createMessage('1001.0'), ...changes })).toBe(isGrouped);
  });
});

/** An open modal, with a server that answers every request with `error`. */
function openModal(error: string) {
  const form = { values: {}, errors: {}, phase: 'ready' as const };
  const store = createStore<ReturnType<typeof applyServerMessage>>({ ...initialState, forms: { V1: form } });
  const actions = createFormActions(store, async () => ({ ok: false, error }));
  const readPhase = () => store.get().forms.V1?.phase;
  const press = () => actions.press({ type: 'view', viewId: 'V1' }, 'when', 'a', { type: 'button' }, []);
  return { readPhase, press };
}

test('a button press in a modal that the app has replaced meanwhile leaves the modal unchanged', async () => {
  const { readPhase, press } = openModal('element_not_found');
  await press();
  expect(readPhase()).toBe('ready');
});

test('a button press in a closed modal shows that the modal has expired', async () => {
  const { readPhase, press } = openModal('not_found');
  await press();
  expect(readPhase()).toBe('expired');
});
