import { describe, expect, test } from 'vitest';
import { countUnread } from '../../../src/emulators/slack/page/messages-state.js';
import { afterServer, initialState, withForm } from '../../../src/emulators/slack/page/state.js';
import type {
  Message,
  OpenView,
  Person,
  RequestRecord,
  ServerMessage,
} from '../../../src/emulators/slack/protocol.ts';

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
const channel = (id: string) => ({ id, name: id, kind: 'public' as const, topic: '', members: ['U1'] });
const message = (ts: string, at = 'C1'): Message => ({ ts, channel: at, user: 'U2', text: ts });
const snapshot: ServerMessage = {
  type: 'snapshot',
  team: { id: 'T', name: 'Team' },
  me: ana,
  app: { name: 'App', description: '', botUserId: 'B', connected: true },
  people: [ana],
  channels: [channel('C1'), channel('C2')],
  commands: [],
  shortcuts: [],
  messages: { C1: [message('1.0')] },
  views: [],
};
const told = (...said: ServerMessage[]) => said.reduce(afterServer, initialState);

const textInput = (blockId: string, initial?: string) => ({
  type: 'input',
  block_id: blockId,
  label: { type: 'plain_text', text: blockId },
  element: {
    type: 'plain_text_input',
    action_id: 'a',
    ...(initial === undefined ? {} : { initial_value: initial }),
  },
});
const view = (hash: string, blocks: unknown[], more: Partial<OpenView> = {}): OpenView => ({
  id: 'V1',
  hash,
  view: { type: 'modal', blocks },
  errors: {},
  ...more,
});
const valueIn = (state: ReturnType<typeof told>, blockId: string) =>
  state.forms.V1?.values[blockId]?.a?.value;

describe('what was typed in a modal', () => {
  const opened = told(snapshot, { type: 'views', views: [view('1', [textInput('one', 'begun')])] });
  const typed = withForm(opened, 'V1', {
    values: { one: { a: { type: 'plain_text_input', value: 'typed' } } },
  });

  test('begins with the initial value', () => {
    expect(valueIn(opened, 'one')).toBe('begun');
  });

  test('stays over an update where block and action stay, whatever the new initial value is', () => {
    const next = afterServer(typed, {
      type: 'views',
      views: [view('2', [textInput('one', 'other'), textInput('two', 'new')])],
    });
    expect(valueIn(next, 'one')).toBe('typed');
    expect(valueIn(next, 'two')).toBe('new');
  });

  test('is gone where the block has another id', () => {
    const next = afterServer(typed, { type: 'views', views: [view('2', [textInput('uno', 'fresh')])] });
    expect(next.forms.V1?.values).toEqual({ uno: { a: { type: 'plain_text_input', value: 'fresh' } } });
  });

  test('stays when the connection was lost and a snapshot comes', () => {
    const next = afterServer(typed, { ...snapshot, views: [view('1', [textInput('one', 'begun')])] });
    expect(valueIn(next, 'one')).toBe('typed');
  });

  test('goes with its modal', () => {
    expect(afterServer(typed, { type: 'views', views: [] }).forms).toEqual({});
  });
});

describe('the phase of a modal', () => {
  const blocks = [textInput('one')];
  const opened = told(snapshot, { type: 'views', views: [view('1', blocks)] });

  test('waiting is not ended by an update that comes before the answer', () => {
    const waiting = withForm(opened, 'V1', { phase: 'waiting' });
    expect(afterServer(waiting, { type: 'views', views: [view('2', blocks)] }).forms.V1?.phase).toBe(
      'waiting',
    );
  });

  test('a failure is forgotten when the app shows something new', () => {
    const failed = withForm(opened, 'V1', { phase: 'failed' });
    expect(afterServer(failed, { type: 'views', views: [view('1', blocks)] }).forms.V1?.phase).toBe('failed');
    expect(afterServer(failed, { type: 'views', views: [view('2', blocks)] }).forms.V1?.phase).toBe('ready');
  });

  test('errors come from the server', () => {
    const next = afterServer(opened, {
      type: 'views',
      views: [view('1', blocks, { errors: { one: 'No.' } })],
    });
    expect(next.forms.V1?.errors).toEqual({ one: 'No.' });
  });
});

test('errors are gone once the app has updated the modal', () => {
  const blocks = [textInput('one')];
  const wrong = told(snapshot, {
    type: 'views',
    views: [view('1', blocks, { errors: { one: 'No.' } })],
  });
  expect(afterServer(wrong, { type: 'views', views: [view('2', blocks)] }).forms.V1?.errors).toEqual({});
});

test('a modal that the workspace forgot while the connection was lost stays in sight, expired', () => {
  const opened = told(snapshot, { type: 'views', views: [view('1', [textInput('one', 'typed')])] });
  const back = afterServer({ ...opened, connection: 'lost' }, snapshot);
  expect(back.world?.views.map(({ id }) => id)).toEqual(['V1']);
  expect(back.forms.V1?.phase).toBe('expired');
  expect(valueIn(back, 'one')).toBe('typed');
  expect(afterServer(opened, snapshot).world?.views).toEqual([]);
});

describe('messages', () => {
  test('a new one is added, a changed one replaced, a deleted one gone', () => {
    const state = told(
      snapshot,
      { type: 'message', message: message('2.0') },
      { type: 'message_changed', message: { ...message('1.0'), text: 'changed', edited: true } },
      { type: 'message_deleted', channel: 'C1', ts: '2.0' },
    );
    expect(state.world?.messages.C1?.map(({ text }) => text)).toEqual(['changed']);
  });

  test('count as unread only where the person is not', () => {
    const state = told(
      snapshot,
      { type: 'message', message: message('2.0') },
      { type: 'message', message: message('2.1', 'C2') },
    );
    expect([countUnread(state, 'C1'), countUnread(state, 'C2')]).toEqual([0, 1]);
  });

  test('stay unread for a person while the page shows another', () => {
    const ben = { ...snapshot, me: { ...ana, id: 'U3', name: 'ben' } };
    const both = { C1: [message('1.0')], C2: [message('2.1', 'C2')] };
    const state = told(
      snapshot,
      { type: 'message', message: message('2.1', 'C2') },
      { ...ben, messages: both },
    );
    expect(countUnread(state, 'C2')).toBe(1);
    const again = afterServer(state, { ...snapshot, messages: both });
    expect(countUnread(again, 'C2')).toBe(1);
  });

  test('of the app are unread while its Home tab is open', () => {
    const home = { ...told(snapshot), place: { channel: 'C2', tab: 'home' as const } };
    expect(countUnread(afterServer(home, { type: 'message', message: message('2.1', 'C2') }), 'C2')).toBe(1);
  });
});

test('a request is one record, however often the server tells of it', () => {
  const record: RequestRecord = {
    id: 'r',
    at: 0,
    kind: 'slash_commands',
    label: '/x',
    payload: {},
    outcome: 'waiting',
  };
  const state = told(
    snapshot,
    { type: 'request', request: record },
    { type: 'request', request: { ...record, ackMs: 12, outcome: 'acknowledged' } },
  );
  expect(state.requests).toEqual([{ ...record, ackMs: 12, outcome: 'acknowledged' }]);
});

test('the first channel is open at first, and the chosen one stays over a reconnection', () => {
  expect(told(snapshot).place.channel).toBe('C1');
  const elsewhere = { ...told(snapshot), place: { channel: 'C2', tab: 'messages' as const } };
  expect(afterServer(elsewhere, snapshot).place.channel).toBe('C2');
});
