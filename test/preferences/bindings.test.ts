import { expect, test } from 'vitest';
import {
  bindProjects,
  changeIfBindingsUnchanged,
  listBoundProjects,
} from '../../src/preferences/bindings.ts';
import { findZones, setZone } from '../../src/preferences/zones.ts';
import { onEveryDatabase, openTestDatabase } from '../support/databases.ts';

const NOW = new Date('2026-11-20T12:00:00Z');
const CHANNEL = { workspace: 'T1', channel: 'C1' };
const CHOICE = { ...CHANNEL, boundAt: NOW };

onEveryDatabase((create) => {
  test('a channel is bound to the projects that were chosen last, in the chosen order, and other channels aren’t affected', async () => {
    const db = await openTestDatabase(create);
    await bindProjects(db, { ...CHOICE, projects: ['b', 'a'] });
    await bindProjects(db, { ...CHOICE, channel: 'C2', projects: ['c'] });
    expect(await listBoundProjects(db, CHANNEL)).toEqual(['b', 'a']);
    await bindProjects(db, { ...CHOICE, projects: ['a'] });
    expect(await listBoundProjects(db, CHANNEL)).toEqual(['a']);
    await bindProjects(db, { ...CHOICE, projects: [] });
    expect(await listBoundProjects(db, CHANNEL)).toEqual([]);
    expect(await listBoundProjects(db, { ...CHANNEL, channel: 'C2' })).toEqual(['c']);
  });

  test('after two simultaneous choices of projects, a channel has the projects of one choice only', async () => {
    const db = await openTestDatabase(create);
    for (let round = 0; round < 10; round += 1) {
      await Promise.all([
        bindProjects(db, { ...CHOICE, projects: ['a', 'b'] }),
        bindProjects(db, { ...CHOICE, projects: ['c', 'd'] }),
      ]);
      expect([
        ['a', 'b'],
        ['c', 'd'],
      ]).toContainEqual(await listBoundProjects(db, CHANNEL));
    }
  });

  test('a project that another person binds at the same time stays bound if the first person may not remove it', async () => {
    const db = await openTestDatabase(create);
    for (let round = 0; round < 10; round += 1) {
      await bindProjects(db, { ...CHOICE, projects: [] });
      await Promise.all([
        bindProjects(db, { ...CHOICE, projects: ['a'], staysBound: (project) => project === 'b' }),
        bindProjects(db, { ...CHOICE, projects: ['b'], staysBound: (project) => project === 'a' }),
      ]);
      expect((await listBoundProjects(db, CHANNEL)).toSorted()).toEqual(['a', 'b']);
    }
  });

  test('the zone of a channel doesn’t change if the channel was bound to other projects meanwhile', async () => {
    const db = await openTestDatabase(create);
    const zone = { workspace: 'T1', scope: 'channel', subject: 'C1', zone: 'Asia/Tokyo' } as const;
    const setZoneWhileBound = (projects: string[]) =>
      changeIfBindingsUnchanged(db, { ...CHANNEL, projects }, (transaction) => setZone(transaction, zone));
    await bindProjects(db, { ...CHOICE, projects: ['a', 'b'] });
    expect(await setZoneWhileBound(['a'])).toBe(false);
    expect(await findZones(db, { ...CHANNEL, user: 'U1' })).toEqual({ byProject: {} });
    expect(await setZoneWhileBound(['b', 'a'])).toBe(true);
    expect(await findZones(db, { ...CHANNEL, user: 'U1' })).toEqual({ channel: 'Asia/Tokyo', byProject: {} });
  });
});
