import type { Kysely } from 'kysely';
import { beforeEach, expect, test } from 'vitest';
import type { BotSchema } from '../../src/handlers/schema.ts';
import { consumeInstallState, saveInstallState } from '../../src/workspaces/install-state.ts';
import { onEveryDatabase, openTestDatabase } from '../support/databases.ts';

const NOW = new Date('2026-11-20T12:00:00Z');
const addSeconds = (seconds: number) => new Date(NOW.getTime() + seconds * 1000);

onEveryDatabase((create) => {
  let db: Kysely<BotSchema>;
  beforeEach(async () => {
    db = await openTestDatabase(create);
  });

  const saveState = (state: string, ipAddress: string, now = NOW) =>
    saveInstallState(db, {
      state,
      browserToken: `browser of ${state}`,
      ipAddress,
      now,
      expiresAt: new Date(now.getTime() + 600_000),
    });
  const consumeState = (state: string, now = NOW) =>
    consumeInstallState(db, { state, browserToken: `browser of ${state}`, now });
  const countStates = async () => (await db.selectFrom('install_state').select('state').execute()).length;

  /** Inserts states that expire one second after the other. */
  async function insertStates(
    count: number,
    { address, firstSecond = 0 }: { address: (nth: number) => string; firstSecond?: number },
  ) {
    const rows = Array.from({ length: count }, (_, nth) => ({
      state: `${address(nth)} ${nth}`,
      browser_token: '',
      ip_address: address(nth),
      expires_at: addSeconds(firstSecond + nth),
    }));
    for (let start = 0; start < rows.length; start += 1_000)
      await db
        .insertInto('install_state')
        .values(rows.slice(start, start + 1_000))
        .execute();
  }

  test('an address has at most 120 installations in progress, and other addresses are not affected', async () => {
    for (let nth = 0; nth < 120; nth += 1) expect(await saveState(`state ${nth}`, 'one')).toBe(true);
    expect(await saveState('one more', 'one')).toBe(false);
    expect(await saveState('another’s', 'two')).toBe(true);
    // Earlier installations of the address can be completed.
    expect(await consumeState('state 0')).toBe(true);
    expect(await saveState('one more', 'one')).toBe(true);
  });

  test('expired states are deleted and make room for new ones', async () => {
    for (let nth = 0; nth < 120; nth += 1) await saveState(`state ${nth}`, 'one');
    expect(await saveState('one more', 'one', addSeconds(600))).toBe(true);
    expect(await countStates()).toBe(1);
  });

  test('beyond 5,000 states, the oldest states of the busiest addresses are deleted', async () => {
    await insertStates(1, { address: () => 'a person', firstSecond: 1 });
    await insertStates(4_999, { address: (nth) => `attacker ${nth % 50}`, firstSecond: 2 });
    for (let nth = 0; nth < 10; nth += 1) expect(await saveState(`new ${nth}`, `visitor ${nth}`)).toBe(true);
    expect(await countStates()).toBe(5_000);
    const remainingRows = await db.selectFrom('install_state').select('state').execute();
    const states = new Set(remainingRows.map(({ state }) => state));
    expect(states).toContain('a person 0');
    expect(states).toContain('new 0');
    // The first ten states of the attackers are deleted, oldest first.
    expect(Array.from({ length: 11 }, (_, nth) => states.has(`attacker ${nth} ${nth}`))).toEqual([
      ...Array.from({ length: 10 }, () => false),
      true,
    ]);
  });
});
