import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { WebApiRule } from '../../../../src/emulators/slack/faults/slack-fault-plan.ts';
import { type Running, startWithBolt } from '../../../support/workspace-bolt.ts';

const PATIENCE_MS = 300;

let running: Running;
let trigger = '';
let responseUrl = '';

beforeAll(async () => {
  running = await startWithBolt('socket');
  running.app.command('/form', async ({ ack, body }) => {
    trigger = body.trigger_id;
    responseUrl = body.response_url;
    await ack();
  });
});

afterEach(() => running.workspace.faults.clear());
afterAll(() => running.stop());

const set = (...webApi: WebApiRule[]) => running.workspace.faults.set({ webApi });

interface Seen {
  /** `ECONNRESET`, `no answer`, the HTTP status, or Slack's `error`. */
  got: string | number;
  retryAfter: string | null;
  messages: unknown;
}

async function send(url: string, body: string, type: string): Promise<Seen> {
  const seen = { retryAfter: null, messages: undefined };
  try {
    const answer = await fetch(url, {
      method: 'POST',
      headers: { authorization: `Bearer ${running.workspace.botToken}`, 'content-type': type },
      body,
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    const retryAfter = answer.headers.get('retry-after');
    const text = await answer.text();
    if (!answer.headers.get('content-type')?.includes('json')) return { ...seen, got: answer.status };
    const json = JSON.parse(text);
    return { got: json.error ?? 'ok', retryAfter, messages: json.response_metadata?.messages };
  } catch (error) {
    const cause = error instanceof Error ? error.cause : undefined;
    return { ...seen, got: cause instanceof Error && 'code' in cause ? String(cause.code) : 'no answer' };
  }
}

/** One call as a plain client makes it. */
const call = (method: string, args: Record<string, string>) =>
  send(
    `${running.workspace.apiUrl}${method}`,
    new URLSearchParams(args).toString(),
    'application/x-www-form-urlencoded',
  );

let written = 0;

/** Posts something new; what the client saw, and how often it stands in the channel. */
async function post(channel = '#general') {
  written += 1;
  const text = `message ${written}`;
  const seen = await call('chat.postMessage', { channel, text });
  const there = running.workspace.as('Ana').messages(channel);
  return { ...seen, times: there.filter((message) => message === text).length };
}

test('without a fault a message is posted once', async () => {
  expect(await post()).toMatchObject({ got: 'ok', times: 1 });
});

describe.each([
  ['first', 1],
  ['never', 0],
] as const)('where Slack does what it was asked %s', (commit, times) => {
  test.each([
    ['cuts the connection', 'ECONNRESET', { fault: 'cut', commit }],
    ['hangs', 'no answer', { fault: 'hang', commit }],
    ['fails with 503', 503, { fault: 'status', status: 503, commit }],
    ['says fatal_error', 'fatal_error', { fault: 'error', error: 'fatal_error', commit }],
    ['says internal_error', 'internal_error', { fault: 'error', error: 'internal_error', commit }],
  ] as const)('and then %s, the app sees %s', async (_name, got, rule) => {
    set(rule);
    expect(await post()).toMatchObject({ got, times });
  });
});

test.each([1, 30, -1, 1e9, 'Fri, 20 Nov 2026 12:00:30 GMT'])(
  'too many requests, Retry-After: %s',
  async (retryAfter) => {
    set({ fault: 'rate-limited', retryAfter });
    expect(await post()).toMatchObject({ got: 'ratelimited', retryAfter: String(retryAfter), times: 0 });
  },
);

test.each([
  'channel_not_found',
  'is_archived',
  'not_in_channel',
  'restricted_action',
  'token_revoked',
  'account_inactive',
])('the next two posts are refused with %s, and the third is not', async (error) => {
  set({ fault: 'error', error, method: 'chat.postMessage', times: 2 });
  expect(await post()).toMatchObject({ got: error, times: 0 });
  expect((await call('auth.test', {})).got).toBe('ok');
  expect((await post()).got).toBe(error);
  expect((await post()).got).toBe('ok');
});

test('a fault can be one channel’s, named or by its id', async () => {
  const named = running.workspace.as('Ana').in('#harbour-coffee');
  set({ fault: 'error', error: 'is_archived', channel: '#harbour-coffee' });
  expect((await post('harbour-coffee')).got).toBe('is_archived');
  expect((await post('#general')).got).toBe('ok');
  expect(named.messages()).not.toContain(`message ${written - 1}`);
});

test('a slow Slack answers as usual, later', async () => {
  set({ fault: 'slow', delayMs: 120 });
  const startedAt = performance.now();
  expect(await post()).toMatchObject({ got: 'ok', times: 1 });
  expect(performance.now() - startedAt).toBeGreaterThan(115);
});

describe('views', () => {
  const view = JSON.stringify({
    type: 'modal',
    title: { type: 'plain_text', text: 'A form' },
    blocks: [{ type: 'divider' }],
  });
  const open = async () => {
    await running.workspace.as('Ana').in('#general').type('/form');
    return call('views.open', { trigger_id: trigger, view });
  };

  test.each(['expired_trigger_id', 'trigger_expired', 'invalid_arguments'] as const)(
    'are not opened with a trigger that expired, spelt %s',
    async (spelling) => {
      set({ fault: 'expired-trigger', spelling, times: 1 });
      const refused = await open();
      expect(refused.got).toBe(spelling);
      expect(JSON.stringify(refused.messages ?? '')).toContain(
        spelling === 'invalid_arguments' ? 'expired' : '',
      );
      expect((await open()).got).toBe('ok');
    },
  );

  test.each(['hash_conflict', 'not_found'])('are not updated: %s', async (error) => {
    await open();
    set({ fault: 'error', error, method: ['views.update', 'views.publish'] });
    expect((await call('views.update', { view_id: 'V1', view })).got).toBe(error);
    expect((await open()).got).toBe('ok');
  });
});

test('what is sent to a response_url fails too', async () => {
  const answer = () => send(responseUrl, JSON.stringify({ text: 'an answer' }), 'application/json');
  await running.workspace.as('Ana').in('#general').type('/form');
  set({ fault: 'cut', commit: 'first', method: 'response_url', times: 1 });
  expect((await answer()).got).toBe('ECONNRESET');
  expect(running.workspace.as('Ana').messages()).toContain('an answer');
  expect((await answer()).got).toBe(200);
  set({ fault: 'rate-limited', retryAfter: 3 });
  expect(await answer()).toMatchObject({ got: 'ratelimited', retryAfter: '3' });
});

test('a mix is the same for the same seed, and what was done is counted', async () => {
  const mix = { seed: 3, webApi: [{ fault: 'error', error: 'fatal_error', share: 0.5 }] } as const;
  const twenty = async () => {
    running.workspace.faults.set(mix);
    const seen: unknown[] = [];
    for (let n = 0; n < 20; n += 1) seen.push((await call('auth.test', {})).got);
    return seen;
  };
  const before = running.workspace.faults.counts().faults['error fatal_error'] ?? 0;
  const once = await twenty();
  expect(await twenty()).toEqual(once);
  expect(new Set(once)).toEqual(new Set(['ok', 'fatal_error']));
  const { calls, faults } = running.workspace.faults.counts();
  expect(calls['auth.test']).toBeGreaterThanOrEqual(40);
  expect((faults['error fatal_error'] ?? 0) - before).toBe(
    2 * once.filter((got) => got === 'fatal_error').length,
  );
});
