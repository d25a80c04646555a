import { expect, test } from 'vitest';
import { claimOnce, releaseClaim } from '../../src/delivery/once-claim.ts';
import { openDatabase } from '../../src/store/database.ts';
import { migrations } from '../../src/store/migrations.ts';
import type { BotSchema } from '../../src/store/schema.ts';
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
    await db.destroy();
    await database.close();
  });
});
