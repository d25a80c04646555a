import { createHmac } from 'node:crypto';
import { createServer, type ServerResponse } from 'node:http';
import { afterEach, describe, expect, test } from 'vitest';
import type { ShareArrivals } from '../../../src/slack/bolt/arrivals.ts';
import { createSignedRequestListener } from '../../../src/slack/bolt/signed-requests.ts';
import { createStoredResponses } from '../../../src/slack/bolt/stored-responses.ts';
import { openBotDatabase, startBot } from '../../support/bot.ts';
import { listeningPort } from '../../support/listening-port.ts';
import { sendSigned } from '../../support/send-signed.ts';

const SECRET = 'a signing secret';
const NOW = 1_790_000_000_000;
const payload = (type: string) => `payload=${encodeURIComponent(JSON.stringify({ type }))}`;
const COMMAND = 'command=%2Fupnext&text=status';

let close: (() => void) | undefined;
afterEach(() => close?.());

/** An instance that answers with a counter, as JSON. `send` repeats a request byte by byte. */
async function startInstance(
  options: {
    share?: ShareArrivals;
    handle?: (response: ServerResponse) => Promise<void>;
    /** Follows the JSON. */
    padding?: string;
  } = {},
) {
  let now = NOW;
  let handled = 0;
  const answers: string[] = [];
  const server = createServer(
    createSignedRequestListener({
      signingSecret: SECRET,
      clock: () => now,
      share: options.share,
      onResult: (answer) => answers.push(answer),
      handle: (_request, response) => {
        handled += 1;
        const finish = () => {
          response.writeHead(200, { 'content-type': 'application/json', 'x-answer': String(handled) });
          response.end(`{"answer":${handled}}${options.padding ?? ''}`);
        };
        options.handle?.(response).then(finish, finish) ?? finish();
      },
    }),
  );
  const url = `http://127.0.0.1:${await listeningPort(server)}/slack/events`;
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
    const { headers } = response;
    const said = [headers.get('content-type'), headers.get('x-answer')];
    return { status: response.status, said, text: await response.text() };
  };
  return {
    send,
    answers,
    handled: () => handled,
    wait(ms: number) {
      now += ms;
    },
  };
}

test('Slack’s own retry gets the answer of the first request and runs nothing', async () => {
  const { send, handled, wait, answers } = await startInstance();
  const first = await send(payload('block_actions'));
  expect(first).toEqual({ status: 200, said: ['application/json', '1'], text: '{"answer":1}' });
  wait(10_000);
  expect(await send(payload('block_actions'))).toEqual(first);
  wait(1);
  expect((await send(payload('block_actions'))).status).toBe(401);
  expect(handled()).toBe(1);
  expect(answers).toEqual(['taken', 'retried', 'replayed']);
});

test.each([
  ['a form gets the same answer again, however long', payload('view_submission'), 1],
  ['a command with a long answer runs again', COMMAND, 2],
])('%s', async (_what, body, runs) => {
  const { send, handled } = await startInstance({ padding: ' '.repeat(3_000) });
  const first = await send(body);
  expect(first.text).toHaveLength('{"answer":1}'.length + 3_000);
  expect((await send(body)).text.trim()).toBe(`{"answer":${runs}}`);
  expect(handled()).toBe(runs);
});

test('a retry during the first request waits for its answer', async () => {
  const handling = Promise.withResolvers<void>();
  const { send, handled, answers } = await startInstance({ handle: () => handling.promise });
  const both = [send(COMMAND), send(COMMAND)];
  await expect.poll(() => answers).toEqual(['taken', 'retried']);
  handling.resolve();
  const [first, retry] = await Promise.all(both);
  expect(retry).toEqual(first);
  expect(handled()).toBe(1);
});

describe('a retry of a request that another instance handled', () => {
  const tookMs =
    (ms: number): ShareArrivals =>
    async (signatures) =>
      new Map(signatures.map((one) => [one, ms]));

  test.each([
    ['a command is answered again', COMMAND, 200, 1],
    ['a form is answered again', payload('view_submission'), 200, 1],
    ['options are answered again', payload('block_suggestion'), 200, 1],
    ['a button is acknowledged, and does nothing', payload('block_actions'), 200, 0],
    ['a shortcut is acknowledged, and does nothing', payload('shortcut'), 200, 0],
    ['an action on a message is acknowledged, and does nothing', payload('message_action'), 200, 0],
    ['an event is acknowledged, and does nothing', payload('event_callback'), 200, 0],
  ])('%s', async (_what, body, status, times) => {
    const { send, handled, answers } = await startInstance({ share: tookMs(800) });
    const answer = await send(body);
    expect([answer.status, handled(), answers]).toEqual([status, times, ['retried']]);
    expect(answer.text).toBe(times === 0 ? '' : '{"answer":1}');
  });

  test('is a replay if it arrives later', async () => {
    const { send, handled } = await startInstance({ share: tookMs(10_001) });
    expect((await send(COMMAND)).status).toBe(401);
    expect(handled()).toBe(0);
  });
});

test('a command that Slack sends twice gets the same answer twice, through the whole app', async () => {
  const database = await openBotDatabase();
  const running = await startBot({ db: database.db, mode: 'http' });
  const { workspace, url = '' } = running;
  const command = {
    command: '/upnext',
    text: 'help',
    team_id: 'T01HARBOUR',
    user_id: 'U01ANAFERR',
    channel_id: 'C01GENERAL',
    trigger_id: '1.2.a',
    response_url: 'https://hooks.slack.com/commands/1',
  };
  const to = { url, signingSecret: workspace.signingSecret };
  // Signatures have a resolution of one second, so an equal request in the same second is identical.
  const sentInOneSecond = async (): Promise<Awaited<ReturnType<typeof sendSigned>>[]> => {
    const second = () => Math.floor(Date.now() / 1000);
    const started = second();
    const nonce = started;
    const both = [sendSigned(to, command, nonce), sendSigned(to, command, nonce)];
    const answers = await Promise.all(both);
    return second() === started ? answers : sentInOneSecond();
  };
  const [first, retry] = await sentInOneSecond();
  expect(first).toMatchObject({ status: 200, said: { response_type: 'ephemeral' } });
  expect([retry?.status, retry?.body]).toEqual([200, first?.body]);
  await running.close();
  await database.close();
});

describe('stored responses', () => {
  /** Stores responses with these numbers of bytes. */
  async function storeAnswers(
    answers: ReturnType<typeof createStoredResponses>,
    sizes: readonly number[],
    maxAnswerBytes?: number,
  ) {
    const waiting = [...sizes.entries()];
    const server = createServer((_request, response) => {
      const [index = 0, size = 0] = waiting.shift() ?? [];
      answers.captureResponse(String(index), response, maxAnswerBytes);
      response.end('x'.repeat(size));
    });
    const url = `http://127.0.0.1:${await listeningPort(server)}/`;
    for (const _size of sizes) await (await fetch(url)).text();
    server.close();
    server.closeAllConnections();
  }

  function readLengths(answers: ReturnType<typeof createStoredResponses>, signatures: readonly string[]) {
    return Promise.all(signatures.map(async (one) => (await answers.find(one))?.body?.length));
  }

  test('stay within their memory limit by dropping the oldest', async () => {
    const answers = createStoredResponses(() => NOW, 12_000);
    await storeAnswers(answers, [4_000, 4_000, 4_000]);
    expect(await readLengths(answers, ['0', '1', '2'])).toEqual([undefined, 4_000, 4_000]);
  });

  test('of commands are only stored if they are short, because a list or a help text can be rebuilt', async () => {
    const answers = createStoredResponses(() => NOW);
    await storeAnswers(answers, [2_048, 2_049], 2_048);
    expect(await readLengths(answers, ['0', '1'])).toEqual([2_048, undefined]);
  });

  test('are dropped after ten seconds', async () => {
    let now = NOW;
    const answers = createStoredResponses(() => now);
    await storeAnswers(answers, [10]);
    now += 10_000;
    expect((await answers.find('0'))?.body).toBe('xxxxxxxxxx');
    now += 1;
    expect(answers.find('0')).toBeUndefined();
  });
});
