import { expect, test } from 'vitest';
import { migrations } from '../../src/app/migrations.ts';
import type { BotSchema } from '../../src/app/schema.ts';
import { createTurns } from '../../src/engine/turns.ts';
import { openDatabase } from '../../src/store/database.ts';
import { onEveryDatabase } from '../support/databases.ts';

const TURN_MS = 30_000;
const ALL = 100;

onEveryDatabase((create) => {
  async function openInstances() {
    const database = await create();
    const db = await openDatabase<BotSchema>({ dialect: database.dialect(), migrations });
    let nowMs = Date.parse('2026-11-20T12:00:00Z');
    const createInstance = () =>
      createTurns({ db, clock: () => new Date(nowMs), name: 'digest.turn', turnMs: TURN_MS });
    return {
      db,
      first: createInstance(),
      second: createInstance(),
      advanceClock: (ms: number) => {
        nowMs += ms;
      },
      async close() {
        await db.destroy();
        await database.close();
      },
    };
  }
  type Instance = ReturnType<typeof createTurns>;
  const takeOwn = async (instance: Instance, workspaces: readonly string[], maxNew = ALL) => [
    ...(await instance.take(workspaces, maxNew)).own,
  ];

  test('one instance at a time has the turn of a workspace, for as long as it extends the turn', async () => {
    const { first, second, advanceClock, close } = await openInstances();
    expect(await takeOwn(first, ['T1'])).toEqual(['T1']);
    for (let step = 0; step < 4; step += 1) {
      advanceClock(TURN_MS / 2);
      expect(await takeOwn(first, ['T1'], 0)).toEqual(['T1']);
      expect(await takeOwn(second, ['T1'])).toEqual([]);
    }
    advanceClock(TURN_MS + 1);
    expect(await takeOwn(second, ['T1'])).toEqual(['T1']);
    expect(await takeOwn(first, ['T1'])).toEqual([]);
    // A person waits for the first instance.
    advanceClock(1);
    await first.seize('T1');
    advanceClock(TURN_MS / 2);
    expect(await takeOwn(second, ['T1'])).toEqual([]);
    expect(await takeOwn(first, ['T1'])).toEqual(['T1']);
    await close();
  });

  test('simultaneous instances share the workspaces, take only so many, and leave released turns to others', async () => {
    const { first, second, close } = await openInstances();
    const workspaces = Array.from({ length: 40 }, (_, index) => `T${index}`);
    const shares = await Promise.all([takeOwn(first, workspaces), takeOwn(second, workspaces.toReversed())]);
    expect(shares.flat().toSorted()).toEqual(workspaces.toSorted());
    await first.release();
    expect(await takeOwn(second, workspaces)).toHaveLength(40);
    const { own, untried } = await first.take([...workspaces, 'T41', 'T42', 'T42'], 41);
    expect([...own]).toEqual(['T41']);
    expect([...untried]).toEqual(['T42']);
    await close();
  });

  test('an instance whose turn ended long ago takes it again at once, also if its row was deleted', async () => {
    const { db, first, second, advanceClock, close } = await openInstances();
    await first.seize('T1');
    advanceClock(24 * 60 * 60_000);
    await db.deleteFrom('once_claim').execute();
    expect(await takeOwn(first, ['T1'])).toEqual(['T1']);
    advanceClock(TURN_MS + 1);
    expect(await takeOwn(second, ['T1'])).toEqual(['T1']);
    advanceClock(TURN_MS + 1);
    expect(await takeOwn(first, ['T1'])).toEqual(['T1']);
    await close();
  });
});
