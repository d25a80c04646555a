import { describe, expect, test } from 'vitest';
import type { Permission } from '../../src/access/access.ts';
import { type ApiClient, createUnavailableClient } from '../../src/api/client.ts';
import { DIGEST_OCCURRENCES } from '../../src/digests/create-occurrences.ts';
import type { DigestSettings } from '../../src/digests/digest.ts';
import { type Composer, createDigestReader } from '../../src/digests/digest-context.ts';
import { SEND_AGAIN } from '../../src/digests/messages/notices.ts';
import type { Guests } from '../../src/slack/audience.ts';
import { press } from '../support/digest-presses.ts';
import { failFirstCalls, type SlackFault } from '../support/digest-slack.ts';
import { setUpBotDatabase } from '../support/set-up-database.ts';
import {
  composeTestMessage,
  createRecordingApi,
  startDigests,
  startWithDigest,
} from '../support/start-digests.ts';

const database = await setUpBotDatabase();

const FROM = '2026-12-01T07:00:00Z';
/** Starts with a digest of Ana's, on weekdays at 9:00 in Berlin, which is 8:00 UTC. */
const start = (compose: Composer, changes?: Partial<DigestSettings>) =>
  startWithDigest(database.db, { from: FROM, compose }, changes);
const composeUnless =
  (isDown: () => boolean): Composer =>
  async (digest, request) =>
    isDown() ? NO_RESPONSE : composeTestMessage(digest, request);
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
    expect(await running.runUntil('2026-12-01T12:00:00Z')).toEqual([
      'No digest for <!date^1796112000^{date_long}, {time} your time|Tue 1 Dec, 09:00 (Berlin)>: the scheduling service hasn’t answered for half an hour. The next one comes as planned.',
    ]);
    const sentAt = new Date(running.slack.messages[0]?.at ?? 0).toISOString();
    expect(sentAt >= '2026-12-01T08:30:00' && sentAt < '2026-12-01T08:34:00', sentAt).toBe(true);
    expect(attempts).toBeGreaterThan(8);
    expect(await running.rows()).toMatchObject([{ state: 'sent' }]);
    expect(running.texts('DANA')).toEqual([]);
  });

  test('after half an hour, the posts that Upnext keeps are sent if there are some', async () => {
    const running = await start(async (digest, request) =>
      request.failure ? composeTestMessage(digest, request) : NO_RESPONSE,
    );
    expect(await running.runUntil('2026-12-01T08:25:00Z')).toEqual([]);
    expect(await running.runUntil('2026-12-01T12:00:00Z')).toEqual([
      expect.stringContaining(`digest ${running.digest.id} for 2026-12-01`),
    ]);
  });

  test('a preview says why the service failed, even if the posts that Upnext keeps can’t be read', async () => {
    const running = await start(async (_digest, { failure }) => {
      if (failure) throw new Error('the posts that Upnext keeps can’t be read');
      return NO_RESPONSE;
    });
    expect(await running.digests.preview(running.digest)).toEqual(NO_RESPONSE);
  });

  test('the half hour of retries starts again if the service answered in between', async () => {
    let isDown = true;
    const running = await start(composeUnless(() => isDown));
    await running.runUntil('2026-12-01T08:10:00Z');
    isDown = false;
    const limitFirst = failFirstCalls(1, 'chat.postMessage', { kind: 'ratelimited', seconds: 30 * 60 });
    running.setFault((method) => {
      const fault = limitFirst(method);
      if (fault) isDown = true;
      return fault;
    });
    expect(await running.runUntil('2026-12-01T08:45:00Z')).toEqual([]);
    isDown = false;
    expect(await running.runUntil('2026-12-01T09:00:00Z')).toEqual([
      `digest ${running.digest.id} for 2026-12-01, late`,
    ]);
  });

  test('a digest that its owner sends again is retried for another half hour', async () => {
    let isDown = false;
    const running = await start(composeUnless(() => isDown));
    running.setFault(failFirstCalls(1, 'chat.postMessage', { kind: 'cut', commit: 'never' }));
    await running.runUntil('2026-12-01T10:00:00Z');
    isDown = true;
    const [row] = await running.rows();
    await press(running.digests, SEND_AGAIN, row ?? { id: '', workspace: '' });
    await running.runUntil('2026-12-01T10:05:00Z');
    isDown = false;
    expect(await running.runUntil('2026-12-01T10:15:00Z')).toEqual([
      `digest ${running.digest.id} for 2026-12-01, asked for`,
    ]);
  });

  test('a digest is retried until the service answers, even after an error in Upnext', async () => {
    let attempts = 0;
    const running = await start(async (digest, request) => {
      attempts += 1;
      if (attempts === 1) throw new Error('an error in Upnext');
      return attempts < 4 ? NO_RESPONSE : composeTestMessage(digest, request);
    });
    expect(await running.runUntil('2026-12-01T12:00:00Z')).toEqual([
      `digest ${running.digest.id} for 2026-12-01`,
    ]);
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

  test('details aren’t sent to a channel that was shared after its digest', async () => {
    const running = await start(composeWithFollowUps);
    await running.runUntil('2026-12-01T08:00:00Z');
    await running.digests.pauseInSharedChannel({ workspace: 'T1', channel: 'C1' }, ['T0ROASTER']);
    await running.runUntil('2026-12-01T12:00:00Z');
    expect(running.texts()).toEqual([`digest ${running.digest.id} for 2026-12-01`]);
  });

  test('details aren’t sent to a channel into which guests came after its digest, and wait while that isn’t known', async () => {
    let guests: Guests = 'no';
    const running = await startWithDigest(database.db, {
      from: '2026-12-01T05:00:00Z',
      compose: async (...request) => ({ ...(await composeWithFollowUps(...request)), projects: ['p1'] }),
      findExcludedGuests: async () => guests,
    });
    await running.runUntil('2026-12-01T08:00:00Z');
    const [sentDigest] = running.texts();
    guests = 'not-checked';
    await running.runUntil('2026-12-01T08:05:00Z');
    expect(await running.rows()).toMatchObject([{ state: 'following-up' }]);
    guests = 'yes';
    await running.runUntil('2026-12-01T12:00:00Z');
    expect(running.texts()).toEqual([sentDigest]);
    expect(await running.rows()).toMatchObject([{ state: 'sent' }]);
  });

  test('details aren’t sent to a person who may not see one of their projects any more, and wait while that isn’t known', async () => {
    let answer: Permission = 'unknown';
    const running = await startDigests(database.db, {
      from: '2026-12-01T05:00:00Z',
      compose: async (...request) => ({
        ...(await composeWithFollowUps(...request)),
        projects: ['p1', 'p2'],
      }),
      checkReadPermission: async (_actor, project) => (project === 'p1' ? 'yes' : answer),
    });
    await running.save({ channel: 'UANA' });
    await running.runUntil('2026-12-01T08:00:10Z');
    const listTexts = () => running.slack.messages.map(({ text }) => text);
    expect(listTexts()).toHaveLength(1);
    expect(await running.rows()).toEqual([expect.objectContaining({ state: 'following-up' })]);
    answer = 'no';
    await running.runUntil('2026-12-01T12:00:00Z');
    expect(listTexts()).toHaveLength(1);
    expect(await running.rows()).toEqual([expect.objectContaining({ state: 'sent' })]);
  });

  test.each([
    ['after a rate limit the remaining follow-up messages are sent', 3, { kind: 'ratelimited', seconds: 40 }],
    ['a detail whose response was lost isn’t sent twice', 2, { kind: 'cut', commit: 'first' }],
  ] as const)('%s', async (_sentence, faultyCall, fault) => {
    const running = await start(composeWithFollowUps);
    let callCount = 0;
    running.setFault((method) =>
      method === 'chat.postMessage' && ++callCount === faultyCall ? fault : undefined,
    );
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
  running.setFault(failFirstCalls(1, 'chat.postMessage', { kind: 'error', error: 'invalid_blocks' }));
  await running.runUntil('2026-12-01T12:00:00Z');
  expect(running.slack.messages).toHaveLength(1);
  expect(running.slack.messages[0]?.blocks).toBeUndefined();
});

test('an empty digest isn’t sent if its settings say so', async () => {
  const running = await start(async () => ({ kind: 'silent' }), { isSilentWhenEmpty: true });
  await running.runUntil('2026-12-02T12:00:00Z');
  expect(running.slack.messages).toEqual([]);
  expect((await running.rows()).map(({ state }) => state)).toEqual(['silent', 'silent']);
});

test('digests due at the same minute share one read of a project', async () => {
  const { api, calls } = createRecordingApi({ Items: [{ Id: 'p-1', Content: 'a', Platforms: ['X'] }] });
  let now = 0;
  const reads = createDigestReader(() => now)(api);
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

const RATE_LIMITED: SlackFault = { kind: 'ratelimited', seconds: 90 };
/** Number of consecutive rate limits. It exceeds the maximum attempts for an upload. */
const RATE_LIMIT_COUNT = 7;

test.each(['files.getUploadURLExternal', 'files.completeUploadExternal', 'the upload URL'])(
  'a picture is shown although Slack repeatedly limits the rate of its upload (%s)',
  async (limitedCall) => {
    let remainingFaults = RATE_LIMIT_COUNT;
    const requestTimes: number[] = [];
    const takeFault = (method: string) => {
      if (method !== limitedCall || remainingFaults === 0) return false;
      remainingFaults -= 1;
      requestTimes.push(running.now().getTime());
      return true;
    };
    const running = await startWithDigest(database.db, {
      from: FROM,
      compose: async () => ({
        ...{ kind: 'message', text: 'The week' },
        picture: { png: Buffer.from('drawn'), alt: 'Two posts', name: 'week.png' },
      }),
      fault: (method) => (takeFault(method) ? RATE_LIMITED : undefined),
      upload: async () =>
        takeFault('the upload URL')
          ? new Response('', { status: 429, headers: { 'retry-after': '90' } })
          : new Response('OK'),
    });
    await running.runUntil('2026-12-01T09:00:00Z');
    expect(running.slack.messages).toMatchObject([{ blocks: [{ type: 'image' }] }]);
    const waits = requestTimes.slice(1).map((at, index) => at - (requestTimes[index] ?? 0));
    expect(waits).toHaveLength(RATE_LIMIT_COUNT - 1);
    for (const ms of waits) expect(ms).toBeGreaterThanOrEqual(90_000);
  },
);

test('digests without a picture don’t wait for uploads, of which Slack accepts a hundred a minute', async () => {
  let uploadCount = 0;
  const running = await startDigests(database.db, {
    from: FROM,
    compose: async (digest) => ({
      ...{ kind: 'message', text: 'The week' },
      ...(digest.kind === 'weekly' && {
        picture: { png: Buffer.from('drawn'), alt: 'Two posts', name: 'week.png' },
      }),
    }),
    upload: async () => {
      uploadCount += 1;
      return new Response('OK');
    },
  });
  for (let index = 0; index < 120; index += 1) await running.save({ channel: `C${index}`, kind: 'weekly' });
  await running.save({ channel: 'C-plain' });
  await running.runUntil('2026-12-01T08:00:30Z');
  expect(uploadCount).toBe(100);
  expect(running.slack.messages.map(({ channel }) => channel)).toContain('C-plain');
  await running.runUntil('2026-12-01T08:03:00Z');
  expect(uploadCount).toBe(120);
  expect(new Set(running.slack.messages.map(({ channel }) => channel)).size).toBe(121);
});

test('a read that failed is repeated a few seconds later', async () => {
  let now = 0;
  let lookupCount = 0;
  const api = createUnavailableClient('not-connected', async () => {
    lookupCount += 1;
    if (lookupCount === 1) throw new Error('the database does not answer');
    return ['U1'];
  });
  const reads = createDigestReader(() => now)(api);
  await expect(reads.listProjects()).rejects.toThrow('the database does not answer');
  now += 6_000;
  expect(await reads.listProjects()).toMatchObject({ kind: 'not-applied', contactIds: ['U1'] });
});

test('a list of posts is incomplete if a page was truncated', async () => {
  const api: ApiClient = {
    address: '',
    credential: {},
    call: async () => ({
      kind: 'done',
      data: [{ Id: 'a', Content: 'Hi' }],
      isTruncated: true,
      requestId: 'r',
    }),
    close: async () => undefined,
  };
  const reads = createDigestReader(() => 0)(api);
  const query = { project: 'p1', from: new Date(0), to: new Date(1) };
  expect(await reads.listPosts(query)).toMatchObject({ kind: 'done', data: { isComplete: false } });
});

const startAfterBackup = () => startWithDigest(database.db, { from: '2026-12-01T12:00:00Z' });
/** Resolves with the numbers that the operator reads. */
const restore = async ({ now }: { now(): Date }) => {
  const counts = await DIGEST_OCCURRENCES.restore(database.db, now());
  return counts.map(({ label, count }) => `${label}: ${count}`);
};

test('the owner is asked about a digest that became due after the backup, and the next digest is sent as usual', async () => {
  const running = await startAfterBackup();
  running.sleepUntil('2026-12-02T10:00:00Z');
  expect(await restore(running)).toEqual([
    'Unfinished digests: 0',
    'Digests that were due since the backup: 1',
  ]);
  await running.runUntil('2026-12-02T12:00:00Z');
  expect(running.texts('C1')).toEqual([]);
  expect(running.texts('DANA')).toEqual([
    expect.stringMatching(
      /^I don’t know whether I sent the digest of .*, because my data was restored from a backup\./,
    ),
  ]);
  await running.runUntil('2026-12-03T08:05:00Z');
  expect(running.texts('C1')).toHaveLength(1);
});

test('the owner is notified that the outcome of digests from days ago is unknown', async () => {
  const running = await startAfterBackup();
  running.sleepUntil('2026-12-04T12:00:00Z');
  expect(await restore(running)).toEqual([
    'Unfinished digests: 0',
    'Digests that were due since the backup: 3',
  ]);
  await running.runUntil('2026-12-04T13:00:00Z');
  expect(running.texts('C1')).toEqual([]);
  const notifications = running.texts('DANA').join('\n');
  expect(notifications).toContain('Unknown: my data was restored from a backup');
  expect(notifications).not.toContain('I wasn’t running');
});

test('a digest that was due in the backup is found if it was sent after the backup', async () => {
  const running = await startAfterBackup();
  await running.runUntil('2026-12-02T08:05:00Z');
  expect(running.texts('C1')).toHaveLength(1);
  await database.db
    .updateTable('digest_occurrence')
    .set({ state: 'due', ts: null, sending_at: null, next_at: running.now() })
    .execute();
  expect(await restore(running)).toEqual([
    'Unfinished digests: 1',
    'Digests that were due since the backup: 0',
  ]);
  await running.runUntil('2026-12-02T09:00:00Z');
  expect(running.texts('C1')).toHaveLength(1);
  expect(running.texts('DANA')).toEqual([]);
  expect(await running.rows()).toMatchObject([{ state: 'sent' }]);
});

test('after a restore, a digest that was sent late is found too, and the owner is asked about a digest that isn’t found', async () => {
  const running = await startAfterBackup();
  await running.runUntil('2026-12-02T08:05:00Z');
  const dueAt = new Date('2026-12-02T04:00:00Z');
  const dueColumns = { state: 'due', ts: null, sending_at: null, due_at: dueAt } as const;
  await database.db.updateTable('digest_occurrence').set(dueColumns).execute();
  await restore(running);
  await running.runUntil('2026-12-02T09:00:00Z');
  expect(await running.rows()).toMatchObject([{ state: 'sent' }]);

  await database.db
    .updateTable('digest_occurrence')
    .set({ ...dueColumns, id: 'another' })
    .execute();
  await restore(running);
  await running.runUntil('2026-12-02T15:00:00Z');
  expect(running.texts('C1')).toHaveLength(1);
  expect(running.texts('DANA')).toEqual([expect.stringMatching(/^I don’t know whether I sent/)]);
});
