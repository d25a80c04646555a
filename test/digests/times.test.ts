import { describe, expect, test } from 'vitest';
import { createKeyWithPrecondition, type DigestSettings } from '../../src/digests/digest.ts';
import { pauseDigests } from '../../src/digests/sql/digests.ts';
import { setUpBotDatabase } from '../support/set-up-database.ts';
import { settings, startDigests, startWithDigest } from '../support/start-digests.ts';

const database = await setUpBotDatabase();

const start = (changes?: Partial<DigestSettings>, from = '2026-12-01T07:00:00Z') =>
  startWithDigest(database.db, { from }, changes);
const AT_FIVE = settings({ time: { hour: 17, minute: 0 } });
const DAY_MS = 24 * 60 * 60 * 1000;

describe('changing a digest', () => {
  test('the new time of a digest applies from the first date whose digest wasn’t sent yet', async () => {
    const running = await start();
    const { id } = running.digest;
    await running.runUntil('2026-12-01T09:00:00Z');
    const changedDigest = await running.digests.save({ ...AT_FIVE, id }, 'UBEN');
    expect(changedDigest).toMatchObject({
      nextSlot: { date: '2026-12-02', instant: new Date('2026-12-02T16:00:00Z') },
      owner: 'UANA',
    });
    expect(await running.runUntil('2026-12-02T20:00:00Z')).toEqual([
      `digest ${id} for 2026-12-01`,
      `digest ${id} for 2026-12-02`,
    ]);
  });

  test('a change to a digest is refused if its projects changed after the actor’s permission was checked', async () => {
    const { digests, digest: loadedDigest } = await start({ projects: ['p1'] });
    const { id } = loadedDigest;
    const changedDigest = await digests.save({ ...settings({ projects: ['p2'] }), id }, 'UBEN');
    const key = createKeyWithPrecondition(loadedDigest);
    expect(await digests.save({ ...settings(), id, loadedDigest }, 'UANA')).toBeUndefined();
    expect(await digests.pause(key)).toBeUndefined();
    expect(await digests.sendNow(key, 'press')).toBe('gone');
    expect(await digests.remove(key)).toBe(false);
    expect(await digests.find(loadedDigest)).toEqual(changedDigest);
    await digests.pause({ workspace: 'T1', id });
    expect(await digests.resume(key)).toBeUndefined();
    // Control: changes with the current key succeed.
    const currentKey = createKeyWithPrecondition(changedDigest ?? loadedDigest);
    expect(await digests.resume(currentKey)).toMatchObject({ state: 'on' });
    expect(await digests.remove(currentKey)).toBe(true);
  });

  test('a change to a digest that is paused meanwhile is refused, and doesn’t resume it', async () => {
    let key: { workspace: string; id: string } | undefined;
    // The pause comes as soon as the change has read the digest.
    const db = database.db.withPlugin({
      transformQuery: ({ node }) => node,
      async transformResult({ result }) {
        const pausedKey = result.rows.some((row) => row.state === 'on') ? key : undefined;
        if (!pausedKey) return result;
        key = undefined;
        const now = new Date('2026-12-01T07:00:00Z');
        await pauseDigests(database.db, pausedKey, { reason: 'archived', now });
        return result;
      },
    });
    const { digests } = await startDigests(db, { from: '2026-12-01T07:00:00Z' });
    const { id = '' } = (await digests.save(settings(), 'UANA')) ?? {};
    const save = () => digests.save({ ...AT_FIVE, id }, 'UANA');
    key = { workspace: 'T1', id };
    expect(await save()).toBeUndefined();
    expect(await digests.find({ workspace: 'T1', id })).toMatchObject({
      ...{ state: 'paused', pauseReason: 'archived', time: { hour: 9, minute: 0 } },
    });
    // Control: the next change is saved, and resumes what Upnext has paused.
    expect(await save()).toMatchObject({ state: 'on', time: { hour: 17, minute: 0 } });
  });

  test('after a move to a zone further west, a date whose digest was already sent is skipped', async () => {
    const running = await start({ zone: 'Pacific/Auckland' }, '2026-12-01T15:00:00Z');
    const { id } = running.digest;
    expect(await running.runUntil('2026-12-01T21:00:00Z')).toEqual([`digest ${id} for 2026-12-02`]);
    const changedDigest = await running.digests.save(
      { ...settings({ zone: 'Pacific/Honolulu' }), id },
      'UANA',
    );
    expect(changedDigest?.nextSlot?.date).toBe('2026-12-03');
  });

  test('a paused digest isn’t sent, and a resumed digest continues with its next date', async () => {
    const running = await start();
    const key = running.digest;
    expect(await running.digests.pause(key)).toMatchObject({ state: 'paused', pauseReason: 'requested' });
    await running.runUntil('2026-12-03T12:00:00Z');
    expect(await running.digests.resume(key)).toMatchObject({
      state: 'on',
      nextSlot: { date: '2026-12-04' },
    });
    await running.runUntil('2026-12-04T12:00:00Z');
    expect(running.slack.messages.map(({ text }) => text)).toEqual([`digest ${key.id} for 2026-12-04`]);
  });

  test('a digest that was due before its settings were changed is still sent', async () => {
    const running = await start();
    const { id } = running.digest;
    running.sleepUntil('2026-12-01T08:30:00Z');
    await running.digests.save({ ...AT_FIVE, id }, 'UANA');
    expect(await running.runUntil('2026-12-01T20:00:00Z')).toEqual([`digest ${id} for 2026-12-01, late`]);
  });

  test('a removed digest is no longer sent', async () => {
    const running = await start();
    expect(await running.digests.remove({ ...running.digest, workspace: 'T2' })).toBe(false);
    expect(await running.digests.remove(running.digest)).toBe(true);
    await running.runUntil('2026-12-02T12:00:00Z');
    expect(running.slack.messages).toEqual([]);
    expect((await running.digests.list({ workspace: 'T1' })).digests).toEqual([]);
  });
});

describe('a clock that jumps', () => {
  test('if the clock jumps to 8:59 tomorrow, tomorrow’s digest is sent a minute later, and today’s is reported as missed', async () => {
    const running = await start();
    running.jump(DAY_MS + 59 * 60_000);
    expect(await running.runUntil('2026-12-02T08:01:00Z')).toEqual([
      `digest ${running.digest.id} for 2026-12-02`,
    ]);
    expect(running.texts('DANA')).toEqual([expect.stringContaining('Tue 1 Dec, 09:00')]);
  });

  test('if the clock jumps backwards, no date is repeated, and the next date is sent', async () => {
    const running = await start();
    running.jump(DAY_MS);
    await running.runUntil('2026-12-02T09:00:00Z');
    running.jump(-DAY_MS);
    await running.runUntil('2026-12-03T12:00:00Z');
    const dates = running.texts().map((text) => text.replace(`digest ${running.digest.id} for `, ''));
    expect(dates).toEqual(['2026-12-02', '2026-12-03']);
  });

  test('if the clock jumps back by a month, digests aren’t delayed by a month', async () => {
    const running = await start();
    const key = running.digest;
    await running.digests.pause(key);
    running.jump(30 * DAY_MS);
    await running.digests.resume(key);
    await running.runUntil('2026-12-31T07:30:00Z');
    running.jump(-30 * DAY_MS);
    expect(await running.runUntil('2026-12-02T12:00:00Z')).toHaveLength(2);
  });
});

test('pressing the button once sends one digest, and the scheduled digest is still sent', async () => {
  const running = await start();
  const key = running.digest;
  expect(await running.digests.sendNow(key, 'press-1')).toBe('queued');
  expect(await running.digests.sendNow(key, 'press-1')).toBe('queued');
  expect(await running.digests.sendNow({ ...key, workspace: 'T2' }, 'press-2')).toBe('gone');
  expect(await running.runUntil('2026-12-01T09:00:00Z')).toEqual([
    `digest ${key.id} for 2026-12-01, asked for`,
    `digest ${key.id} for 2026-12-01`,
  ]);
});
