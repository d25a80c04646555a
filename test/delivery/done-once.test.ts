import { expect, test } from 'vitest';
import { claimOnce, releaseOnce } from '../../src/delivery/done-once.ts';
import { openDatabase } from '../../src/store/database.ts';
import { migrations } from '../../src/store/migrations.ts';
import type { BotSchema } from '../../src/store/schema.ts';
import { onEveryDatabase } from '../support/databases.ts';

const at = new Date('2026-11-20T12:00:00Z');

onEveryDatabase((create) => {
  test('one of many concurrent claims of a name succeeds, until it expires', async () => {
    const database = await create();
    const db = await openDatabase<BotSchema>({ dialect: database.dialect(), migrations });
    const once = { workspace: 'T1', name: 'event.Ev1', now: at, retentionMs: 1_000 };
    const claims = await Promise.all(Array.from({ length: 8 }, () => claimOnce(db, once)));
    expect(claims.filter(Boolean)).toHaveLength(1);
    expect(await claimOnce(db, { ...once, workspace: 'T2' })).toBe(true);
    expect(await claimOnce(db, { ...once, now: new Date(at.getTime() + 2_000) })).toBe(true);
    await releaseOnce(db, once);
    expect(await claimOnce(db, once)).toBe(true);
    await db.destroy();
    await database.close();
  });
});
