import { beforeEach, expect, test } from 'vitest';
import type { Shown } from '../history.ts';
import { createSlack, type SlackRequest } from './slack.ts';

const SCOPES = ['chat:write', 'im:write', 'im:history', 'users:read', 'channels:read'];
const MODAL = {
  type: 'modal',
  title: { type: 'plain_text', text: 'Form' },
  submit: { type: 'plain_text', text: 'Save' },
  notify_on_close: true,
  blocks: [
    {
      type: 'input',
      block_id: 'text',
      label: { type: 'plain_text', text: 'Text' },
      element: { type: 'plain_text_input', action_id: 'value', initial_value: 'first' },
    },
  ],
};
const buttonNamed = (text: string) => [
  {
    type: 'actions',
    block_id: 'buttons',
    elements: [{ type: 'button', action_id: 'stop', value: text, text: { type: 'plain_text', text } }],
  },
];

let time = 0;
let shown: Shown[] = [];
let slack: ReturnType<typeof createSlack>;
let tokens: Record<string, string> = {};

beforeEach(() => {
  time = Date.UTC(2026, 0, 5);
  shown = [];
  tokens = {};
  let count = 0;
  slack = createSlack({
    now: () => time,
    createId: (prefix) => {
      count += 1;
      return `${prefix}${String(count).padStart(8, '0')}`;
    },
    onShown: (entry) => shown.push(entry),
  });
  for (const id of ['T1', 'T2']) {
    slack.addWorkspace({
      id,
      name: id,
      people: [{ id: `U${id}ANA`, name: 'Ana', timeZone: 'Europe/Paris' }],
      channels: [{ id: `C${id}`, name: 'general', members: [`U${id}ANA`], botIsMember: true }],
    });
    tokens[id] = String(slack.install(id, `U${id}ANA`, SCOPES).access_token);
  }
});

function call(workspace: string, method: string, args: object) {
  const texts = Object.entries(args).map(([name, value]) => [
    name,
    typeof value === 'string' ? value : JSON.stringify(value),
  ]);
  const { body } = slack.handle({
    url: `https://slack.com/api/${method}`,
    authorization: `Bearer ${tokens[workspace]}`,
    contentType: 'application/x-www-form-urlencoded',
    body: new URLSearchParams(Object.fromEntries(texts)).toString(),
  });
  return JSON.parse(body);
}

function readFields(request: SlackRequest | undefined) {
  const fields = Object.fromEntries(new URLSearchParams(request?.body));
  return fields.payload === undefined ? fields : JSON.parse(fields.payload);
}

const runCommand = () => readFields(slack.typeCommand('T1', 'UT1ANA', 'CT1', '/upnext', 'a & b'));
const openForm = () => call('T1', 'views.open', { trigger_id: runCommand().trigger_id, view: MODAL }).view;

test('a token works in its own workspace only, and until the app is uninstalled', () => {
  const view = openForm();
  expect(call('T2', 'chat.postMessage', { channel: 'CT1', text: 'x' }).error).toBe('channel_not_found');
  expect(call('T2', 'chat.postMessage', { channel: 'UT1ANA', text: 'x' }).error).toBe('channel_not_found');
  expect(call('T2', 'users.info', { user: 'UT1ANA' }).error).toBe('user_not_found');
  expect(call('T2', 'views.update', { view_id: view.id, view: MODAL }).error).toBe('not_found');
  expect(call('T2', 'views.open', { trigger_id: runCommand().trigger_id, view: MODAL }).error).toBe(
    'invalid_trigger_id',
  );
  expect(call('T1', 'emoji.list', {}).error).toBe('missing_scope');
  expect(slack.uninstall('T1')).toHaveLength(2);
  expect(call('T1', 'chat.postMessage', { channel: 'CT1', text: 'x' }).error).toBe('account_inactive');
  expect(call('T2', 'chat.postMessage', { channel: 'CT2', text: 'x' }).ok).toBe(true);
});

test('Slack takes messages to a deactivated account, but opens no conversation with it', () => {
  slack.setActive('T1', 'UT1ANA', false);
  expect(call('T1', 'chat.postMessage', { channel: 'UT1ANA', text: 'x' }).ok).toBe(true);
  expect(call('T1', 'conversations.open', { users: 'UT1ANA' }).error).toBe('user_disabled');
});

test('a trigger works once, within three seconds', () => {
  const { trigger_id, text } = runCommand();
  expect(text).toBe('a &amp; b');
  expect(call('T1', 'views.open', { trigger_id, view: MODAL }).ok).toBe(true);
  expect(call('T1', 'views.open', { trigger_id, view: MODAL }).error).toBe('exchanged_trigger_id');
  const late = runCommand();
  time += 3_001;
  expect(call('T1', 'views.open', { trigger_id: late.trigger_id, view: MODAL }).error).toBe(
    'expired_trigger_id',
  );
});

test('an update of a form keeps what was typed, and refuses an old hash', () => {
  const { id, hash } = openForm();
  expect(shown).toHaveLength(1);
  slack.fill(id, 'text', 'value', 'typed');
  expect(call('T1', 'views.update', { view_id: id, hash, view: MODAL }).ok).toBe(true);
  expect(shown).toHaveLength(1);
  expect(call('T1', 'views.update', { view_id: id, hash, view: MODAL }).error).toBe('hash_conflict');
  const request = slack.submit('T1', 'UT1ANA', id);
  expect(readFields(request).view.state.values.text.value.value).toBe('typed');
  expect(slack.submit('T1', 'UT1ANA', id)).toBeUndefined();
  const errors = { response_action: 'errors', errors: { text: 'Too short' } };
  request?.onResponse({ status: 200, body: JSON.stringify(errors) });
  expect(shown.at(-1)).toMatchObject({ surface: 'errors', text: 'Too short' });
  expect(readFields(slack.close('T1', 'UT1ANA', id)[0]).view.state.values).toEqual({});
  expect(call('T1', 'views.update', { view_id: id, view: MODAL }).error).toBe('not_found');
});

test('an earlier version of a message can still be pressed', () => {
  const { ts } = call('T1', 'chat.postMessage', { channel: 'CT1', text: 'x', blocks: buttonNamed('Stop') });
  const update = { channel: 'CT1', ts, text: 'x', blocks: buttonNamed('Resume') };
  call('T1', 'chat.update', update);
  call('T1', 'chat.update', update);
  expect(shown.map(({ text }) => text)).toEqual(['[Stop]', '[Resume]']);
  const press = { blockId: 'buttons', actionId: 'stop' };
  const message = { kind: 'message', channel: 'CT1', ts } as const;
  const old = readFields(slack.press('T1', 'UT1ANA', { ...message, version: 0 }, press));
  expect(old.actions[0].value).toBe('Stop');
  expect(readFields(slack.press('T1', 'UT1ANA', message, press)).actions[0].value).toBe('Resume');
  expect(slack.listVisible('T1', 'UT1ANA').messages[0]?.versions).toHaveLength(3);
});

test('a response_url works five times, for half an hour', () => {
  const respond = (url: string) =>
    slack.handle({
      url,
      authorization: undefined,
      contentType: 'application/json',
      body: JSON.stringify({ text: 'Done', response_type: 'ephemeral' }),
    }).status;
  const { response_url: url } = runCommand();
  expect(Array.from({ length: 6 }, () => respond(url))).toEqual([200, 200, 200, 200, 200, 404]);
  const { response_url: late } = runCommand();
  time += 31 * 60_000;
  expect(respond(late)).toBe(404);
  expect(call('T1', 'chat.update', { channel: 'CT1', ts: '1.2', text: 'x' }).error).toBe('message_not_found');
});

test('Slack’s limits apply', () => {
  const long = { ...MODAL, title: { type: 'plain_text', text: 'x'.repeat(25) } };
  expect(call('T1', 'views.open', { trigger_id: runCommand().trigger_id, view: long }).error).toBe(
    'invalid_arguments',
  );
  const blocks = Array.from({ length: 51 }, () => ({ type: 'divider' }));
  expect(call('T1', 'chat.postMessage', { channel: 'CT1', text: 'x', blocks }).error).toBe('invalid_blocks');
});
