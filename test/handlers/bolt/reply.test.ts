import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { WebClient } from '@slack/web-api';
import { SILENT } from 'slack-workspace-emulator/test-support/workspace';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createRouter } from '../../../src/handlers/bolt/bolt.ts';
import type { AppContext } from '../../../src/handlers/call.ts';
import type { Feature } from '../../../src/handlers/feature.ts';
import { PACE } from '../../../src/submissions/pace.ts';
import { listenOnFreePort } from '../../support/listening-port.ts';

/** The recorded calls of the Slack API. */
let calls: Record<string, string>[] = [];
/** The errors of the methods that Slack refuses. */
let refusedMethods: Record<string, string> = {};
let client: WebClient;

const server = createServer((request, response) => void handleRequest(request, response));
async function handleRequest(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const method = request.url?.split('/').at(-1) ?? '';
  calls.push({ method, ...Object.fromEntries(new URLSearchParams(await text(request))) });
  const error = refusedMethods[method];
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify(error === undefined ? { ok: true } : { ok: false, error }));
}

const feature: Feature = {
  name: 'echo',
  commands: [
    {
      name: 'say',
      aliases: [],
      summary: 'Repeats a text',
      usage: '',
      examples: { '/upnext say': 'Say something.' },
      deed: 'use `/upnext say`',
      run: (call) => call.reply({ text: `You said: ${call.text}` }),
    },
    {
      name: 'arrival',
      aliases: [],
      summary: 'Says when the request arrived',
      usage: '',
      examples: { '/upnext arrival': 'Say when.' },
      deed: 'use `/upnext arrival`',
      run: (call) => call.reply({ text: `Arrived at ${call.receivedAt}` }),
    },
  ],
  role: 'viewer',
};
const router = createRouter({
  context: { pace: PACE } as AppContext,
  features: [feature],
  catalogue: [feature],
  defaultFeature: 'echo',
  log: SILENT,
  now: () => new Date(),
  permit: async (call) => call,
  helpCommand: { feature: 'echo', command: 'say' },
  fallbackReplies: { offerSuggestion: async () => {}, offerFormButton: async () => {} },
  isFirstDelivery: async () => true,
});

beforeAll(async () => {
  const slackApiUrl = `http://127.0.0.1:${await listenOnFreePort(server)}/api/`;
  client = new WebClient('xoxb-test', { slackApiUrl, logger: SILENT, retryConfig: { retries: 0 } });
});
beforeEach(() => {
  calls = [];
  refusedMethods = {};
});
afterAll(async () => {
  server.close();
  server.closeAllConnections();
  await once(server, 'close');
});

const MENTION = { type: 'app_mention', user: 'U1', channel: 'C1', ts: '9.9', text: '<@UBOT> say hello' };
const DIRECT = { ...MENTION, type: 'message', channel_type: 'im', channel: 'D1', text: 'say hello' };

async function receiveEvent(
  event: Record<string, unknown>,
  arrivedAt = performance.now(),
): Promise<Record<string, string>[]> {
  const body = { type: 'event_callback', event_id: 'Ev1', team_id: 'T1', event };
  await router({ body, client, ack: async () => {}, bot: 'UBOT', arrivedAt });
  // The name of a mention's channel, by which its project may be found, is read first.
  const messages = calls.filter(({ method }) => method !== 'conversations.info');
  return messages.map(
    ({ method = '', channel = '', user = '', thread_ts: thread = '', text: content = '' }) => ({
      method,
      channel,
      user,
      thread,
      content,
    }),
  );
}

const RESPONSE = 'You said: hello';
const ephemeralMessage = { method: 'chat.postEphemeral', channel: 'C1', user: 'U1', content: RESPONSE };

test.each(['1.1', ''])(
  'a mention is answered to its author where it was sent (thread: “%s”)',
  async (thread) => {
    const messages = await receiveEvent({ ...MENTION, ...(thread !== '' && { thread_ts: thread }) });
    expect(messages).toEqual([{ ...ephemeralMessage, thread }]);
  },
);

test('a mention in a channel without the bot is answered in a direct message', async () => {
  refusedMethods = { 'chat.postEphemeral': 'channel_not_found' };
  const [first, second] = await receiveEvent(MENTION);
  expect(first).toEqual({ ...ephemeralMessage, thread: '' });
  expect(second).toEqual({
    method: 'chat.postMessage',
    channel: 'U1',
    user: '',
    thread: '',
    content: RESPONSE,
  });
});

test.each(['1.1', ''])('a direct message is answered where it was sent (thread: “%s”)', async (thread) => {
  const messages = await receiveEvent({ ...DIRECT, ...(thread !== '' && { thread_ts: thread }) });
  expect(messages).toEqual([
    { method: 'chat.postMessage', channel: 'D1', user: '', thread, content: RESPONSE },
  ]);
});

test.each([
  ['a message from a bot', { ...DIRECT, bot_id: 'B1' }],
  ['its own message', { ...DIRECT, user: 'UBOT' }],
  ['a message without an author', { ...DIRECT, user: undefined }],
  ['a changed message', { ...DIRECT, subtype: 'message_changed', hidden: true }],
  ['a file', { ...DIRECT, subtype: 'file_share' }],
  ['a message in a channel that doesn’t mention it', { ...DIRECT, channel_type: 'channel' }],
])('the bot doesn’t answer %s', async (_kind, event) => expect(await receiveEvent(event)).toEqual([]));

test('the time for an answer begins when the request arrives, and not when its handler starts', async () => {
  const arrivedAt = performance.now() - 1_000;
  const [response] = await receiveEvent({ ...DIRECT, text: 'arrival' }, arrivedAt);
  expect(response?.content).toBe(`Arrived at ${arrivedAt}`);
});
