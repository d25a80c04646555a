import { readSlackReference } from 'slack-workspace-emulator/test-support/slack-reference';
import { beforeAll, describe, expect, test } from 'vitest';
import { COMMAND, type SignedResponse, sendSigned } from '../../support/send-signed.ts';
import { setUpBot } from '../../support/set-up-bot.ts';
import { ask } from '../../support/steps.ts';

type Payload = Record<string, unknown>;

const team = { id: 'T01HARBOUR', domain: 'harbour' };
const user = { id: 'U01ANAFERR', username: 'ana', team_id: team.id };
const actor = { team, user, api_app_id: 'A01UPNEXTA', token: 'unused' };
const view = {
  id: 'V1',
  type: 'modal',
  hash: '1.a',
  callback_id: 'unknown',
  private_metadata: 'x',
  blocks: [],
};
const PRESSED_ACTIONS = [{ type: 'button', action_id: 'unknown', block_id: 'b', value: '1' }];

function createEvent(fields: Payload): Payload {
  return {
    type: 'event_callback',
    team_id: team.id,
    api_app_id: 'A01UPNEXTA',
    event_id: `Ev${JSON.stringify(fields).length}${String(fields.type)}`,
    event_time: 1_790_000_000,
    event: { event_ts: '1.1', ...fields },
  };
}

const messageFields = { channel: 'C01GENERAL', user: user.id, ts: '1.1', text: 'next' };

/** A minimal example of every kind of payload that Slack has sent over the years. */
const EXAMPLES: readonly [string, Payload][] = [
  ['a command', COMMAND],
  ['a renamed command', { ...COMMAND, command: '/other', text: '' }],
  [
    'a press without a handler',
    { type: 'block_actions', ...actor, actions: PRESSED_ACTIONS, trigger_id: '1.2.a' },
  ],
  ['a press without actions', { type: 'block_actions', ...actor, actions: [] }],
  [
    'a press in Home',
    { type: 'block_actions', ...actor, actions: PRESSED_ACTIONS, view: { ...view, type: 'home' } },
  ],
  [
    'a press of a button in an old attachment',
    { type: 'interactive_message', ...actor, callback_id: 'c', actions: [{ name: 'n', type: 'button' }] },
  ],
  ['a form without a handler', { type: 'view_submission', ...actor, view }],
  ['a form of unknown shape', { type: 'view_submission', ...actor, view: { id: 7 } }],
  ['a form that was closed', { type: 'view_closed', ...actor, view, is_cleared: false }],
  [
    'a search without a handler',
    { type: 'block_suggestion', ...actor, action_id: 'unknown', block_id: 'b', value: 'a' },
  ],
  ['a search of unknown shape', { type: 'block_suggestion', ...actor, value: 'a' }],
  [
    'a search in an old dialog',
    { type: 'dialog_suggestion', ...actor, name: 'n', value: 'a', callback_id: 'c' },
  ],
  ['an old dialog', { type: 'dialog_submission', ...actor, callback_id: 'c', submission: {} }],
  ['an old dialog that was closed', { type: 'dialog_cancellation', ...actor, callback_id: 'c' }],
  [
    'a shortcut without a handler',
    { type: 'shortcut', ...actor, callback_id: 'unknown', trigger_id: '1.2.a' },
  ],
  [
    'a shortcut without a team',
    { type: 'shortcut', ...actor, team: null, callback_id: 'unknown', trigger_id: '1.2.a' },
  ],
  [
    'a message shortcut without a handler',
    {
      type: 'message_action',
      ...actor,
      callback_id: 'unknown',
      trigger_id: '1.2.a',
      channel: { id: 'C01GENERAL' },
      message: { type: 'message', ts: '1.1' },
    },
  ],
  [
    'a step of an old workflow',
    { type: 'workflow_step_edit', ...actor, callback_id: 'c', trigger_id: '1.2.a', workflow_step: {} },
  ],
  ['a future kind', { type: 'something_new', ...actor }],
  ['a kind that isn’t text', { type: { toString: 'block_actions' }, ...actor }],
  ['a payload without a kind', { ...actor }],
  [
    'Slack’s verification of the address',
    { type: 'url_verification', challenge: 'say this', token: 'unused' },
  ],
  ['a mention', createEvent({ type: 'app_mention', ...messageFields })],
  [
    'a mention of an unknown person',
    createEvent({ type: 'app_mention', ...messageFields, user: 'U0NOBODY', text: '<@U0NOBODY> <@' }),
  ],
  [
    'a direct message',
    createEvent({ type: 'message', channel_type: 'im', ...messageFields, channel: 'D0NOWHERE' }),
  ],
  [
    'a message of a bot',
    createEvent({ type: 'message', channel_type: 'im', ...messageFields, bot_id: 'B1' }),
  ],
  [
    'a message that was changed',
    createEvent({ type: 'message', subtype: 'message_changed', hidden: true, channel: 'C1', message: {} }),
  ],
  ['Home opened', createEvent({ type: 'app_home_opened', user: user.id, channel: 'D1', tab: 'home' })],
  [
    'the messages opened',
    createEvent({ type: 'app_home_opened', user: user.id, channel: 'D1', tab: 'messages' }),
  ],
  [
    'a person who joined a channel',
    createEvent({ type: 'member_joined_channel', user: user.id, channel: 'C1', team: team.id }),
  ],
  ['a changed profile', createEvent({ type: 'user_change', user: { id: user.id } })],
  ['an uninstallation', createEvent({ type: 'app_uninstalled' })],
  [
    'an event without a team',
    { ...createEvent({ type: 'team_access_granted', team_ids: ['T1'] }), team_id: undefined },
  ],
  [
    'a function',
    createEvent({
      type: 'function_executed',
      function: { id: 'Fn1', callback_id: 'c' },
      inputs: {},
      function_execution_id: 'Fx1',
      bot_access_token: 'xwfp-1',
    }),
  ],
  ['an event of unknown shape', { ...createEvent({}), event: { type: 7 } }],
];

const WRONG_VALUES = [null, 'text', 7, [null], {}];

/** Lists the fields of a payload and of the objects in it, except `type`, which decides its kind. */
function listFieldPaths(payload: Payload): [string, string?][] {
  return Object.entries(payload)
    .filter(([name]) => name !== 'type')
    .flatMap(([name, value]): [string, string?][] => {
      const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
      return [
        [name],
        ...(isObject ? Object.keys(value).map((inner): [string, string] => [name, inner]) : []),
      ];
    });
}

function replaceField(payload: Payload, [name, inner]: [string, string?], value: unknown): Payload {
  return { ...payload, [name]: inner === undefined ? value : { ...Object(payload[name]), [inner]: value } };
}

/** Payloads recorded from Slack by other projects. */
const recordedPayloads = (readSlackReference('bolt-python.json') ?? []) as {
  src: string;
  payload: Payload;
}[];
console.log(
  recordedPayloads.length > 0
    ? `payloads: ${recordedPayloads.length} recorded payloads are also replayed`
    : 'payloads: only our own examples are sent, because SLACK_FACTS names no recorded payloads',
);

const { running, startBot } = setUpBot();
let nonce = 0;

beforeAll(() => startBot({ mode: 'http' }));

async function replay(payload: Payload): Promise<SignedResponse> {
  const { workspace, url = '' } = running;
  // Slack's address is replaced by the emulator's.
  const localPayload = JSON.stringify(payload).replaceAll(
    'https://hooks.slack.com',
    new URL(workspace.apiUrl).origin,
  );
  nonce += 1;
  const uniquePayload = JSON.parse(localPayload) as Payload;
  // A second event with the same id would count as a retry.
  if (typeof uniquePayload.event_id === 'string') uniquePayload.event_id += nonce;
  return sendSigned({ url, signingSecret: workspace.signingSecret }, uniquePayload, nonce);
}

/** Returns the acknowledgement that the kind of the payload needs. */
function getExpectedResponse(payload: Payload): unknown {
  const { type } = payload;
  if (type === 'url_verification') return { challenge: payload.challenge };
  if (typeof type === 'string' && type.endsWith('_suggestion')) return { options: expect.any(Array) };
  // An empty acknowledgement would close the form and lose its content.
  if (type === 'view_submission') return { response_action: 'push', view: expect.any(Object) };
  return type === undefined && payload.command !== undefined ? expect.anything() : undefined;
}

async function expectAnswered(payload: Payload): Promise<void> {
  const { status, body: response, ms } = await replay(payload);
  expect(status).toBe(200);
  expect(ms).toBeLessThan(3_000);
  if (getExpectedResponse(payload) !== undefined) expect(response).toEqual(getExpectedResponse(payload));
}

describe('the acknowledgement of a payload', () => {
  test.each(EXAMPLES)('%s is acknowledged', (_name, payload) => expectAnswered(payload));

  test.each(recordedPayloads.map(({ src, payload }) => [src, payload] as const))(
    'the payload recorded in %s is acknowledged',
    (_src, payload) => expectAnswered(payload),
  );

  const interactive = EXAMPLES.filter(([, payload]) => payload.command === undefined);
  test.each(interactive)(
    '%s is acknowledged if any of its fields is null or of another type',
    async (_name, payload) => {
      const paths = listFieldPaths(payload);
      expect(paths).not.toEqual([]);
      for (const path of paths)
        for (const wrongValue of WRONG_VALUES) await expectAnswered(replaceField(payload, path, wrongValue));
    },
  );

  test('the bot still answers after all these payloads', async () => {
    const ana = running.workspace.as('Ana').in('#general');
    await ask(ana, '/upnext help', 'Common commands');
  });
});
