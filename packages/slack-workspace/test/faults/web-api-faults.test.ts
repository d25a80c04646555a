import { afterEach, describe, expect, test } from 'vitest';
import type { WebApiRule } from '../../src/faults/slack-faults.ts';
import { openBolt } from '../support/fixtures.ts';

const RESPONSE_TIMEOUT_MS = 300;

const fixture = await openBolt();
let trigger = '';
let responseUrl = '';
fixture.app.command('/form', async ({ ack, body }) => {
  trigger = body.trigger_id;
  responseUrl = body.response_url;
  await ack();
});
afterEach(() => fixture.workspace.faults.clear());

const setFaults = (...webApi: WebApiRule[]) => fixture.workspace.faults.set({ webApi });

interface Outcome {
  /** `ECONNRESET`, `no answer`, the HTTP status, or Slack's `error`. */
  result: string | number;
  retryAfter: string | null;
  messages: unknown;
}

async function sendRequest(url: string, body: string, type: string): Promise<Outcome> {
  const outcome = { retryAfter: null, messages: undefined };
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { authorization: `Bearer ${fixture.workspace.botToken}`, 'content-type': type },
      body,
      signal: AbortSignal.timeout(RESPONSE_TIMEOUT_MS),
    });
    const retryAfter = response.headers.get('retry-after');
    const text = await response.text();
    if (!response.headers.get('content-type')?.includes('json'))
      return { ...outcome, result: response.status };
    const json = JSON.parse(text);
    return { result: json.error ?? 'ok', retryAfter, messages: json.response_metadata?.messages };
  } catch (error) {
    const cause = error instanceof Error ? error.cause : undefined;
    return {
      ...outcome,
      result: cause instanceof Error && 'code' in cause ? String(cause.code) : 'no answer',
    };
  }
}

/** Calls a method like an ordinary client. */
const callMethod = (method: string, args: Record<string, string>) =>
  sendRequest(
    `${fixture.workspace.apiUrl}${method}`,
    new URLSearchParams(args).toString(),
    'application/x-www-form-urlencoded',
  );

let sentCount = 0;

/** Sends a new message. Returns the outcome for the client, and how often the channel contains the message. */
async function sendMessage(channel = '#general') {
  sentCount += 1;
  const text = `message ${sentCount}`;
  const outcome = await callMethod('chat.postMessage', { channel, text });
  const channelMessages = fixture.workspace.as('Ana').messages(channel);
  return { ...outcome, times: channelMessages.filter((message) => message === text).length };
}

test('without a fault a message is sent once', async () => {
  expect(await sendMessage()).toMatchObject({ result: 'ok', times: 1 });
});

describe.each([
  ['executes', 'first', 1],
  ['doesn’t execute', 'never', 0],
] as const)('a fault after which Slack %s the call', (_description, commit, times) => {
  test.each([
    ['Slack cuts the connection', 'ECONNRESET', { fault: 'cut', commit }],
    ['Slack hangs', 'no answer', { fault: 'hang', commit }],
    ['Slack fails with 503', 503, { fault: 'status', status: 503, commit }],
    ['Slack returns fatal_error', 'fatal_error', { fault: 'error', error: 'fatal_error', commit }],
    ['Slack returns internal_error', 'internal_error', { fault: 'error', error: 'internal_error', commit }],
  ] as const)('%s, and the app gets %s', async (_name, result, rule) => {
    setFaults(rule);
    expect(await sendMessage()).toMatchObject({ result, times });
  });
});

test.each([1, 30, -1, 1e9, 'Fri, 20 Nov 2026 12:00:30 GMT'])(
  'a rate-limited call has Retry-After: %s',
  async (retryAfter) => {
    setFaults({ fault: 'rate-limited', retryAfter });
    expect(await sendMessage()).toMatchObject({
      result: 'ratelimited',
      retryAfter: String(retryAfter),
      times: 0,
    });
  },
);

test.each([
  'channel_not_found',
  'is_archived',
  'not_in_channel',
  'restricted_action',
  'token_revoked',
  'account_inactive',
])('the next two messages are refused with %s, and the third is sent', async (error) => {
  setFaults({ fault: 'error', error, method: 'chat.postMessage', times: 2 });
  expect(await sendMessage()).toMatchObject({ result: error, times: 0 });
  expect((await callMethod('auth.test', {})).result).toBe('ok');
  expect((await sendMessage()).result).toBe(error);
  expect((await sendMessage()).result).toBe('ok');
});

test('a fault can be limited to one channel, by its name or id', async () => {
  const harbourChannel = fixture.workspace.as('Ana').in('#harbour-coffee');
  setFaults({ fault: 'error', error: 'is_archived', channel: '#harbour-coffee' });
  expect((await sendMessage('harbour-coffee')).result).toBe('is_archived');
  expect((await sendMessage('#general')).result).toBe('ok');
  expect(harbourChannel.messages()).not.toContain(`message ${sentCount - 1}`);
});

test('a slow Slack responds later, but as usual', async () => {
  setFaults({ fault: 'slow', delayMs: 120 });
  const startedAt = performance.now();
  expect(await sendMessage()).toMatchObject({ result: 'ok', times: 1 });
  expect(performance.now() - startedAt).toBeGreaterThan(115);
});

describe('faults of views', () => {
  const view = JSON.stringify({
    type: 'modal',
    title: { type: 'plain_text', text: 'A form' },
    blocks: [{ type: 'divider' }],
  });
  const openView = async () => {
    await fixture.workspace.as('Ana').in('#general').type('/form');
    return callMethod('views.open', { trigger_id: trigger, view });
  };

  test.each(['expired_trigger_id', 'trigger_expired', 'invalid_arguments'] as const)(
    'a view cannot be opened with an expired trigger, with the error %s',
    async (spelling) => {
      setFaults({ fault: 'expired-trigger', spelling, times: 1 });
      const refusedOpening = await openView();
      expect(refusedOpening.result).toBe(spelling);
      expect(JSON.stringify(refusedOpening.messages ?? '')).toContain(
        spelling === 'invalid_arguments' ? 'expired' : '',
      );
      expect((await openView()).result).toBe('ok');
    },
  );

  test.each(['hash_conflict', 'not_found'])('a view cannot be updated, with the error %s', async (error) => {
    await openView();
    setFaults({ fault: 'error', error, method: ['views.update', 'views.publish'] });
    expect((await callMethod('views.update', { view_id: 'V1', view })).result).toBe(error);
    expect((await openView()).result).toBe('ok');
  });
});

test('faults also apply to messages sent to a response_url', async () => {
  const respond = () => sendRequest(responseUrl, JSON.stringify({ text: 'an answer' }), 'application/json');
  await fixture.workspace.as('Ana').in('#general').type('/form');
  setFaults({ fault: 'cut', commit: 'first', method: 'response_url', times: 1 });
  expect((await respond()).result).toBe('ECONNRESET');
  expect(fixture.workspace.as('Ana').messages()).toContain('an answer');
  expect((await respond()).result).toBe(200);
  setFaults({ fault: 'rate-limited', retryAfter: 3 });
  expect(await respond()).toMatchObject({ result: 'ratelimited', retryAfter: '3' });
});

test('a mix of faults is the same for the same seed, and the faults are counted', async () => {
  const mix = { seed: 3, webApi: [{ fault: 'error', error: 'fatal_error', share: 0.5 }] } as const;
  const callTwentyTimes = async () => {
    fixture.workspace.faults.set(mix);
    const outcome: unknown[] = [];
    for (let attempt = 0; attempt < 20; attempt += 1)
      outcome.push((await callMethod('auth.test', {})).result);
    return outcome;
  };
  const countBefore = fixture.workspace.faults.counts().faults['error fatal_error'] ?? 0;
  const firstResults = await callTwentyTimes();
  expect(await callTwentyTimes()).toEqual(firstResults);
  expect(new Set(firstResults)).toEqual(new Set(['ok', 'fatal_error']));
  const { calls, faults } = fixture.workspace.faults.counts();
  expect(calls['auth.test']).toBeGreaterThanOrEqual(40);
  expect((faults['error fatal_error'] ?? 0) - countBefore).toBe(
    2 * firstResults.filter((result) => result === 'fatal_error').length,
  );
});
