import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { RESUME } from '../../src/digests/action-ids.ts';
import { pauseDigests } from '../../src/digests/sql/digests.ts';
import { composeTestMessage, openDigestDatabase, settings, startDigests } from '../support/digest-machine.ts';
import { press } from '../support/digest-presses.ts';
import { firstCalls, type SlackFault } from '../support/digest-slack.ts';

let database: Awaited<ReturnType<typeof openDigestDatabase>>;
beforeAll(async () => {
  database = await openDigestDatabase();
});
afterAll(() => database.close());

const start = (from = '2026-12-01T07:00:00Z') => startDigests(database.db, { from });

describe('after an outage of the app', () => {
  test('after an outage, this morning’s digest comes late and says so; the owner is notified once that yesterday’s was missed', async () => {
    const running = await start();
    const digest = await running.digests.save(settings(), 'UANA');
    running.sleepUntil('2026-12-02T10:00:00Z');
    await running.runUntil('2026-12-02T20:00:00Z');
    expect(running.texts()).toEqual([`digest ${digest?.id} for 2026-12-02, late`]);
    expect(running.texts('DANA')).toEqual([
      expect.stringMatching(
        /^Not posted: .*\n• <#C1>, daily at 09:00 \(Berlin\): Tue 1 Dec, 09:00 \(Berlin\)\n/,
      ),
    ]);
  });

  test('a digest due just before midnight is still sent a few minutes after it', async () => {
    const running = await start();
    await running.digests.save(settings({ time: { hour: 23, minute: 55 } }), 'UANA');
    running.sleepUntil('2026-12-01T23:20:00Z');
    await running.runUntil('2026-12-01T23:25:00Z');
    expect(running.texts()).toHaveLength(1);
  });

  test('a digest is missed after twelve hours, even on the same day', async () => {
    const running = await start('2026-12-01T05:00:00Z');
    await running.digests.save(settings({ time: { hour: 7, minute: 0 } }), 'UANA');
    running.sleepUntil('2026-12-01T18:30:00Z');
    await running.runUntil('2026-12-01T19:00:00Z');
    expect(running.texts()).toEqual([]);
    expect(running.texts('DANA')).toHaveLength(1);
  });
});

describe('when Slack refuses the channel or the app', () => {
  test.each([
    ['is_archived', 'the channel is archived'],
    ['channel_not_found', 'I am not in the channel any more'],
    ['not_in_channel', 'I am not in the channel any more'],
    ['restricted_action', 'I may not post there'],
  ])(
    'the error %s pauses the digests of the channel, and their owner can resume them',
    async (error, expectedText) => {
      const running = await start();
      await running.digests.save(settings({ time: { hour: 17, minute: 0 } }), 'UBEN');
      const digest = await running.digests.save(settings(), 'UANA');
      await running.digests.save(settings({ channel: 'C2', time: { hour: 10, minute: 0 } }), 'UANA');
      running.setFault(firstCalls(1, 'chat.postMessage', { kind: 'error', error }));
      await running.runUntil('2026-12-01T20:00:00Z');
      expect(running.texts()).toEqual([]);
      expect(running.texts('C2')).toHaveLength(1);
      expect(running.texts('DANA')).toEqual([expect.stringContaining(expectedText)]);
      expect(running.texts('DBEN')).toEqual([expect.stringContaining(expectedText)]);
      const id = digest?.id ?? '';
      expect(await press(running.digests, RESUME, { id, workspace: 'T1' })).toContain(
        'Next: Wed 2 Dec, 09:00 (Berlin)',
      );
      await running.runUntil('2026-12-02T20:00:00Z');
      expect(running.texts()).toEqual([`digest ${id} for 2026-12-02`]);
    },
  );

  test.each(['token_revoked', 'invalid_auth', 'app_uninstalled'])(
    'the error %s pauses the workspace, and the owners of its digests are notified once Slack accepts a token',
    async (error) => {
      const running = await start();
      await running.digests.save(settings({ channel: 'C3', time: { hour: 10, minute: 0 } }), 'UBEN');
      await running.digests.save(settings(), 'UANA');
      await running.digests.save(settings({ workspace: 'T2', channel: 'C9' }), 'UZOE');
      let isRevoked = true;
      running.setFault((method) =>
        isRevoked && method === 'chat.postMessage' ? { kind: 'error', error } : undefined,
      );
      running.sleepUntil('2026-12-01T08:00:00Z');
      await pauseDigests(
        running.db,
        { workspace: 'T2' },
        { reason: 'requested', pausedAt: running.now(), notifyAt: null },
      );
      await running.runUntil('2026-12-01T15:00:00Z');
      expect(running.slack.messages).toEqual([]);
      isRevoked = false;
      await running.digests.wakeNotifications('T1');
      await running.runUntil('2026-12-01T15:01:00Z');
      for (const owner of ['DANA', 'DBEN']) {
        expect(running.texts(owner)).toEqual([expect.stringContaining('Slack did not let me in')]);
      }
    },
  );

  test('an inactive bot account pauses the workspace only if the account stays inactive', async () => {
    const running = await start();
    await running.digests.save(settings(), 'UANA');
    const inactive: SlackFault = { kind: 'error', error: 'account_inactive' };
    running.setFault(firstCalls(5, 'chat.postMessage', inactive));
    await running.runUntil('2026-12-01T12:00:00Z');
    expect(running.texts()).toHaveLength(1);
    running.setFault((method) => (method === 'chat.postMessage' ? inactive : undefined));
    await running.runUntil('2026-12-02T08:10:00Z');
    expect((await running.rows()).at(-1)).toMatchObject({ state: 'due' });
    await running.runUntil('2026-12-02T08:20:00Z');
    expect((await running.rows()).at(-1)).toMatchObject({ state: 'paused' });
  });

  test('a channel that becomes shared is paused until an owner resumes its digest', async () => {
    const running = await start();
    const digest = await running.digests.save(settings(), 'UANA');
    running.slack.shared.set('C1', ['T0ROASTER']);
    await running.runUntil('2026-12-01T12:00:00Z');
    expect(running.texts()).toEqual([]);
    expect(running.texts('DANA')).toEqual([expect.stringContaining('shared with another organisation')]);
    await press(running.digests, RESUME, { id: digest?.id ?? '', workspace: 'T1' });
    await running.runUntil('2026-12-02T12:00:00Z');
    expect(running.texts()).toHaveLength(1);
  });

  test('a deleted project pauses its digest', async () => {
    const running = await start();
    running.setComposer(async () => ({ kind: 'gone', project: 'p1' }));
    await running.digests.save(settings(), 'UANA');
    await running.runUntil('2026-12-01T12:00:00Z');
    expect(running.texts('DANA')).toEqual([
      expect.stringContaining('a project that it is about is no longer there'),
    ]);
    expect(await running.rows()).toMatchObject([{ state: 'paused' }]);
  });

  test('a 404 from the service doesn’t pause a digest, which comes once the service answers', async () => {
    const running = await start();
    let calls = 0;
    running.setComposer(async (digest, request) => {
      calls += 1;
      if (calls > 1) return composeTestMessage(digest, request);
      return { kind: 'failed', outcome: { kind: 'refused', status: 404, requestId: 'r' } };
    });
    await running.digests.save(settings(), 'UANA');
    await running.runUntil('2026-12-01T12:00:00Z');
    expect(running.texts()).toHaveLength(1);
    expect(running.texts('DANA')).toEqual([]);
  });
});

test('a digest shared with one organisation is paused when another joins', async () => {
  const running = await start();
  await running.digests.save(settings({ sharedWith: ['T0ROASTER'] }), 'UANA');
  running.slack.shared.set('C1', ['T0ROASTER']);
  await running.runUntil('2026-12-01T12:00:00Z');
  expect(running.texts()).toHaveLength(1);
  running.slack.shared.set('C1', ['T0ROASTER', 'T0BOOKS']);
  await running.runUntil('2026-12-02T12:00:00Z');
  expect(running.texts()).toHaveLength(1);
  expect(running.texts('DANA')).toEqual([expect.stringContaining('shared with another organisation')]);
});

describe('when a check fails', () => {
  test('a channel counts as internal only if Slack says so', async () => {
    const running = await start();
    await running.digests.save(settings(), 'UANA');
    running.slack.shared.set('C1', 'unknown');
    await running.runUntil('2026-12-01T08:10:00Z');
    expect(running.texts()).toEqual([]);
    expect(await running.rows()).toMatchObject([{ state: 'due', reason: 'not-checked' }]);
    running.slack.shared.clear();
    await running.runUntil('2026-12-01T09:30:00Z');
    expect(running.texts()).toHaveLength(1);
  });

  test('a digest waits until Slack says which organisations share its channel', async () => {
    const running = await start();
    await running.digests.save(settings(), 'UANA');
    running.slack.shared.set('C1', ['T0ROASTER']);
    running.setFault(firstCalls(3, 'users.conversations', { kind: 'ratelimited', seconds: 30 }));
    await running.runUntil('2026-12-01T12:00:00Z');
    expect(running.texts()).toEqual([]);
    expect(running.texts('DANA')).toEqual([expect.stringContaining('shared with another organisation')]);
  });

  test('without permission to list channels, a digest is sent', async () => {
    const running = await start();
    await running.digests.save(settings(), 'UANA');
    running.setFault((method) =>
      method === 'users.conversations' ? { kind: 'error', error: 'missing_scope' } : undefined,
    );
    await running.runUntil('2026-12-01T12:00:00Z');
    expect(running.texts()).toHaveLength(1);
  });

  test('a digest waits, and isn’t paused, if it is unknown whether the app is installed', async () => {
    const running = await start();
    await running.digests.save(settings(), 'UANA');
    running.setInstallation('unknown');
    await running.runUntil('2026-12-01T08:30:00Z');
    expect(await running.rows()).toMatchObject([{ state: 'due', reason: 'not-checked' }]);
    running.setInstallation('installed');
    await running.runUntil('2026-12-01T12:00:00Z');
    expect(running.texts()).toHaveLength(1);
    expect(running.texts('DANA')).toEqual([]);
  });

  test('a personal digest waits if the reader’s permissions are unknown, and doesn’t blame the service', async () => {
    const running = await start();
    running.setComposer(async () => ({ kind: 'not-checked' }));
    await running.digests.save(settings({ channel: 'UANA' }), 'UANA');
    await running.runUntil('2026-12-01T08:20:00Z');
    expect(running.texts('DANA')).toEqual([]);
    expect(await running.rows()).toMatchObject([{ state: 'due', reason: 'not-checked' }]);
    await running.runUntil('2026-12-01T12:00:00Z');
    expect(running.texts('DANA')).toEqual([
      expect.stringContaining("I couldn't check which projects you may see"),
    ]);
  });
});
