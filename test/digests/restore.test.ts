import { afterAll, beforeAll, expect, test } from 'vitest';
import { restoreDigests } from '../../src/digests/restore.ts';
import { openDigestDatabase, settings, startDigests } from '../support/digest-machine.ts';

let database: Awaited<ReturnType<typeof openDigestDatabase>>;
beforeAll(async () => {
  database = await openDigestDatabase();
});
afterAll(() => database.close());

/** Every weekday at 9:00 in Berlin, which is 8:00 UTC. */
const begun = async () => {
  const running = await startDigests(database.db, { from: '2026-12-01T12:00:00Z' });
  await running.digests.save(settings(), 'U1');
  return running;
};
const restored = ({ now }: { now(): Date }) => restoreDigests(database.db, now());

test('what came after the backup was made is not posted again: its owner is asked, and the next one comes', async () => {
  const running = await begun();
  running.sleepUntil('2026-12-02T10:00:00Z');
  expect(await restored(running)).toEqual({ lookedFor: 0, unknown: 1 });
  await running.runUntil('2026-12-02T12:00:00Z');
  expect(running.texts('C1')).toEqual([]);
  expect(running.texts('D1')).toEqual([
    expect.stringMatching(
      /^Whether I posted the digest of .* I do not know: a backup of mine was put back\./,
    ),
  ]);
  await running.runUntil('2026-12-03T08:05:00Z');
  expect(running.texts('C1')).toHaveLength(1);
});

test('of days ago the owner is told that it is not known', async () => {
  const running = await begun();
  running.sleepUntil('2026-12-04T12:00:00Z');
  expect(await restored(running)).toEqual({ lookedFor: 0, unknown: 3 });
  await running.runUntil('2026-12-04T13:00:00Z');
  expect(running.texts('C1')).toEqual([]);
  const told = running.texts('D1').join('\n');
  expect(told).toContain('Not known: a backup of mine was put back');
  expect(told).not.toContain('I was not running');
});

test('what the backup held as on its way is looked for, and found where it was posted since', async () => {
  const running = await begun();
  await running.runUntil('2026-12-02T08:05:00Z');
  expect(running.texts('C1')).toHaveLength(1);
  await database.db
    .updateTable('digest_occurrence')
    .set({ state: 'due', ts: null, sending_at: null, next_at: running.now() })
    .execute();
  expect(await restored(running)).toEqual({ lookedFor: 1, unknown: 0 });
  await running.runUntil('2026-12-02T09:00:00Z');
  expect(running.texts('C1')).toHaveLength(1);
  expect(running.texts('D1')).toEqual([]);
  expect(await running.rows()).toMatchObject([{ state: 'posted', reason: 'found' }]);
});

test('what was posted late since is found too; what is not found is asked about in true words', async () => {
  const running = await begun();
  await running.runUntil('2026-12-02T08:05:00Z');
  const asHeld = {
    ...({ state: 'due', ts: null, sending_at: null, due_at: new Date('2026-12-02T04:00:00Z') } as const),
  };
  await database.db.updateTable('digest_occurrence').set(asHeld).execute();
  await restored(running);
  await running.runUntil('2026-12-02T09:00:00Z');
  expect(await running.rows()).toMatchObject([{ state: 'posted', reason: 'found' }]);

  await database.db
    .updateTable('digest_occurrence')
    .set({ ...asHeld, id: 'another' })
    .execute();
  await restored(running);
  await running.runUntil('2026-12-02T15:00:00Z');
  expect(running.texts('C1')).toHaveLength(1);
  expect(running.texts('D1')).toEqual([expect.stringMatching(/^Whether I posted/)]);
});
