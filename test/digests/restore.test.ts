import { expect, test } from 'vitest';
import { DIGEST_OCCURRENCES } from '../../src/digests/create-occurrences.ts';
import { setUpBotDatabase } from '../support/set-up-database.ts';
import { settings, startDigests } from '../support/start-digests.ts';

const database = await setUpBotDatabase();

/** Starts with a digest on weekdays at 9:00 in Berlin, which is 8:00 UTC. */
const startWithDigest = async () => {
  const running = await startDigests(database.db, { from: '2026-12-01T12:00:00Z' });
  await running.digests.save(settings(), 'U1');
  return running;
};
/** Resolves with the numbers that the operator reads. */
const restore = async ({ now }: { now(): Date }) => {
  const counts = await DIGEST_OCCURRENCES.restore(database.db, now());
  return counts.map(({ label, count }) => `${label}: ${count}`);
};

test('the owner is asked about a digest that became due after the backup, and the next digest is sent as usual', async () => {
  const running = await startWithDigest();
  running.sleepUntil('2026-12-02T10:00:00Z');
  expect(await restore(running)).toEqual([
    'Unfinished digests: 0',
    'Digests that were due since the backup: 1',
  ]);
  await running.runUntil('2026-12-02T12:00:00Z');
  expect(running.texts('C1')).toEqual([]);
  expect(running.texts('D1')).toEqual([
    expect.stringMatching(
      /^I don’t know whether I sent the digest of .*, because my data was restored from a backup\./,
    ),
  ]);
  await running.runUntil('2026-12-03T08:05:00Z');
  expect(running.texts('C1')).toHaveLength(1);
});

test('the owner is notified that the outcome of digests from days ago is unknown', async () => {
  const running = await startWithDigest();
  running.sleepUntil('2026-12-04T12:00:00Z');
  expect(await restore(running)).toEqual([
    'Unfinished digests: 0',
    'Digests that were due since the backup: 3',
  ]);
  await running.runUntil('2026-12-04T13:00:00Z');
  expect(running.texts('C1')).toEqual([]);
  const notifications = running.texts('D1').join('\n');
  expect(notifications).toContain('Unknown: my data was restored from a backup');
  expect(notifications).not.toContain('I wasn’t running');
});

test('a digest that was due in the backup is found if it was sent after the backup', async () => {
  const running = await startWithDigest();
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
  expect(running.texts('D1')).toEqual([]);
  expect(await running.rows()).toMatchObject([{ state: 'sent' }]);
});

test('after a restore, a digest that was sent late is found too, and the owner is asked about a digest that isn’t found', async () => {
  const running = await startWithDigest();
  await running.runUntil('2026-12-02T08:05:00Z');
  const dueColumns = {
    ...({ state: 'due', ts: null, sending_at: null, due_at: new Date('2026-12-02T04:00:00Z') } as const),
  };
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
  expect(running.texts('D1')).toEqual([expect.stringMatching(/^I don’t know whether I sent/)]);
});
