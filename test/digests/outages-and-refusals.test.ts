import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import type { DigestSettings } from '../../src/digests/digest.ts';
import type { Composer } from '../../src/digests/digest-context.ts';
import { CONFIRM_SENT, RESUME, SEND_AGAIN } from '../../src/digests/messages/notices.ts';
import { pauseDigests } from '../../src/digests/sql/digests.ts';
import type { Guests } from '../../src/slack/audience.ts';
import { press, recordedActions } from '../support/digest-presses.ts';
import { failFirstCalls, type SlackFault } from '../support/digest-slack.ts';
import { setUpBotDatabase } from '../support/set-up-database.ts';
import { composeTestMessage, startDigests, startWithDigest } from '../support/start-digests.ts';

const database = await setUpBotDatabase();

const start = () => startDigests(database.db, { from: '2026-12-01T07:00:00Z' });
const startWithAna = (changes?: Partial<DigestSettings>, from = '2026-12-01T07:00:00Z') =>
  startWithDigest(database.db, { from }, changes);
/** Loses the first message, which the owner is asked about. Resolves with its row. */
async function loseMessage(running: Awaited<ReturnType<typeof start>>) {
  running.setFault(failFirstCalls(1, 'chat.postMessage', LOST_REQUEST));
  await running.runUntil('2026-12-01T12:00:00Z');
  return (await running.rows())[0] ?? { id: '', workspace: '', state: '' };
}

describe('after an outage of the app', () => {
  test('after an outage, this morning’s digest is sent late, and its owner is notified once that yesterday’s digest was missed', async () => {
    const running = await startWithAna();
    running.sleepUntil('2026-12-02T10:00:00Z');
    expect(await running.runUntil('2026-12-02T20:00:00Z')).toEqual([
      `digest ${running.digest.id} for 2026-12-02, late`,
    ]);
    expect(running.texts('DANA')).toEqual([
      expect.stringMatching(
        /^Not sent: .*\n• <#C1>, weekdays at 09:00 \(Berlin\): <!date\^\d+\^{date_long}, {time} your time\|Tue 1 Dec, 09:00 \(Berlin\)>\n/,
      ),
    ]);
  });

  test('a digest that was due just before midnight is still sent a few minutes after midnight', async () => {
    const running = await startWithAna({ time: { hour: 23, minute: 55 } });
    running.sleepUntil('2026-12-01T23:20:00Z');
    expect(await running.runUntil('2026-12-01T23:25:00Z')).toHaveLength(1);
  });

  test('a digest counts as missed twelve hours after its time, even on the same day', async () => {
    const running = await startWithAna({ time: { hour: 7, minute: 0 } }, '2026-12-01T05:00:00Z');
    running.sleepUntil('2026-12-01T18:30:00Z');
    expect(await running.runUntil('2026-12-01T19:00:00Z')).toEqual([]);
    expect(running.texts('DANA')).toHaveLength(1);
  });

  test('the notice about a missed digest that is paused does not announce the next one', async () => {
    const running = await startWithAna({}, '2026-12-01T05:00:00Z');
    await running.digests.pause(running.digest);
    await running.digests.sendNow(running.digest, 'press');
    running.sleepUntil('2026-12-01T18:30:00Z');
    await running.runUntil('2026-12-01T19:00:00Z');
    expect(running.texts('DANA')).toEqual([expect.not.stringContaining('come as planned')]);
  });
});

describe('when Slack refuses the channel or the app', () => {
  test.each([
    ['is_archived', 'the channel was archived or deleted'],
    ['channel_not_found', 'I was removed from the channel'],
    ['not_in_channel', 'I was removed from the channel'],
    ['restricted_action', 'the workspace’s rules don’t let me post there'],
  ])(
    'the error %s pauses the digests of the channel, and an owner can resume a digest',
    async (error, expectedText) => {
      const running = await start();
      await running.save({ time: { hour: 17, minute: 0 } }, 'UBEN');
      const digest = await running.save();
      await running.save({ channel: 'C2', time: { hour: 10, minute: 0 } });
      running.setFault(failFirstCalls(1, 'chat.postMessage', { kind: 'error', error }));
      expect(await running.runUntil('2026-12-01T20:00:00Z')).toEqual([]);
      expect(running.texts('C2')).toHaveLength(1);
      expect(running.texts('DANA')).toEqual([expect.stringContaining(expectedText)]);
      expect(running.texts('DBEN')).toEqual([expect.stringContaining(expectedText)]);
      expect(await press(running.digests, RESUME, digest, running.db)).toContain(
        '|Wed 2 Dec, 09:00 (Berlin)>.',
      );
      expect(await running.runUntil('2026-12-02T20:00:00Z')).toEqual([`digest ${digest.id} for 2026-12-02`]);
    },
  );

  test.each(['token_revoked', 'invalid_auth', 'app_uninstalled'])(
    'the error %s pauses all digests of the workspace, and their owners are notified when Slack accepts the token again',
    async (error) => {
      const running = await start();
      await running.save({ channel: 'C3', time: { hour: 10, minute: 0 } }, 'UBEN');
      await running.save();
      await running.save({ workspace: 'T2', channel: 'C9' }, 'UZOE');
      let isRevoked = true;
      running.setFault((method) =>
        isRevoked && method === 'chat.postMessage' ? { kind: 'error', error } : undefined,
      );
      running.sleepUntil('2026-12-01T08:00:00Z');
      await pauseDigests(running.db, { workspace: 'T2' }, { reason: 'requested', now: running.now() });
      await running.runUntil('2026-12-01T15:00:00Z');
      expect(running.slack.messages).toEqual([]);
      isRevoked = false;
      await running.digests.wakeNotifications('T1');
      await running.runUntil('2026-12-01T15:01:00Z');
      for (const owner of ['DANA', 'DBEN']) {
        expect(running.texts(owner)).toEqual([expect.stringContaining('Slack didn’t let me in')]);
      }
    },
  );

  test('the digests are paused only if the bot account stays inactive', async () => {
    const running = await startWithAna();
    const inactiveAccount: SlackFault = { kind: 'error', error: 'account_inactive' };
    running.setFault(failFirstCalls(5, 'chat.postMessage', inactiveAccount));
    expect(await running.runUntil('2026-12-01T12:00:00Z')).toHaveLength(1);
    running.setFault((method) => (method === 'chat.postMessage' ? inactiveAccount : undefined));
    await running.runUntil('2026-12-02T08:10:00Z');
    expect((await running.rows()).at(-1)).toMatchObject({ state: 'due' });
    await running.runUntil('2026-12-02T08:20:00Z');
    expect((await running.rows()).at(-1)).toMatchObject({ state: 'paused' });
  });

  test('the digest of a channel that becomes shared is paused until an owner resumes it', async () => {
    const running = await startWithAna();
    running.slack.shared.set('C1', ['T0ROASTER']);
    expect(await running.runUntil('2026-12-01T12:00:00Z')).toEqual([]);
    expect(running.texts('DANA')).toEqual([expect.stringContaining('shared with another organisation')]);
    await running.digests.resume(running.digest, ['T0ROASTER']);
    expect(await running.runUntil('2026-12-02T12:00:00Z')).toHaveLength(1);
  });

  test('a deleted project pauses its digest', async () => {
    const running = await startWithAna();
    running.setComposer(async () => ({ kind: 'gone', project: 'p1' }));
    await running.runUntil('2026-12-01T12:00:00Z');
    expect(running.texts('DANA')).toEqual([
      expect.stringContaining('one of its projects isn’t at the scheduling service any more'),
    ]);
    expect(await running.rows()).toMatchObject([{ state: 'paused' }]);
  });

  test('a digest isn’t paused by a 404 from the service, and is sent when the service answers', async () => {
    const running = await startWithAna();
    let calls = 0;
    running.setComposer(async (digest, request) => {
      calls += 1;
      if (calls > 1) return composeTestMessage(digest, request);
      return { kind: 'failed', outcome: { kind: 'refused', status: 404, requestId: 'r' } };
    });
    expect(await running.runUntil('2026-12-01T12:00:00Z')).toHaveLength(1);
    expect(running.texts('DANA')).toEqual([]);
  });
});

test('a digest in a channel shared with one organisation is paused when another organisation joins', async () => {
  const running = await startWithAna({ sharedWith: ['T0ROASTER'] });
  running.slack.shared.set('C1', ['T0ROASTER']);
  expect(await running.runUntil('2026-12-01T12:00:00Z')).toHaveLength(1);
  running.slack.shared.set('C1', ['T0ROASTER', 'T0BOOKS']);
  expect(await running.runUntil('2026-12-02T12:00:00Z')).toHaveLength(1);
  expect(running.texts('DANA')).toEqual([expect.stringContaining('shared with another organisation')]);
});

test('a digest of a project that keeps guests out is paused if they are in its channel', async () => {
  const compose: Composer = async (...args) => ({
    ...(await composeTestMessage(...args)),
    projects: ['p1', 'p2'],
  });
  let guests: Guests = 'not-checked';
  const running = await startWithDigest(database.db, {
    from: '2026-12-01T07:00:00Z',
    compose,
    findExcludedGuests: async (_client, { project }) => (project === 'p2' ? guests : 'no'),
  });
  expect(await running.runUntil('2026-12-01T08:10:00Z')).toEqual([]);
  expect(await running.rows()).toMatchObject([{ state: 'due' }]);
  guests = 'yes';
  expect(await running.runUntil('2026-12-01T12:00:00Z')).toEqual([]);
  expect(await running.rows()).toMatchObject([{ state: 'paused' }]);
  expect(running.texts('DANA')).toEqual([expect.stringContaining('guests are in the channel')]);
  guests = 'no';
  await running.digests.resume(running.digest);
  expect(await running.runUntil('2026-12-02T12:00:00Z')).toHaveLength(1);
});

describe('when a check fails', () => {
  test('a digest waits until Slack says whether outsiders read its channel', async () => {
    const running = await startWithAna();
    running.slack.shared.set('C1', 'unknown');
    expect(await running.runUntil('2026-12-01T08:10:00Z')).toEqual([]);
    expect(await running.rows()).toMatchObject([{ state: 'due' }]);
    running.slack.shared.clear();
    expect(await running.runUntil('2026-12-01T09:30:00Z')).toHaveLength(1);
  });

  test('a digest waits until Slack says which organisations share its channel', async () => {
    const running = await startWithAna();
    running.slack.shared.set('C1', ['T0ROASTER']);
    running.setFault(failFirstCalls(3, 'users.conversations', { kind: 'ratelimited', seconds: 30 }));
    expect(await running.runUntil('2026-12-01T12:00:00Z')).toEqual([]);
    expect(running.texts('DANA')).toEqual([expect.stringContaining('shared with another organisation')]);
  });

  test('a digest is sent even if Upnext may not list channels', async () => {
    const running = await startWithAna();
    running.setFault((method) =>
      method === 'users.conversations' ? { kind: 'error', error: 'missing_scope' } : undefined,
    );
    expect(await running.runUntil('2026-12-01T12:00:00Z')).toHaveLength(1);
  });

  test('a digest waits, and isn’t paused, if it is unknown whether the app is installed', async () => {
    const running = await startWithAna();
    running.setInstallation('unknown');
    await running.runUntil('2026-12-01T08:30:00Z');
    expect(await running.rows()).toMatchObject([{ state: 'due' }]);
    running.setInstallation('installed');
    expect(await running.runUntil('2026-12-01T12:00:00Z')).toHaveLength(1);
    expect(running.texts('DANA')).toEqual([]);
  });

  test('a personal digest waits while the reader’s permissions are unknown, and the owner gets no notice that the service failed', async () => {
    const running = await startWithAna({ channel: 'UANA' });
    running.setComposer(async () => ({ kind: 'not-checked' }));
    await running.runUntil('2026-12-01T08:20:00Z');
    expect(running.texts('DANA')).toEqual([]);
    expect(await running.rows()).toMatchObject([{ state: 'due' }]);
    await running.runUntil('2026-12-01T12:00:00Z');
    expect(running.texts('DANA')).toEqual([
      expect.stringContaining('I couldn’t check which projects you can see'),
    ]);
  });
});

const LOST_RESPONSE = { kind: 'cut', commit: 'first' } as const;
const LOST_REQUEST = { kind: 'cut', commit: 'never' } as const;

test('a message whose response was lost is found if Slack has it, and isn’t sent again', async () => {
  const running = await startWithAna();
  running.setFault(failFirstCalls(1, 'chat.postMessage', LOST_RESPONSE));
  expect(await running.runUntil('2026-12-01T12:00:00Z')).toHaveLength(1);
  expect(running.texts('DANA')).toEqual([]);
  expect(await running.rows()).toMatchObject([{ state: 'sent' }]);
});

test('the owner is asked about a message that isn’t found, and it is sent again only on the owner’s request', async () => {
  const running = await startWithAna();
  const row = await loseMessage(running);
  expect(running.texts()).toEqual([]);
  expect(running.texts('DANA')).toEqual([expect.stringContaining('Is it there?')]);
  await running.runUntil('2026-12-02T07:00:00Z');
  recordedActions.length = 0;
  expect(await press(running.digests, SEND_AGAIN, row)).toContain('sending it again now');
  expect(recordedActions).toEqual(['digests send']);
  await running.runUntil('2026-12-02T07:05:00Z');
  // It is about the day on which it is sent.
  expect(running.texts()).toEqual([expect.stringMatching(/2026-12-02.*asked for/)]);
  expect(await press(running.digests, SEND_AGAIN, row)).toContain('settled');
  expect(recordedActions).toHaveLength(1);
  expect(await running.runUntil('2026-12-02T07:10:00Z')).toHaveLength(1);
});

test('a message isn’t sent again if its owner confirms that it was sent, or if Slack has it when the owner presses “Send again”', async () => {
  const running = await startWithAna();
  running.setFault(failFirstCalls(1, 'chat.postMessage', { kind: 'cut', commit: { lateMs: 600_000 } }));
  await running.runUntil('2026-12-01T10:00:00Z');
  const [row] = await running.rows();
  running.slack.applyLateWork();
  expect(await press(running.digests, SEND_AGAIN, row ?? { id: '', workspace: '' })).toContain(
    'I found it after all',
  );
  expect(await running.runUntil('2026-12-01T11:00:00Z')).toHaveLength(1);

  running.setFault(failFirstCalls(1, 'chat.postMessage', LOST_REQUEST));
  await running.runUntil('2026-12-02T10:00:00Z');
  const uncertainRow = (await running.rows()).find(({ state }) => state === 'uncertain');
  await press(running.digests, CONFIRM_SENT, uncertainRow ?? { id: '', workspace: '' });
  expect(await running.runUntil('2026-12-02T12:00:00Z')).toHaveLength(1);
  expect((await running.rows()).map(({ state }) => state)).toEqual(['sent', 'sent']);
});

test.each([
  ['if the workspace declined the permission to read channels, at once', 'missing_scope', '08:01'],
  ['if Slack did not answer a search for an hour', 'internal_error', '09:05'],
])('the owner is asked about a lost response: %s', async (_case, error, time) => {
  const running = await startWithAna();
  const cutResponse = failFirstCalls(1, 'chat.postMessage', LOST_RESPONSE);
  running.setFault((method) =>
    method === 'conversations.history' ? { kind: 'error', error } : cutResponse(method),
  );
  await running.runUntil(`2026-12-01T${time}:00Z`);
  expect(running.texts('DANA')).toEqual([
    'Slack didn’t answer when I sent the digest of <!date^1796112000^{date_long}, {time} your time|Tue 1 Dec, 09:00 (Berlin)> (<#C1>, weekdays at 09:00 (Berlin)), and I can’t look for it there. Is it there?',
  ]);
  expect(await running.rows()).toMatchObject([{ state: 'uncertain', reason: 'not-searched' }]);
  expect(await running.runUntil('2026-12-01T20:00:00Z')).toHaveLength(1);
});

test('nobody is asked about a direct message to a person who has left: the digest is paused', async () => {
  const running = await startDigests(database.db, {
    from: '2026-12-01T07:00:00Z',
    findManagers: async () => ['UMIA'],
  });
  await running.save({ channel: 'UANA' });
  const loseRequest = failFirstCalls(1, 'chat.postMessage', LOST_REQUEST);
  running.setFault((method) => {
    if (method === 'chat.postMessage') running.slack.left.add('UANA');
    return loseRequest(method);
  });
  await running.runUntil('2026-12-01T20:00:00Z');
  expect(await running.rows()).toMatchObject([{ state: 'paused' }]);
  expect(running.slack.messages.map(({ channel }) => channel)).toEqual(['DMIA']);
  expect(running.texts('DMIA')).toEqual([
    expect.stringMatching(
      /^I couldn’t reach <@UANA>.*A digest is paused\.\n.*: the reader’s account is deactivated, or I can’t reach it\./,
    ),
  ]);
});

test('the reader of a direct message whose history Slack refuses is asked, and the digest goes on', async () => {
  const running = await startWithAna();
  const loseRequest = failFirstCalls(1, 'chat.postMessage', LOST_REQUEST);
  running.setFault((method) =>
    method === 'conversations.history' ? { kind: 'error', error: 'channel_not_found' } : loseRequest(method),
  );
  await running.runUntil('2026-12-01T20:00:00Z');
  expect(await running.rows()).toMatchObject([{ state: 'uncertain', reason: 'not-searched' }]);
});

test('a digest to a person who has left is paused, and somebody who owns the workspace is told', async () => {
  const running = await startDigests(database.db, {
    from: '2026-12-01T07:00:00Z',
    findManagers: async () => ['UMIA'],
  });
  await running.save({ channel: 'UANA' });
  running.slack.left.add('UANA');
  await running.runUntil('2026-12-02T20:00:00Z');
  expect(await running.rows()).toMatchObject([{ state: 'paused' }]);
  expect(running.slack.messages.map(({ channel }) => channel)).toEqual(['DMIA']);
});

test('a digest is sent to a person whom Slack doesn’t look up', async () => {
  const running = await start();
  await running.save({ channel: 'UANA' });
  running.setFault((method) =>
    method === 'users.info' ? { kind: 'error', error: 'internal_error' } : undefined,
  );
  await running.runUntil('2026-12-01T20:00:00Z');
  expect(running.texts('DANA')).toHaveLength(1);
});

test('the search for a message waits as long as Slack’s rate limit requires', async () => {
  const running = await startWithAna();
  const [cutResponse, rateLimit] = [
    failFirstCalls(1, 'chat.postMessage', LOST_RESPONSE),
    failFirstCalls(2, 'conversations.history', { kind: 'ratelimited', seconds: 60 }),
  ];
  running.setFault((method) => cutResponse(method) ?? rateLimit(method));
  await running.runUntil('2026-12-01T08:05:00Z');
  expect(await running.rows()).toMatchObject([{ state: 'sent' }]);
  expect(running.slack.calls['conversations.history']).toBe(3);
});

test('nobody is asked about the messages of a digest that was removed', async () => {
  const running = await startWithAna();
  const row = await loseMessage(running);
  expect(row.state).toBe('uncertain');
  await running.digests.remove(running.digest);
  expect(await running.rows()).toMatchObject([{ state: 'paused', notify_at: null }]);
  expect(await press(running.digests, CONFIRM_SENT, row)).toContain('no longer exists');

  const otherDigest = await running.save({ channel: 'C2' });
  running.setFault(failFirstCalls(1, 'chat.postMessage', LOST_REQUEST));
  await running.runUntil('2026-12-02T08:00:01Z');
  await running.digests.remove(otherDigest);
  await running.runUntil('2026-12-02T12:00:00Z');
  const states = (await running.rows()).map(({ state }) => state);
  expect(states).toEqual(['paused', 'paused']);
  expect(running.texts('DANA').filter((text) => text.includes('<#C2>'))).toEqual([]);
});

test('a button pressed in another workspace changes nothing', async () => {
  const running = await startWithAna();
  const row = await loseMessage(running);
  expect(await press(running.digests, SEND_AGAIN, { id: row.id, workspace: 'T2' })).toContain(
    'no longer exists',
  );
  expect(await running.rows()).toMatchObject([{ state: 'uncertain' }]);
});

const OWNER_COUNT = 60;
const SLOW_MS = 3_000;
async function startWithManyOwners() {
  const running = await start();
  for (let owner = 0; owner < OWNER_COUNT; owner += 1)
    await running.save({ channel: `C${owner}` }, `U${owner}`);
  return running;
}

test('while Slack is slow, a second instance doesn’t notify the same owners again', async () => {
  const running = await startWithManyOwners();
  running.sleepUntil('2026-12-02T07:00:00Z');
  const otherInstance = running.createWithClock(running.now);
  let messageCount = 0;
  let otherScans: Promise<unknown> = Promise.resolve();
  running.setFault((method) => {
    if (method !== 'chat.postMessage') return undefined;
    messageCount += 1;
    running.sleepUntil(new Date(running.now().getTime() + SLOW_MS).toISOString());
    if (messageCount % 25 === 0) otherScans = Promise.all([otherScans, otherInstance.runOnce()]);
    return undefined;
  });
  await running.runUntil('2026-12-02T07:30:00Z');
  await otherScans;
  const notifiedChannels = running.slack.messages.map(({ channel }) => channel).toSorted();
  expect(notifiedChannels).toHaveLength(OWNER_COUNT);
  expect(new Set(notifiedChannels).size).toBe(OWNER_COUNT);
});

/** Sends a notification while Slack responds with these faults in turn. Returns the notifications that the owner gets. */
async function notifyWithFaults(faults: Parameters<typeof startDigests>[1]['fault'][]): Promise<string[]> {
  const running = await startWithAna({ time: { hour: 7, minute: 0 } }, '2026-12-01T05:00:00Z');
  running.sleepUntil('2026-12-01T18:30:00Z');
  running.setFault((method) => (method === 'chat.postMessage' ? faults.shift()?.(method) : undefined));
  await running.runUntil('2026-12-02T05:00:00Z');
  return running.texts('DANA');
}
const REFUSED = { kind: 'error', error: 'invalid_blocks' } as const;
const NO_ACCESS = { kind: 'error', error: 'token_revoked' } as const;

test('a notification that Slack refuses for good is sent once and then given up', async () => {
  const faults = [() => REFUSED, () => REFUSED];
  expect(await notifyWithFaults(faults)).toEqual([]);
  expect(faults).toHaveLength(1);
});

test('a notification whose answer was lost is looked for, so the owner reads it once', async () => {
  expect(await notifyWithFaults([() => LOST_RESPONSE])).toEqual([expect.stringMatching(/^Not sent/)]);
});

test('owners are notified once Slack accepts the token again, even after several days', async () => {
  const faults = Array.from({ length: 8 }, () => [() => LOST_REQUEST, () => NO_ACCESS]).flat();
  expect(await notifyWithFaults(faults)).toEqual([expect.stringMatching(/^Not sent/)]);
});

test('somebody who owns the workspace is told if the owner of a digest has left, once Upnext knows who', async () => {
  const lookups = [undefined, ['UMIRA', 'UTOM']];
  const running = await startWithDigest(database.db, {
    from: '2026-12-01T07:00:00Z',
    findManagers: async () => lookups.shift(),
  });
  running.slack.left.add('UANA');
  running.sleepUntil('2026-12-02T07:00:00Z');
  await running.digests.runOnce();
  expect(await running.rows()).toMatchObject([{ state: 'missed', notify_attempts: 1 }]);
  await running.runUntil('2026-12-02T07:30:00Z');
  expect(running.texts('DMIRA')).toEqual([expect.stringMatching(/^I couldn’t reach <@UANA>, .* Not sent/s)]);
  expect(running.slack.messages).toHaveLength(1);
  expect(await running.rows()).toMatchObject([{ notify_at: null }]);
});

const MAX_OPEN_COUNT = 8;

test('many owners are notified once each, with only a few calls to Slack at a time', async () => {
  const running = await startWithManyOwners();
  let openCount = 0;
  let maxOpenCount = 0;
  const peak = Promise.withResolvers<void>();
  running.delayMessages(async () => {
    openCount += 1;
    maxOpenCount = Math.max(maxOpenCount, openCount);
    if (openCount === MAX_OPEN_COUNT) peak.resolve();
    await peak.promise;
    // A call too many would begin now.
    await nextTurn();
    openCount -= 1;
  });
  running.sleepUntil('2026-12-02T07:00:00Z');
  await Promise.all([running.digests.runOnce(), running.digests.runOnce(), running.digests.runOnce()]);
  await running.runUntil('2026-12-02T07:30:00Z');
  expect(running.slack.messages).toHaveLength(OWNER_COUNT);
  expect(maxOpenCount).toBe(MAX_OPEN_COUNT);
});
