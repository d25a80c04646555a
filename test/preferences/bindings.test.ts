import { expect, test } from 'vitest';
import {
  bindProjects,
  changeWhileBound,
  findOnlyBoundProject,
  listBoundProjects,
} from '../../src/preferences/bindings.ts';
import { findZones, setZone } from '../../src/preferences/zones.ts';
import { openDatabase } from '../../src/store/database.ts';
import { migrations } from '../../src/store/migrations.ts';
import type { BotSchema } from '../../src/store/schema.ts';
import { onEveryDatabase } from '../support/databases.ts';

const at = new Date('2026-11-20T12:00:00Z');
const place = { workspace: 'T1', channel: 'C1' };
const chosen = { ...place, boundBy: 'U1', boundAt: at };

onEveryDatabase((create) => {
  test('a channel is bound to the projects chosen last, in their order, without effect on other channels', async () => {
    const database = await create();
    const db = await openDatabase<BotSchema>({ dialect: database.dialect(), migrations });
    await bindProjects(db, { ...chosen, projects: ['b', 'a'] });
    await bindProjects(db, { ...chosen, channel: 'C2', projects: ['c'] });
    expect(await listBoundProjects(db, place)).toEqual(['b', 'a']);
    // With several projects there is no single bound project.
    expect(await findOnlyBoundProject(db, place)).toBeUndefined();
    await bindProjects(db, { ...chosen, projects: ['a'] });
    expect(await findOnlyBoundProject(db, place)).toBe('a');
    await bindProjects(db, { ...chosen, projects: [] });
    expect(await listBoundProjects(db, place)).toEqual([]);
    expect(await listBoundProjects(db, { ...place, channel: 'C2' })).toEqual(['c']);
    await db.destroy();
    await database.close();
  });

  test('of two simultaneous choices one wins, without a mixture', async () => {
    const database = await create();
    const db = await openDatabase<BotSchema>({ dialect: database.dialect(), migrations });
    for (let round = 0; round < 10; round += 1) {
      await Promise.all([
        bindProjects(db, { ...chosen, projects: ['a', 'b'] }),
        bindProjects(db, { ...chosen, projects: ['c', 'd'] }),
      ]);
      expect([
        ['a', 'b'],
        ['c', 'd'],
      ]).toContainEqual(await listBoundProjects(db, place));
    }
    await db.destroy();
    await database.close();
  });

  test('a simultaneous choice of another person stays if this person may not remove it', async () => {
    const database = await create();
    const db = await openDatabase<BotSchema>({ dialect: database.dialect(), migrations });
    for (let round = 0; round < 10; round += 1) {
      await bindProjects(db, { ...chosen, projects: [] });
      await Promise.all([
        bindProjects(db, { ...chosen, projects: ['a'], staysBound: (project) => project === 'b' }),
        bindProjects(db, { ...chosen, projects: ['b'], staysBound: (project) => project === 'a' }),
      ]);
      expect((await listBoundProjects(db, place)).toSorted()).toEqual(['a', 'b']);
    }
    await db.destroy();
    await database.close();
  });

  test('nothing changes if the channel is bound to other projects by then', async () => {
    const database = await create();
    const db = await openDatabase<BotSchema>({ dialect: database.dialect(), migrations });
    const zone = { workspace: 'T1', scope: 'channel', subject: 'C1', zone: 'Asia/Tokyo' } as const;
    const set = (projects: string[]) =>
      changeWhileBound(db, { ...place, projects }, (transaction) =>
        setZone(transaction, { ...zone, chosenBy: 'U1', chosenAt: at }),
      );
    await bindProjects(db, { ...chosen, projects: ['a', 'b'] });
    expect(await set(['a'])).toBe(false);
    expect(await findZones(db, { ...place, user: 'U1' })).toEqual({ byProject: {} });
    expect(await set(['b', 'a'])).toBe(true);
    expect(await findZones(db, { ...place, user: 'U1' })).toEqual({ channel: 'Asia/Tokyo', byProject: {} });
    await db.destroy();
    await database.close();
  });
});
