import { describe, expect, test } from 'vitest';
import { setUpBotDatabase } from '../support/set-up-database.ts';
import { startDigests } from '../support/start-digests.ts';

const database = await setUpBotDatabase();

const start = () => startDigests(database.db, { from: '2026-12-01T07:00:00Z' });
type Running = Awaited<ReturnType<typeof start>>;

/** Saves two digests. Changes the kind of the first one to a kind that only another version can read. */
async function saveReadableAndUnreadable(running: Running) {
  const { id } = await running.save({ channel: 'C9' }, 'UZOE');
  await running.save();
  await setKind(running, id, 'monthly');
  return id;
}
const setKind = ({ db }: Running, id: string, kind: string) =>
  db.updateTable('digest').set({ kind }).where('id', '=', id).execute();
const findExclusionLines = ({ errors }: Running) => errors.filter((line) => line.includes('excluded'));

describe('a digest that this version can’t read', () => {
  test('an unreadable digest doesn’t delay other digests, is logged once per exclusion, and is sent once it can be read', async () => {
    const running = await start();
    const id = await saveReadableAndUnreadable(running);
    await running.runUntil('2026-12-01T07:50:00Z');
    running.errors.length = 0;
    await running.runUntil('2026-12-01T08:04:00Z');
    expect(running.texts('C1')).toHaveLength(1);
    expect(running.texts('C9')).toEqual([]);
    expect(findExclusionLines(running)).toEqual([expect.stringContaining(id)]);
    await setKind(running, id, 'daily');
    await running.runUntil('2026-12-01T08:20:00Z');
    expect(running.texts('C9')).toHaveLength(1);
  });

  test('an unreadable digest is claimed at once by an instance that can read it', async () => {
    const running = await start();
    const id = await saveReadableAndUnreadable(running);
    await running.runUntil('2026-12-01T08:01:00Z');
    await setKind(running, id, 'daily');
    running.restart();
    await running.runUntil('2026-12-01T08:02:00Z');
    expect(running.texts('C9')).toHaveLength(1);
  });

  test('an unreadable digest that is due waits for an instance that can read it, and other digests are sent', async () => {
    const running = await start();
    const id = await saveReadableAndUnreadable(running);
    await running.digests.sendNow({ workspace: 'T1', id }, 'press');
    await running.runUntil('2026-12-01T08:01:00Z');
    expect(running.texts('C1')).toHaveLength(1);
    const requestedRows = (await running.rows()).filter(({ digest }) => digest === id);
    expect(requestedRows).toMatchObject([{ state: 'due', lease_until: null }]);
    await setKind(running, id, 'daily');
    running.restart();
    await running.runUntil('2026-12-01T08:02:00Z');
    expect(running.texts('C9')).toContainEqual(expect.stringContaining('asked for'));
  });

  test('an unreadable digest doesn’t delay notifications about other pauses', async () => {
    const running = await start();
    await saveReadableAndUnreadable(running);
    await running.digests.pauseChannel({ workspace: 'T1', channel: 'C9' }, 'archived');
    await running.digests.pauseChannel({ workspace: 'T1', channel: 'C1' }, 'archived');
    await running.runUntil('2026-12-01T07:10:00Z');
    expect(running.texts('DANA')).toHaveLength(1);
    expect(running.texts('DZOE')).toEqual([]);
  });

  test('the list of digests counts an unreadable digest', async () => {
    const running = await start();
    await saveReadableAndUnreadable(running);
    const { digests, unreadableCount } = await running.digests.list({ workspace: 'T1' });
    expect(digests.map(({ channel }) => channel)).toEqual(['C1']);
    expect(unreadableCount).toBe(1);
  });
});

test('a digest whose processing keeps failing is excluded, and other digests are sent', async () => {
  const running = await start();
  const { id } = await running.save({ channel: 'C9' }, 'UZOE');
  await running.save();
  await running.runUntil('2026-12-01T08:00:10Z');
  await running.db
    .updateTable('digest_occurrence')
    .set({ state: 'following-up', follow_ups: 'no sealed list', next_at: running.now() })
    .where('digest', '=', id)
    .execute();
  await running.runUntil('2026-12-01T08:06:00Z');
  expect(findExclusionLines(running)).toHaveLength(1);
  // The first attempt, and a second attempt after the lease expired.
  expect(running.errors.filter((line) => line.includes('step of a delivery failed'))).toHaveLength(2);
  expect(running.texts('C1')).toHaveLength(1);
});
