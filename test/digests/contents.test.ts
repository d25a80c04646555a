import { describe, expect, test } from 'vitest';
import { type Composer, createDigestCache, createDigestReads } from '../../src/digests/digest-context.ts';
import { SEND_AGAIN } from '../../src/digests/messages/notices.ts';
import { press } from '../support/digest-presses.ts';
import { createRecordingApi } from '../support/recording-api.ts';
import { setUpBotDatabase } from '../support/set-up-database.ts';
import { composeTestMessage, settings, startDigests } from '../support/start-digests.ts';

const database = await setUpBotDatabase();

const start = (compose: Composer = composeTestMessage, from = '2026-12-01T07:00:00Z') =>
  startDigests(database.db, { from, compose });
const NO_RESPONSE = {
  kind: 'failed',
  outcome: { kind: 'unknown', cause: 'timed-out', requestId: 'r' },
} as const;

describe('while the service is down', () => {
  test('a digest is retried for half an hour, and then a message says that there is no digest', async () => {
    let attempts = 0;
    const running = await start(async () => {
      attempts += 1;
      return NO_RESPONSE;
    });
    await running.digests.save(settings(), 'UANA');
    await running.runUntil('2026-12-01T12:00:00Z');
    expect(running.texts()).toEqual([
      'No digest for Tue 1 Dec, 09:00 (Berlin): the scheduling service hasn’t answered for half an hour. The next one comes as planned.',
    ]);
    const sentAt = new Date(running.slack.messages[0]?.at ?? 0).toISOString();
    expect(sentAt >= '2026-12-01T08:30:00' && sentAt < '2026-12-01T08:34:00', sentAt).toBe(true);
    expect(attempts).toBeGreaterThan(8);
    expect(await running.rows()).toMatchObject([{ state: 'sent' }]);
    expect(running.texts('DANA')).toEqual([]);
  });

  test('the text for a service that refuses the token doesn’t say that the service is unreachable', async () => {
    const running = await start(async () => ({
      kind: 'failed',
      outcome: { kind: 'refused', status: 401, requestId: 'r' },
    }));
    await running.digests.save(settings(), 'UANA');
    await running.runUntil('2026-12-01T12:00:00Z');
    expect(running.texts()).toEqual([
      'No digest for Tue 1 Dec, 09:00 (Berlin): the scheduling service hasn’t let me in for half an hour. The next one comes as planned.',
    ]);
  });

  test('after half an hour, the posts that Upnext keeps are sent if there are some', async () => {
    const running = await start(async (digest, request) =>
      request.isServiceDown ? composeTestMessage(digest, request) : NO_RESPONSE,
    );
    const digest = await running.digests.save(settings(), 'UANA');
    await running.runUntil('2026-12-01T08:25:00Z');
    expect(running.texts()).toEqual([]);
    await running.runUntil('2026-12-01T12:00:00Z');
    expect(running.texts()).toEqual([expect.stringContaining(`digest ${digest?.id} for 2026-12-01`)]);
  });

  test('the half hour of retries starts again if the service answered in between', async () => {
    let isDown = true;
    const running = await start(async (digest, request) =>
      isDown ? NO_RESPONSE : composeTestMessage(digest, request),
    );
    const digest = await running.digests.save(settings(), 'UANA');
    await running.runUntil('2026-12-01T08:10:00Z');
    isDown = false;
    let isFirstCall = true;
    running.setFault((method) => {
      if (method !== 'chat.postMessage' || !isFirstCall) return undefined;
      isFirstCall = false;
      isDown = true;
      return { kind: 'ratelimited', seconds: 30 * 60 };
    });
    await running.runUntil('2026-12-01T08:45:00Z');
    expect(running.texts()).toEqual([]);
    isDown = false;
    await running.runUntil('2026-12-01T09:00:00Z');
    expect(running.texts()).toEqual([`digest ${digest?.id} for 2026-12-01, late`]);
  });

  test('a digest that its owner sends again is retried for another half hour', async () => {
    let isDown = false;
    const running = await start(async (digest, request) =>
      isDown ? NO_RESPONSE : composeTestMessage(digest, request),
    );
    const digest = await running.digests.save(settings(), 'UANA');
    let remainingCuts = 1;
    running.setFault((method) =>
      method === 'chat.postMessage' && remainingCuts-- > 0 ? { kind: 'cut', commit: 'never' } : undefined,
    );
    await running.runUntil('2026-12-01T10:00:00Z');
    isDown = true;
    const [row] = await running.rows();
    await press(running.digests, SEND_AGAIN, row ?? { id: '', workspace: '' });
    await running.runUntil('2026-12-01T10:05:00Z');
    isDown = false;
    await running.runUntil('2026-12-01T10:15:00Z');
    expect(running.texts()).toEqual([`digest ${digest?.id} for 2026-12-01, asked for`]);
  });

  test('a digest is retried until the service answers, even after an error in Upnext', async () => {
    let attempts = 0;
    const running = await start(async (digest, request) => {
      attempts += 1;
      if (attempts === 1) throw new Error('an error in Upnext');
      return attempts < 4 ? NO_RESPONSE : composeTestMessage(digest, request);
    });
    const digest = await running.digests.save(settings(), 'UANA');
    await running.runUntil('2026-12-01T12:00:00Z');
    expect(running.texts()).toEqual([`digest ${digest?.id} for 2026-12-01`]);
  });
});

describe('follow-up messages', () => {
  const composeWithFollowUps: Composer = async (digest, request) => ({
    kind: 'message',
    text: `digest ${digest.id} for ${request.date}`,
    thread: [{ text: 'first detail' }, { text: 'second detail' }],
  });

  test('details are sent to the thread in order', async () => {
    const running = await start(composeWithFollowUps);
    await running.digests.save(settings(), 'UANA');
    await running.runUntil('2026-12-02T12:00:00Z');
    const [digestMessage] = running.slack.messages;
    const thread = running.slack.messages
      .filter((message) => message.thread === digestMessage?.ts)
      .map(({ text }) => text);
    expect(thread).toEqual(['first detail', 'second detail']);
    expect(running.texts().filter((text) => text.startsWith('digest'))).toHaveLength(2);
    const storedRows = JSON.stringify(await running.rows());
    expect(storedRows).not.toContain('detail');
  });

  test('after a rate limit the remaining follow-up messages are sent', async () => {
    const running = await start(composeWithFollowUps);
    await running.digests.save(settings(), 'UANA');
    let callCount = 0;
    running.setFault((method) => {
      if (method !== 'chat.postMessage') return undefined;
      callCount += 1;
      return callCount === 3 ? { kind: 'ratelimited', seconds: 40 } : undefined;
    });
    await running.runUntil('2026-12-01T12:00:00Z');
    expect(running.texts().slice(1)).toEqual(['first detail', 'second detail']);
  });

  test('a detail whose response was lost isn’t sent twice', async () => {
    const running = await start(composeWithFollowUps);
    await running.digests.save(settings(), 'UANA');
    let callCount = 0;
    running.setFault((method) => {
      if (method !== 'chat.postMessage') return undefined;
      callCount += 1;
      return callCount === 2 ? { kind: 'cut', commit: 'first' } : undefined;
    });
    await running.runUntil('2026-12-01T12:00:00Z');
    expect(running.texts().slice(1)).toEqual(['first detail', 'second detail']);
  });
});

test('a digest whose blocks Slack refuses is sent as plain text', async () => {
  const running = await start(async () => ({
    kind: 'message',
    text: 'the text alone',
    blocks: [{ type: 'divider' }],
  }));
  await running.digests.save(settings(), 'UANA');
  let isFirstCall = true;
  running.setFault((method) => {
    if (method !== 'chat.postMessage' || !isFirstCall) return undefined;
    isFirstCall = false;
    return { kind: 'error', error: 'invalid_blocks' };
  });
  await running.runUntil('2026-12-01T12:00:00Z');
  expect(running.slack.messages).toHaveLength(1);
  expect(running.slack.messages[0]?.blocks).toBeUndefined();
});

test('an empty digest isn’t sent if its settings say so', async () => {
  const running = await start(async () => ({ kind: 'silent' }));
  await running.digests.save(settings({ isSilentWhenEmpty: true }), 'UANA');
  await running.runUntil('2026-12-02T12:00:00Z');
  expect(running.slack.messages).toEqual([]);
  expect((await running.rows()).map(({ state }) => state)).toEqual(['silent', 'silent']);
});

test('digests due at the same minute share one read of a project', async () => {
  const { api, calls } = createRecordingApi({ Items: [{ Id: 'p-1', Content: 'a', Platforms: ['X'] }] });
  let now = 0;
  const reads = createDigestReads(api, createDigestCache({ now: () => now }));
  const query = { project: 'p1', from: new Date(0), to: new Date(1) };
  const results = await Promise.all(Array.from({ length: 50 }, () => reads.listPosts(query)));
  expect(results.every((result) => result.kind === 'done' && result.data.items.length === 1)).toBe(true);
  expect(calls).toEqual(['listPosts']);
  await reads.listPosts({ ...query, project: 'p2' });
  expect(calls).toHaveLength(2);
  now = 61_000;
  await reads.listPosts(query);
  expect(calls).toHaveLength(3);
});
