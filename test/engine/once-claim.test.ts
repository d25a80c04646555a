import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { claimOnce, releaseClaim } from '../../src/engine/once-claim.ts';
import { onEveryDatabase, openTestDatabase } from '../support/databases.ts';

onEveryDatabase((create) => {
  test('only one of many simultaneous claims of the same work succeeds, until that claim expires or is released', async () => {
    const db = await openTestDatabase(create);
    const claim = { workspace: 'T1', name: 'event.Ev1', retentionMs: 60_000 };
    const claims = await Promise.all(Array.from({ length: 8 }, () => claimOnce(db, claim)));
    expect(claims.filter(Boolean)).toHaveLength(1);
    expect(await claimOnce(db, { ...claim, workspace: 'T2' })).toBe(true);
    await sql`update once_claim set expires_at = clock_timestamp() - interval '1 second'`.execute(db);
    expect(await claimOnce(db, claim)).toBe(true);
    expect(await claimOnce(db, claim)).toBe(false);
    // The claim of the other workspace has expired too, and was deleted with the new one.
    expect(await db.selectFrom('once_claim').select('workspace').execute()).toEqual([{ workspace: 'T1' }]);
    await releaseClaim(db, claim);
    expect(await claimOnce(db, claim)).toBe(true);
  });

  test('a claim without a retention never expires', async () => {
    const db = await openTestDatabase(create);
    const claim = { workspace: 'T1', name: 'first-owner' };
    expect([await claimOnce(db, claim), await claimOnce(db, claim)]).toEqual([true, false]);
  });

  test('work can be claimed whose name has characters that Postgres refuses', async () => {
    const db = await openTestDatabase(create);
    for (const name of ['late.a\0b', 'late.\ud800']) {
      const claim = { workspace: 'T1', name };
      expect([await claimOnce(db, claim), await claimOnce(db, claim)]).toEqual([true, false]);
    }
  });
});
