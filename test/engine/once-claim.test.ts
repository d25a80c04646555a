import { expect, test } from 'vitest';
import { migrations } from '../../src/app/migrations.ts';
import type { BotSchema } from '../../src/app/schema.ts';
import { claimOnce, createBatchedClaims, releaseClaim } from '../../src/engine/once-claim.ts';
import { openDatabase } from '../../src/store/database.ts';
import { onEveryDatabase } from '../support/databases.ts';

const NOW = new Date('2026-11-20T12:00:00Z');

onEveryDatabase((create) => {
  test('only one of many simultaneous claims of the same work succeeds, until that claim expires or is released', async () => {
    const database = await create();
    const db = await openDatabase<BotSchema>({ dialect: database.dialect(), migrations });
    const claim = { workspace: 'T1', name: 'event.Ev1', now: NOW, retentionMs: 1_000 };
    const claims = await Promise.all(Array.from({ length: 8 }, () => claimOnce(db, claim)));
    expect(claims.filter(Boolean)).toHaveLength(1);
    expect(await claimOnce(db, { ...claim, workspace: 'T2' })).toBe(true);
    expect(await claimOnce(db, { ...claim, now: new Date(NOW.getTime() + 2_000) })).toBe(true);
    await releaseClaim(db, claim);
    expect(await claimOnce(db, claim)).toBe(true);
    const claimFirst = createBatchedClaims(db, () => NOW);
    const claimSecond = createBatchedClaims(db, () => NOW);
    const events = ['event.Ev2', 'event.Ev3', 'event.Ev2', 'event.Ev3', 'event.Ev1'];
    const results = await Promise.all(
      [claimFirst, claimSecond].flatMap((claimInBatch) =>
        events.map(async (name) => [name, await claimInBatch({ workspace: 'T1', name })] as const),
      ),
    );
    const claimed = results.filter(([, isClaimed]) => isClaimed).map(([name]) => name);
    expect(claimed.toSorted()).toEqual(['event.Ev2', 'event.Ev3']);
    await db.destroy();
    await database.close();
  });

  test('work can be claimed whose name has characters that Postgres refuses', async () => {
    const database = await create();
    const db = await openDatabase<BotSchema>({ dialect: database.dialect(), migrations });
    const claimInBatch = createBatchedClaims(db, () => NOW);
    for (const name of ['late.a\0b', 'late.\ud800']) {
      const claim = { workspace: 'T1', name, now: NOW };
      expect([await claimOnce(db, claim), await claimOnce(db, claim)]).toEqual([true, false]);
      const batched = { workspace: 'T2', name };
      expect(await Promise.all([claimInBatch(batched), claimInBatch(batched)])).toEqual([true, false]);
    }
    await db.destroy();
    await database.close();
  });
});
