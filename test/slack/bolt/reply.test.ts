import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { WebClient } from '@slack/web-api';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { AppContext } from '../../../src/app/context.ts';
import type { Feature } from '../../../src/app/feature.ts';
import { createRouter } from '../../../src/slack/bolt/router.ts';
import { listeningPort } from '../../support/listening-port.ts';
import { SILENT } from '../../support/workspace.ts';

/** The recorded API calls, and the methods that Slack refuses. */
let asked: Record<string, string>[] = [];
let refused: Record<string, string> = {};
let client: WebClient;

const server = createServer((request, response) => void answer(request, response));
async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const method = request.url?.split('/').at(-1) ?? '';
  asked.push({ method, ...Object.fromEntries(new URLSearchParams(await text(request))) });
  const error = refused[method];
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify(error === undefined ? { ok: true } : { ok: false, error }));
}

const feature: Feature = {
  name: 'tried',
  commands: [
    {
      name: 'say',
      aliases: [],
      summary: 'Says it',
      usage: '',
      examples: ['/upnext say'],
      run: (call) => call.reply({ text: `You said: ${call.text}` }),
    },
  ],
  role: () => 'viewer',
};
const router = createRouter({
  context: {} as AppContext,
  features: [feature],
  catalogue: [feature],
  defaultFeature: 'tried',
  log: SILENT,
  now: () => new Date(),
  permit: async (call) => call,
  helpCommand: { feature: 'tried', command: 'say' },
  offers: { offerSuggestion: async () => {}, offerFormButton: async () => {} },
  isFirstDelivery: async () => true,
});

beforeAll(async () => {
  const slackApiUrl = `http://127.0.0.1:${await listeningPort(server)}/api/`;
  client = new WebClient('xoxb-test', { slackApiUrl, logger: SILENT, retryConfig: { retries: 0 } });
});
beforeEach(() => {
  asked = [];
  refused = {};
});
afterAll(async () => {
  server.close();
  server.closeAllConnections();
  await once(server, 'close');
});

const MENTION = { type: 'app_mention', user: 'U1', channel: 'C1', ts: '9.9', text: '<@UBOT> say hello' };
const DIRECT = { ...MENTION, type: 'message', channel_type: 'im', channel: 'D1', text: 'say hello' };

async function hear(event: Record<string, unknown>): Promise<Record<string, string>[]> {
  const body = { type: 'event_callback', event_id: 'Ev1', team_id: 'T1', event };
  await router({ body, client, ack: async () => {}, bot: 'UBOT' });
  return asked.map(({ method = '', channel = '', user = '', thread_ts: thread = '', text: said = '' }) => ({
    method,
    channel,
    user,
    thread,
    said,
  }));
}

const said = 'You said: hello';
const alone = { method: 'chat.postEphemeral', channel: 'C1', user: 'U1', said };

test('a press in a thread is answered in that thread, only for the person', async () => {
  expect(await hear({ ...MENTION, thread_ts: '1.1' })).toEqual([{ ...alone, thread: '1.1' }]);
});

test('a press outside a thread doesn’t start a thread', async () => {
  expect(await hear(MENTION)).toEqual([{ ...alone, thread: '' }]);
});

test('if the bot isn’t in the channel, the answer is a direct message', async () => {
  refused = { 'chat.postEphemeral': 'channel_not_found' };
  const [first, second] = await hear(MENTION);
  expect(first).toEqual({ ...alone, thread: '' });
  expect(second).toEqual({ method: 'chat.postMessage', channel: 'U1', user: '', thread: '', said });
});

test.each(['1.1', ''])('a direct message is answered in its place (thread: “%s”)', async (thread) => {
  const answered = await hear({ ...DIRECT, ...(thread !== '' && { thread_ts: thread }) });
  expect(answered).toEqual([{ method: 'chat.postMessage', channel: 'D1', user: '', thread, said }]);
});

test.each([
  ['a message from a bot', { ...DIRECT, bot_id: 'B1' }],
  ['its own message', { ...DIRECT, user: 'UBOT' }],
  ['a message without an author', { ...DIRECT, user: undefined }],
  ['a changed message', { ...DIRECT, subtype: 'message_changed', hidden: true }],
  ['a file', { ...DIRECT, subtype: 'file_share' }],
  ['a message in a channel that doesn’t mention it', { ...DIRECT, channel_type: 'channel' }],
])('a message from %s is answer %s', async (_who, event) => {
  expect(await hear(event)).toEqual([]);
});
