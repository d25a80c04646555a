import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { AGAIN } from '../../src/digests/action-ids.ts';
import type { Composer } from '../../src/digests/compose.ts';
import { createDigestMemory, createDigestReads } from '../../src/digests/digest-reads.ts';
import { composePlainly, openDigestDatabase, settings, startDigests } from '../support/digest-machine.ts';
import { press } from '../support/digest-presses.ts';
import { recordingApi } from '../support/recording-api.ts';

let database: Awaited<ReturnType<typeof openDigestDatabase>>;
beforeAll(async () => {
  database = await openDigestDatabase();
});
afterAll(() => database.close());

const start = (compose: Composer = composePlainly, from = '2026-12-01T07:00:00Z') =>
  startDigests(database.db, { from, compose });
const failed = { kind: 'failed', outcome: { kind: 'unknown', cause: 'timed-out', requestId: 'r' } } as const;

describe('while the service is down', () => {
  test('it is tried for half an hour, and then one line says so and counts as posted', async () => {
    let tries = 0;
    const running = await start(async () => {
      tries += 1;
      return failed;
    });
    await running.digests.save(settings(), 'UANA');
    await running.runUntil('2026-12-01T12:00:00Z');
    expect(running.texts()).toEqual([
      'No digest for Tue 1 Dec, 09:00 (Berlin): the scheduling service has not answered for half an hour. The next one comes as planned.',
    ]);
    const at = new Date(running.slack.messages[0]?.at ?? 0).toISOString();
    expect(at >= '2026-12-01T08:30:00' && at < '2026-12-01T08:34:00', at).toBe(true);
    expect(tries).toBeGreaterThan(8);
    expect(await running.rows()).toMatchObject([{ state: 'posted' }]);
    expect(running.texts('DANA')).toEqual([]);
  });

  test('a service that answers and lets nobody in is not called silent', async () => {
    const running = await start(async () => ({
      kind: 'failed',
      outcome: { kind: 'refused', status: 401, requestId: 'r' },
    }));
    await running.digests.save(settings(), 'UANA');
    await running.runUntil('2026-12-01T12:00:00Z');
    expect(running.texts()).toEqual([
      'No digest for Tue 1 Dec, 09:00 (Berlin): the scheduling service has not let me in for half an hour. The next one comes as planned.',
    ]);
  });

  test('the half hour begins anew where the service answered in between, and Slack was what it waited for', async () => {
    let isDown = true;
    const running = await start(async (digest, occasion) =>
      isDown ? failed : composePlainly(digest, occasion),
    );
    const digest = await running.digests.save(settings(), 'UANA');
    await running.runUntil('2026-12-01T08:10:00Z');
    isDown = false;
    let isFirst = true;
    running.trouble((method) => {
      if (method !== 'chat.postMessage' || !isFirst) return undefined;
      isFirst = false;
      isDown = true;
      return { kind: 'ratelimited', seconds: 30 * 60 };
    });
    await running.runUntil('2026-12-01T08:45:00Z');
    expect(running.texts()).toEqual([]);
    isDown = false;
    await running.runUntil('2026-12-01T09:00:00Z');
    expect(running.texts()).toEqual([`digest ${digest?.id} for 2026-12-01, late`]);
  });

  test('what its owner lets be posted again has its own half hour', async () => {
    let isDown = false;
    const running = await start(async (digest, occasion) =>
      isDown ? failed : composePlainly(digest, occasion),
    );
    const digest = await running.digests.save(settings(), 'UANA');
    let cuts = 1;
    running.trouble((method) =>
      method === 'chat.postMessage' && cuts-- > 0 ? { kind: 'cut', commit: 'never' } : undefined,
    );
    await running.runUntil('2026-12-01T10:00:00Z');
    isDown = true;
    const [row] = await running.rows();
    await press(running.digests, AGAIN, row ?? { id: '', workspace: '' });
    await running.runUntil('2026-12-01T10:05:00Z');
    isDown = false;
    await running.runUntil('2026-12-01T10:15:00Z');
    expect(running.texts()).toEqual([`digest ${digest?.id} for 2026-12-01, asked for`]);
  });

  test('once it answers, the digest comes, and one that fails by our own fault is tried as well', async () => {
    let tries = 0;
    const running = await start(async (digest, occasion) => {
      tries += 1;
      if (tries === 1) throw new Error('a fault of ours');
      return tries < 4 ? failed : composePlainly(digest, occasion);
    });
    const digest = await running.digests.save(settings(), 'UANA');
    await running.runUntil('2026-12-01T12:00:00Z');
    expect(running.texts()).toEqual([`digest ${digest?.id} for 2026-12-01`]);
  });
});

describe('what follows a digest', () => {
  const withMore: Composer = async (digest, occasion) => ({
    kind: 'message',
    text: `digest ${digest.id} for ${occasion.date}`,
    thread: [{ text: 'first detail' }, { text: 'second detail' }],
    direct: [{ to: 'UMIRA', once: 'late.post-1', message: { text: 'yours is late' } }],
  });

  test('its details stand in its thread, in order, and a person is told of the same thing once', async () => {
    const running = await start(withMore);
    await running.digests.save(settings(), 'UANA');
    await running.runUntil('2026-12-02T12:00:00Z');
    const [main] = running.slack.messages;
    const thread = running.slack.messages.filter((one) => one.thread === main?.ts).map(({ text }) => text);
    expect(thread).toEqual(['first detail', 'second detail']);
    expect(running.texts('DMIRA')).toEqual(['yours is late']);
    expect(running.texts().filter((text) => text.startsWith('digest'))).toHaveLength(2);
    const stored = JSON.stringify(await running.rows());
    expect(stored).not.toContain('detail');
  });

  test('where Slack asks for a pause, it goes on with what is left', async () => {
    const running = await start(withMore);
    await running.digests.save(settings(), 'UANA');
    let calls = 0;
    running.trouble((method) => {
      if (method !== 'chat.postMessage') return undefined;
      calls += 1;
      return calls === 3 ? { kind: 'ratelimited', seconds: 40 } : undefined;
    });
    await running.runUntil('2026-12-01T12:00:00Z');
    expect(running.texts().slice(1)).toEqual(['first detail', 'second detail']);
    expect(running.texts('DMIRA')).toHaveLength(1);
  });

  test('of a detail that Slack cut off nobody makes two', async () => {
    const running = await start(withMore);
    await running.digests.save(settings(), 'UANA');
    let calls = 0;
    running.trouble((method) => {
      if (method !== 'chat.postMessage') return undefined;
      calls += 1;
      return calls === 2 ? { kind: 'cut', commit: 'first' } : undefined;
    });
    await running.runUntil('2026-12-01T12:00:00Z');
    expect(running.texts().slice(1)).toEqual(['first detail', 'second detail']);
  });
});

test('blocks that Slack does not take are left out: the text stands without them', async () => {
  const running = await start(async () => ({
    kind: 'message',
    text: 'the text alone',
    blocks: [{ type: 'divider' }],
  }));
  await running.digests.save(settings(), 'UANA');
  let isFirst = true;
  running.trouble((method) => {
    if (method !== 'chat.postMessage' || !isFirst) return undefined;
    isFirst = false;
    return { kind: 'error', error: 'invalid_blocks' };
  });
  await running.runUntil('2026-12-01T12:00:00Z');
  expect(running.slack.messages).toHaveLength(1);
  expect(running.slack.messages[0]?.blocks).toBeUndefined();
});

test('a digest with nothing to say stays silent, where its channel prefers that', async () => {
  const running = await start(async () => ({ kind: 'silent' }));
  await running.digests.save(settings({ silentWhenEmpty: true }), 'UANA');
  await running.runUntil('2026-12-02T12:00:00Z');
  expect(running.slack.messages).toEqual([]);
  expect((await running.rows()).map(({ state }) => state)).toEqual(['silent', 'silent']);
});

test('digests of one minute ask the service once for a project, and again a minute later', async () => {
  const { api, calls } = recordingApi({ Items: [{ Id: 'p-1', Content: 'a', Platforms: ['X'] }] });
  let now = 0;
  const reads = createDigestReads(api, createDigestMemory({ now: () => now }));
  const asked = { project: 'p1', from: new Date(0), to: new Date(1) };
  const read = await Promise.all(Array.from({ length: 50 }, () => reads.posts(asked)));
  expect(read.every((one) => one.kind === 'done' && one.data.items.length === 1)).toBe(true);
  expect(calls).toEqual(['listPosts']);
  await reads.drafts('p1');
  expect(calls).toHaveLength(2);
  now = 61_000;
  await reads.posts(asked);
  expect(calls).toHaveLength(3);
});
