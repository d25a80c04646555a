import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { CAPABILITIES } from '../../src/app/capabilities.ts';
import { resumeSending, stopSending } from '../../src/engine/sending-stop.ts';
import { setUpBotDatabase } from '../support/set-up-database.ts';
import { startDigests } from '../support/start-digests.ts';

const database = await setUpBotDatabase();

const start = (from: string, options: Partial<Parameters<typeof startDigests>[1]> = {}) =>
  startDigests(database.db, { from, ...options });

describe('a digest on weekdays at 9:00 in Berlin', () => {
  test('a weekday digest is sent once each weekday, exactly at its time, and not at the weekend', async () => {
    const running = await start('2026-11-19T10:00:00Z');
    const digest = await running.save();
    expect(digest.nextSlot).toEqual({ date: '2026-11-20', instant: new Date('2026-11-20T08:00:00Z') });
    await running.runUntil('2026-11-24T12:00:00Z');
    const dates = ['2026-11-20', '2026-11-23', '2026-11-24'];
    expect(running.texts()).toEqual(dates.map((date) => `digest ${digest.id} for ${date}`));
    expect(running.slack.messages.map(({ at }) => new Date(at).toISOString().slice(11, 19))).toEqual(
      dates.map(() => '08:00:00'),
    );
    expect((await running.rows()).map(({ state }) => state)).toEqual(['sent', 'sent', 'sent']);
  });

  test('a digest keeps its local time through both clock changes', async () => {
    const running = await start('2026-03-27T12:00:00Z');
    await running.save({ days: [1, 7] });
    await running.runUntil('2026-03-30T12:00:00Z');
    expect(running.slack.messages.map(({ at }) => new Date(at).toISOString())).toEqual([
      '2026-03-29T07:00:00.000Z',
      '2026-03-30T07:00:00.000Z',
    ]);
  });

  test('a digest is sent an hour later if a clock change skips its time, and only once if a clock change repeats its time', async () => {
    const running = await start('2026-03-28T12:00:00Z');
    await running.save({ days: [7], time: { hour: 2, minute: 30 } });
    await running.runUntil('2026-03-29T12:00:00Z');
    running.sleepUntil('2026-10-25T00:20:00Z');
    await running.runUntil('2026-10-25T12:00:00Z');
    const sentCount = running.texts().length;
    expect(sentCount).toBe(2);
    expect(
      running.slack.messages
        .filter(({ channel }) => channel === 'C1')
        .map(({ at }) => new Date(at).toISOString()),
    ).toEqual(['2026-03-29T01:30:00.000Z', '2026-10-25T00:30:00.000Z']);
  });
});

test('if the commit before a digest takes too long, the digest is sent only once, by the next scan', async () => {
  let isSlow = true;
  const running = await start('2026-11-20T07:00:00Z', {
    pace: {
      maxStartDelayMs: 50,
      onSending: async () => {
        if (isSlow) await delay(100);
        isSlow = false;
      },
    },
  });
  const callTimes: number[] = [];
  running.setFault((method) => {
    if (method === 'chat.postMessage') callTimes.push(running.now().getTime());
    return undefined;
  });
  const digest = await running.save();
  expect(await running.runUntil('2026-11-20T08:30:00Z')).toEqual([`digest ${digest.id} for 2026-11-20`]);
  expect(callTimes).toHaveLength(1);
  expect(await running.rows()).toMatchObject([{ state: 'sent' }]);
  // On a busy machine, several commits may take too long, so the exact number is unknown.
  expect((await running.rows())[0]?.attempts).toBeGreaterThan(1);
});

test('no digest is sent while sending is stopped, and today’s digest is sent late if sending resumes the same day', async () => {
  const running = await startDigests(database.db, { from: '2026-11-19T10:00:00Z' });
  await running.save();
  await stopSending(database.db, { reason: '', since: new Date() });
  expect(await running.runUntil('2026-11-20T10:00:00Z')).toEqual([]);
  await resumeSending(database.db, CAPABILITIES, new Date());
  expect(await running.runUntil('2026-11-20T11:00:00Z')).toEqual([expect.stringContaining('for 2026-11-20')]);
});
