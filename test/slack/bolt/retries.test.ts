import { createHmac } from 'node:crypto';
import { createServer } from 'node:http';
import { afterEach, describe, expect, test } from 'vitest';
import type { RecordSharedArrival } from '../../../src/slack/bolt/arrivals.ts';
import { createSignedRequestListener } from '../../../src/slack/bolt/signed-requests.ts';
import { createStoredResponses } from '../../../src/slack/bolt/stored-responses.ts';
import { startBot } from '../../support/bot.ts';
import { openBotDatabase } from '../../support/bot-database.ts';
import { listenOnFreePort } from '../../support/listening-port.ts';
import { sendSigned } from '../../support/send-signed.ts';

const SECRET = 'a signing secret';
const NOW = 1_790_000_000_000;
const createPayload = (type: string) => `payload=${encodeURIComponent(JSON.stringify({ type }))}`;
const COMMAND = 'command=%2Fupnext&text=status';

let close: (() => void) | undefined;
afterEach(() => close?.());

/** Starts an instance that responds with a counter as JSON. Equal calls of `send` send the same bytes. */
async function startInstance(
  options: {
    share?: RecordSharedArrival;
    handle?: () => Promise<void>;
    /** Text after the JSON. */
    padding?: string;
  } = {},
) {
  let now = NOW;
  let handledCount = 0;
  const results: string[] = [];
  const server = createServer(
    createSignedRequestListener({
      signingSecret: SECRET,
      clock: () => now,
      share: options.share,
      onResult: (answer) => results.push(answer),
      handle: (_request, respond) => {
        handledCount += 1;
        const body = `{"answer":${handledCount}}${options.padding ?? ''}`;
        const finish = () => respond({ status: 200, body, isJson: true });
        options.handle?.().then(finish, finish) ?? finish();
      },
    }),
  );
  const url = `http://127.0.0.1:${await listenOnFreePort(server)}/slack/events`;
  close = () => {
    server.close();
    server.closeAllConnections();
  };
  const send = async (body: string) => {
    const timestamp = String(NOW / 1000);
    const digest = createHmac('sha256', SECRET).update(`v0:${timestamp}:${body}`).digest('hex');
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        'x-slack-request-timestamp': timestamp,
        'x-slack-signature': `v0=${digest}`,
      },
      body,
    });
    const type = response.headers.get('content-type');
    return { status: response.status, type, text: await response.text() };
  };
  return {
    send,
    results,
    countHandled: () => handledCount,
    advanceClock(ms: number) {
      now += ms;
    },
  };
}

test('a retry by Slack gets the response to the first request and runs nothing', async () => {
  const { send, countHandled, advanceClock, results } = await startInstance();
  const first = await send(createPayload('block_actions'));
  expect(first).toEqual({ status: 200, type: 'application/json', text: '{"answer":1}' });
  advanceClock(10_000);
  expect(await send(createPayload('block_actions'))).toEqual(first);
  advanceClock(1);
  expect((await send(createPayload('block_actions'))).status).toBe(401);
  expect(countHandled()).toBe(1);
  expect(results).toEqual(['taken', 'retried', 'replayed']);
});

test.each([
  ['a retried form gets the same response, however long it is', createPayload('view_submission'), 1],
  ['a retried command with a long response runs again', COMMAND, 2],
])('%s', async (_what, body, handledTimes) => {
  const { send, countHandled } = await startInstance({ padding: ' '.repeat(3_000) });
  const first = await send(body);
  expect(first.text).toHaveLength('{"answer":1}'.length + 3_000);
  expect((await send(body)).text.trim()).toBe(`{"answer":${handledTimes}}`);
  expect(countHandled()).toBe(handledTimes);
});

test('a retry during the first request waits for the response to it', async () => {
  const handling = Promise.withResolvers<void>();
  const { send, countHandled, results } = await startInstance({ handle: () => handling.promise });
  const requests = [send(COMMAND), send(COMMAND)];
  await expect.poll(() => results).toEqual(['taken', 'retried']);
  handling.resolve();
  const [first, retry] = await Promise.all(requests);
  expect(retry).toEqual(first);
  expect(countHandled()).toBe(1);
});

describe('a retry of a request that another instance handled', () => {
  const shareWithAge =
    (ms: number): RecordSharedArrival =>
    async () =>
      ms;

  test.each([
    ['a retried command is answered again', COMMAND, 200, 1],
    ['a retried form is answered again', createPayload('view_submission'), 200, 1],
    ['retried options are answered again', createPayload('block_suggestion'), 200, 1],
    ['a retried button press is acknowledged and does nothing', createPayload('block_actions'), 200, 0],
    ['a retried shortcut is acknowledged and does nothing', createPayload('shortcut'), 200, 0],
    [
      'a retried action on a message is acknowledged and does nothing',
      createPayload('message_action'),
      200,
      0,
    ],
    ['a retried event is acknowledged and does nothing', createPayload('event_callback'), 200, 0],
  ])('%s', async (_what, body, status, times) => {
    const { send, countHandled, results } = await startInstance({ share: shareWithAge(800) });
    const answer = await send(body);
    expect([answer.status, countHandled(), results]).toEqual([status, times, ['retried']]);
    expect(answer.text).toBe(times === 0 ? '' : '{"answer":1}');
  });

  test('a request that another instance handled longer ago is refused as a replay', async () => {
    const { send, countHandled } = await startInstance({ share: shareWithAge(10_001) });
    expect((await send(COMMAND)).status).toBe(401);
    expect(countHandled()).toBe(0);
  });
});

test('in the whole app, a command that Slack sends twice gets the same response twice', async () => {
  const database = await openBotDatabase();
  const startedBot = await startBot({ db: database.db, mode: 'http' });
  const { workspace, url = '' } = startedBot;
  const command = {
    command: '/upnext',
    text: 'help',
    team_id: 'T01HARBOUR',
    user_id: 'U01ANAFERR',
    channel_id: 'C01GENERAL',
    trigger_id: '1.2.a',
    response_url: 'https://hooks.slack.com/commands/1',
  };
  const target = { url, signingSecret: workspace.signingSecret };
  // Signatures have a resolution of one second, so an equal request in the same second is identical.
  const sendInOneSecond = async (): Promise<Awaited<ReturnType<typeof sendSigned>>[]> => {
    const readSecond = () => Math.floor(Date.now() / 1000);
    const startSecond = readSecond();
    const nonce = startSecond;
    const requests = [sendSigned(target, command, nonce), sendSigned(target, command, nonce)];
    const results = await Promise.all(requests);
    return readSecond() === startSecond ? results : sendInOneSecond();
  };
  const [first, retry] = await sendInOneSecond();
  expect(first).toMatchObject({ status: 200, body: { response_type: 'ephemeral' } });
  expect([retry?.status, retry?.body]).toEqual([200, first?.body]);
  await startedBot.close();
  await database.close();
});

describe('stored responses', () => {
  /** Stores one response for each size, which is its number of bytes. */
  function storeResponses(
    storedResponses: ReturnType<typeof createStoredResponses>,
    sizes: readonly number[],
    maxResponseBytes?: number,
  ) {
    for (const [index, size] of sizes.entries())
      storedResponses.reserve(String(index), maxResponseBytes)({ status: 200, body: 'x'.repeat(size) });
  }

  function readLengths(
    storedResponses: ReturnType<typeof createStoredResponses>,
    signatures: readonly string[],
  ) {
    return Promise.all(
      signatures.map(async (signature) => (await storedResponses.find(signature))?.body?.length),
    );
  }

  test('stored responses stay within their memory limit by dropping the oldest', async () => {
    const storedResponses = createStoredResponses(() => NOW, 12_000);
    storeResponses(storedResponses, [4_000, 4_000, 4_000]);
    expect(await readLengths(storedResponses, ['0', '1', '2'])).toEqual([undefined, 4_000, 4_000]);
  });

  test('only short responses to commands are stored, because long ones can be rebuilt', async () => {
    const storedResponses = createStoredResponses(() => NOW);
    storeResponses(storedResponses, [2_048, 2_049], 2_048);
    expect(await readLengths(storedResponses, ['0', '1'])).toEqual([2_048, undefined]);
  });

  test('stored responses are dropped after ten seconds', async () => {
    let now = NOW;
    const storedResponses = createStoredResponses(() => now);
    storeResponses(storedResponses, [10]);
    now += 10_000;
    expect((await storedResponses.find('0'))?.body).toBe('xxxxxxxxxx');
    now += 1;
    expect(storedResponses.find('0')).toBeUndefined();
  });
});
