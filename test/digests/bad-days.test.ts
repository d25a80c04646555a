import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { AGAIN, RESUME, THERE } from '../../src/digests/action-ids.ts';
import { pauseDigests } from '../../src/digests/sql/digests.ts';
import { composePlainly, openDigestDatabase, settings, startDigests } from '../support/digest-machine.ts';
import { press } from '../support/digest-presses.ts';
import type { Trouble } from '../support/digest-slack.ts';

let database: Awaited<ReturnType<typeof openDigestDatabase>>;
beforeAll(async () => {
  database = await openDigestDatabase();
});
afterAll(() => database.close());

const start = (from = '2026-12-01T07:00:00Z') => startDigests(database.db, { from });
/** The first calls of a method go wrong like this. */
function first(times: number, method: string, trouble: Trouble) {
  let left = times;
  return (called: string) => (called === method && left-- > 0 ? trouble : undefined);
}
const CUT_AFTER = { kind: 'cut', commit: 'first' } as const;
const CUT_BEFORE = { kind: 'cut', commit: 'never' } as const;

describe('after nothing ran', () => {
  test('a digest of this morning comes late and says so; one of yesterday is told as missed, once', async () => {
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

  test('a few minutes past midnight still belong to the day that was meant', async () => {
    const running = await start();
    await running.digests.save(settings({ time: { hour: 23, minute: 55 } }), 'UANA');
    running.sleepUntil('2026-12-01T23:20:00Z');
    await running.runUntil('2026-12-01T23:25:00Z');
    expect(running.texts()).toHaveLength(1);
  });

  test('after more than twelve hours of the same day it is missed', async () => {
    const running = await start('2026-12-01T05:00:00Z');
    await running.digests.save(settings({ time: { hour: 7, minute: 0 } }), 'UANA');
    running.sleepUntil('2026-12-01T18:30:00Z');
    await running.runUntil('2026-12-01T19:00:00Z');
    expect(running.texts()).toEqual([]);
    expect(running.texts('DANA')).toHaveLength(1);
  });
});

describe('where Slack does not answer', () => {
  test('a message that is there is found, and not posted again', async () => {
    const running = await start();
    await running.digests.save(settings(), 'UANA');
    running.trouble(first(1, 'chat.postMessage', CUT_AFTER));
    await running.runUntil('2026-12-01T12:00:00Z');
    expect(running.texts()).toHaveLength(1);
    expect(running.texts('DANA')).toEqual([]);
    expect(await running.rows()).toMatchObject([{ state: 'posted', why: 'found' }]);
  });

  test('one that is not to be found is asked for, and posted again only when its owner says so', async () => {
    const running = await start();
    await running.digests.save(settings(), 'UANA');
    running.trouble(first(1, 'chat.postMessage', CUT_BEFORE));
    await running.runUntil('2026-12-01T12:00:00Z');
    expect(running.texts()).toEqual([]);
    expect(running.texts('DANA')).toEqual([expect.stringContaining('Is it there?')]);
    const [row] = await running.rows();
    expect(await press(running.digests, AGAIN, row ?? { id: '', workspace: '' })).toContain(
      'I post it again now',
    );
    await running.runUntil('2026-12-01T12:05:00Z');
    expect(running.texts()).toEqual([expect.stringContaining('asked for')]);
    expect(await press(running.digests, AGAIN, row ?? { id: '', workspace: '' })).toContain('settled');
    await running.runUntil('2026-12-01T12:10:00Z');
    expect(running.texts()).toHaveLength(1);
  });

  test('what its owner finds there is not posted again, and what came late is found by the press itself', async () => {
    const running = await start();
    await running.digests.save(settings(), 'UANA');
    running.trouble(first(1, 'chat.postMessage', { kind: 'cut', commit: { lateMs: 600_000 } }));
    await running.runUntil('2026-12-01T10:00:00Z');
    const [row] = await running.rows();
    running.slack.settle();
    expect(await press(running.digests, AGAIN, row ?? { id: '', workspace: '' })).toContain('found it there');
    await running.runUntil('2026-12-01T11:00:00Z');
    expect(running.texts()).toHaveLength(1);

    running.trouble(first(1, 'chat.postMessage', CUT_BEFORE));
    await running.runUntil('2026-12-02T10:00:00Z');
    const uncertain = (await running.rows()).find(({ state }) => state === 'uncertain');
    await press(running.digests, THERE, uncertain ?? { id: '', workspace: '' });
    await running.runUntil('2026-12-02T12:00:00Z');
    expect(running.texts()).toHaveLength(1);
    expect((await running.rows()).map(({ state }) => state)).toEqual(['posted', 'posted']);
  });

  test('without the right to look there, its owner is asked at once', async () => {
    const running = await start();
    await running.digests.save(settings(), 'UANA');
    const cut = first(1, 'chat.postMessage', CUT_AFTER);
    running.trouble((method) =>
      method === 'conversations.history' ? { kind: 'error', error: 'missing_scope' } : cut(method),
    );
    await running.runUntil('2026-12-01T08:01:00Z');
    expect(running.texts('DANA')).toEqual([expect.stringContaining('Is it there?')]);
  });

  test('where Slack lets us look once a minute, it waits for that', async () => {
    const running = await start();
    await running.digests.save(settings(), 'UANA');
    const [cut, limited] = [
      first(1, 'chat.postMessage', CUT_AFTER),
      first(2, 'conversations.history', { kind: 'ratelimited', seconds: 60 }),
    ];
    running.trouble((method) => cut(method) ?? limited(method));
    await running.runUntil('2026-12-01T08:05:00Z');
    expect(await running.rows()).toMatchObject([{ state: 'posted', why: 'found' }]);
    expect(running.slack.calls['conversations.history']).toBe(3);
  });

  test('once it is removed nobody is asked whether it came, before and after', async () => {
    const running = await start();
    const digest = await running.digests.save(settings(), 'UANA');
    const at = { workspace: 'T1', id: digest?.id ?? '' };
    running.trouble(first(1, 'chat.postMessage', CUT_BEFORE));
    await running.runUntil('2026-12-01T12:00:00Z');
    const [row] = await running.rows();
    expect(row?.state).toBe('uncertain');
    await running.digests.remove(at);
    expect(await running.rows()).toMatchObject([{ state: 'paused', why: 'removed', tell_at: null }]);
    expect(await press(running.digests, THERE, row ?? at)).toContain('not there any more');

    const other = await running.digests.save(settings({ channel: 'C2' }), 'UANA');
    running.trouble(first(1, 'chat.postMessage', CUT_BEFORE));
    await running.runUntil('2026-12-02T08:00:01Z');
    await running.digests.remove({ workspace: 'T1', id: other?.id ?? '' });
    await running.runUntil('2026-12-02T12:00:00Z');
    const states = (await running.rows()).map(({ state }) => state);
    expect(states).toEqual(['paused', 'paused']);
    expect(running.texts('DANA').filter((text) => text.includes('<#C2>'))).toEqual([]);
  });

  test('a press of a stranger’s workspace changes nothing', async () => {
    const running = await start();
    await running.digests.save(settings(), 'UANA');
    running.trouble(first(1, 'chat.postMessage', CUT_BEFORE));
    await running.runUntil('2026-12-01T12:00:00Z');
    const [row] = await running.rows();
    expect(await press(running.digests, AGAIN, { id: row?.id ?? '', workspace: 'T2' })).toContain(
      'not there any more',
    );
    expect(await running.rows()).toMatchObject([{ state: 'uncertain' }]);
  });
});

describe('where there is nowhere to post', () => {
  test.each([
    ['is_archived', 'the channel is archived'],
    ['channel_not_found', 'I am not in the channel any more'],
    ['not_in_channel', 'I am not in the channel any more'],
    ['restricted_action', 'I may not post there'],
  ])('%s pauses the channel, and its owner can resume it', async (error, words) => {
    const running = await start();
    await running.digests.save(settings({ time: { hour: 17, minute: 0 } }), 'UBEN');
    const digest = await running.digests.save(settings(), 'UANA');
    await running.digests.save(settings({ channel: 'C2', time: { hour: 10, minute: 0 } }), 'UANA');
    running.trouble(first(1, 'chat.postMessage', { kind: 'error', error }));
    await running.runUntil('2026-12-01T20:00:00Z');
    expect(running.texts()).toEqual([]);
    expect(running.texts('C2')).toHaveLength(1);
    expect(running.texts('DANA')).toEqual([expect.stringContaining(words)]);
    expect(running.texts('DBEN')).toEqual([expect.stringContaining(words)]);
    const id = digest?.id ?? '';
    expect(await press(running.digests, RESUME, { id, workspace: 'T1' })).toContain(
      'Next: Wed 2 Dec, 09:00 (Berlin)',
    );
    await running.runUntil('2026-12-02T20:00:00Z');
    expect(running.texts()).toEqual([`digest ${id} for 2026-12-02`]);
  });

  test.each(['token_revoked', 'invalid_auth', 'app_uninstalled'])(
    '%s pauses the workspace, and its owners are told when there is a token again',
    async (error) => {
      const running = await start();
      await running.digests.save(settings({ channel: 'C3', time: { hour: 10, minute: 0 } }), 'UBEN');
      await running.digests.save(settings(), 'UANA');
      await running.digests.save(settings({ workspace: 'T2', channel: 'C9' }), 'UZOE');
      let isRevoked = true;
      running.trouble((method) =>
        isRevoked && method === 'chat.postMessage' ? { kind: 'error', error } : undefined,
      );
      running.sleepUntil('2026-12-01T08:00:00Z');
      await pauseDigests(running.db, { workspace: 'T2' }, { why: 'asked', at: running.now(), tellAt: null });
      await running.runUntil('2026-12-01T15:00:00Z');
      expect(running.slack.messages).toEqual([]);
      isRevoked = false;
      await running.digests.release('T1');
      await running.runUntil('2026-12-01T15:01:00Z');
      for (const owner of ['DANA', 'DBEN']) {
        expect(running.texts(owner)).toEqual([expect.stringContaining('Slack did not let me in')]);
      }
    },
  );

  test('an account that is called inactive pauses the workspace only once that has lasted', async () => {
    const running = await start();
    await running.digests.save(settings(), 'UANA');
    const inactive: Trouble = { kind: 'error', error: 'account_inactive' };
    running.trouble(first(5, 'chat.postMessage', inactive));
    await running.runUntil('2026-12-01T12:00:00Z');
    expect(running.texts()).toHaveLength(1);
    running.trouble((method) => (method === 'chat.postMessage' ? inactive : undefined));
    await running.runUntil('2026-12-02T08:10:00Z');
    expect((await running.rows()).at(-1)).toMatchObject({ state: 'due' });
    await running.runUntil('2026-12-02T08:20:00Z');
    expect((await running.rows()).at(-1)).toMatchObject({ state: 'paused' });
  });

  test('a channel that other organisations read now is paused; who resumes it knows', async () => {
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

  test('a deleted project pauses the digest that is about it', async () => {
    const running = await start();
    running.compose(async () => ({ kind: 'gone', project: 'p1' }));
    await running.digests.save(settings(), 'UANA');
    await running.runUntil('2026-12-01T12:00:00Z');
    expect(running.texts('DANA')).toEqual([
      expect.stringContaining('a project that it is about is no longer there'),
    ]);
    expect(await running.rows()).toMatchObject([{ state: 'paused' }]);
  });

  test('one 404 of the service pauses nothing: the digest comes once the service answers', async () => {
    const running = await start();
    let calls = 0;
    running.compose(async (digest, occasion) => {
      calls += 1;
      if (calls > 1) return composePlainly(digest, occasion);
      return { kind: 'failed', outcome: { kind: 'refused', status: 404, requestId: 'r' } };
    });
    await running.digests.save(settings(), 'UANA');
    await running.runUntil('2026-12-01T12:00:00Z');
    expect(running.texts()).toHaveLength(1);
    expect(running.texts('DANA')).toEqual([]);
  });
});

test('a digest that one organisation may read stops when another joins', async () => {
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

describe('where something could not be found out', () => {
  test('a channel of which Slack leaves out whether it is shared is not taken for internal', async () => {
    const running = await start();
    await running.digests.save(settings(), 'UANA');
    running.slack.shared.set('C1', 'not said');
    await running.runUntil('2026-12-01T08:10:00Z');
    expect(running.texts()).toEqual([]);
    expect(await running.rows()).toMatchObject([{ state: 'due', why: 'not-checked' }]);
    running.slack.shared.clear();
    await running.runUntil('2026-12-01T09:30:00Z');
    expect(running.texts()).toHaveLength(1);
  });

  test('a digest waits until Slack says who reads its channel', async () => {
    const running = await start();
    await running.digests.save(settings(), 'UANA');
    running.slack.shared.set('C1', ['T0ROASTER']);
    running.trouble(first(3, 'users.conversations', { kind: 'ratelimited', seconds: 30 }));
    await running.runUntil('2026-12-01T12:00:00Z');
    expect(running.texts()).toEqual([]);
    expect(running.texts('DANA')).toEqual([expect.stringContaining('shared with another organisation')]);
  });

  test('without the right to look there, it goes by what Slack told it before', async () => {
    const running = await start();
    await running.digests.save(settings(), 'UANA');
    running.trouble((method) =>
      method === 'users.conversations' ? { kind: 'error', error: 'missing_scope' } : undefined,
    );
    await running.runUntil('2026-12-01T12:00:00Z');
    expect(running.texts()).toHaveLength(1);
  });

  test('whether the app is installed, a digest waits, and is not paused', async () => {
    const running = await start();
    await running.digests.save(settings(), 'UANA');
    running.found('unknown');
    await running.runUntil('2026-12-01T08:30:00Z');
    expect(await running.rows()).toMatchObject([{ state: 'due', why: 'not-checked' }]);
    running.found('installed');
    await running.runUntil('2026-12-01T12:00:00Z');
    expect(running.texts()).toHaveLength(1);
    expect(running.texts('DANA')).toEqual([]);
  });

  test('what a reader may see, their own digest waits, and then does not blame the service', async () => {
    const running = await start();
    running.compose(async () => ({ kind: 'not-checked' }));
    await running.digests.save(settings({ channel: 'UANA' }), 'UANA');
    await running.runUntil('2026-12-01T08:20:00Z');
    expect(running.texts('DANA')).toEqual([]);
    expect(await running.rows()).toMatchObject([{ state: 'due', why: 'not-checked' }]);
    await running.runUntil('2026-12-01T12:00:00Z');
    expect(running.texts('DANA')).toEqual([
      expect.stringContaining("I couldn't check which projects you may see"),
    ]);
  });
});
