import { beforeEach, describe, expect, test } from 'vitest';
import type { ListedProject } from '../../src/api/client.ts';
import {
  ASK_AGAIN_MS,
  addService,
  createProjectWatch,
  MIN_EMPTY_MS,
  settleProject,
} from '../../src/workspaces/known-projects.ts';
import { setUpBotDatabase } from '../support/set-up-database.ts';

/** What is known of the services of a workspace, and of their projects, with two instances of the app. */

const { db } = await setUpBotDatabase();
const WORKSPACE = 'T1';
const [P1, P2] = ['p1', 'p2'].map((id) => ({ id, name: `Name of ${id}` })) as [ListedProject, ListedProject];

let now: Date;
let asked: string[][];
let fails: boolean;

beforeEach(async () => {
  for (const table of ['known_service', 'known_project'] as const) await db.deleteFrom(table).execute();
  now = new Date('2026-11-20T12:00:00Z');
  asked = [];
  fails = false;
});

const createWatch = (isWatched = (_project: string) => true) =>
  createProjectWatch({
    ...{ db, workspace: WORKSPACE, service: '', isWatched, now: () => now },
    onChanged: () => undefined,
    async ask(projects) {
      asked.push(projects.map(({ id }) => id));
      if (fails) throw new Error('Slack is down');
    },
    onError: () => undefined,
  });

const list = (...items: ListedProject[]) => ({
  isReadable: true,
  items,
  unreadableCount: 0,
  isTruncated: false,
});

const listMissing = async () =>
  (
    await db.selectFrom('known_project').select('project').where('missing_since', 'is not', null).execute()
  ).map(({ project }) => project);
const passTime = (ms: number) => {
  now = new Date(now.getTime() + ms);
};

/** Another instance, which knows nothing of the others' lists, has the same answer. */
async function loseAndListAgain() {
  const watch = createWatch();
  await watch(list(P1, P2));
  await watch(list(P2));
  expect([...(await watch(list(P1, P2)))]).toEqual(['p1']);
  return watch;
}

describe('a project that was gone and is listed again', () => {
  test('the owners are asked once, whichever instance sees it', async () => {
    await loseAndListAgain();
    expect([...(await createWatch()(list(P1, P2)))]).toEqual(['p1']);
    expect(asked).toEqual([['p1']]);
  });

  test('the owners are asked again after a day without an answer', async () => {
    const watch = await loseAndListAgain();
    passTime(ASK_AGAIN_MS - 1);
    await watch(list(P1, P2));
    expect(asked).toHaveLength(1);
    passTime(1);
    await watch(list(P1, P2));
    expect(asked).toEqual([['p1'], ['p1']]);
  });

  test('the owners are asked by the next list if Slack failed', async () => {
    fails = true;
    const watch = await loseAndListAgain();
    fails = false;
    await expect
      .poll(() => db.selectFrom('known_project').select('asked_at').where('project', '=', 'p1').execute())
      .toEqual([{ asked_at: null }]);
    await watch(list(P1, P2));
    expect(asked).toEqual([['p1'], ['p1']]);
  });

  test('the owners are asked about all projects in one message', async () => {
    const many = Array.from({ length: 70 }, (_, index) => ({ id: `m${index}`, name: `Many ${index}` }));
    const watch = createWatch();
    await watch(list(P1, ...many));
    await watch(list(P1));
    await watch(list(P1, ...many));
    await createWatch()(list(P1, ...many));
    expect(asked.map(({ length }) => length)).toEqual([70]);
  });
});

describe('a list that is empty', () => {
  test('doesn’t count if the projects are there again within a minute', async () => {
    const watch = createWatch();
    await watch(list(P1));
    await watch(list());
    passTime(MIN_EMPTY_MS - 1);
    await watch(list());
    await watch(list(P1));
    passTime(MIN_EMPTY_MS);
    await watch(list());
    expect(await listMissing()).toEqual([]);
  });

  test('counts after a minute, so that the only project is asked about too', async () => {
    const watch = createWatch();
    await watch(list(P1));
    await watch(list());
    passTime(MIN_EMPTY_MS);
    await watch(list());
    expect(await listMissing()).toEqual(['p1']);
    expect([...(await watch(list(P1)))]).toEqual(['p1']);
  });

  test.each([
    ['can’t be read', { isReadable: false }],
    ['has unreadable projects', { unreadableCount: 1 }],
    ['goes on', { isTruncated: true }],
  ])('says nothing if it %s', async (_why, fault) => {
    const watch = createWatch();
    await watch(list(P1));
    await watch({ ...list(), ...fault });
    passTime(MIN_EMPTY_MS);
    await watch({ ...list(), ...fault });
    expect(await listMissing()).toEqual([]);
  });
});

describe('a project that was made again between two lists', () => {
  const MADE = '2026-11-01T09:00:00.000Z';
  const made = (at?: string) => list({ ...P1, ...(at !== undefined && { createdAt: new Date(at) }) }, P2);
  const readTimes = async () =>
    (await db.selectFrom('known_project').select('created_at').orderBy('project').execute()).map(
      ({ created_at }) => created_at?.toISOString() ?? null,
    );

  test('is asked about, and can’t be used before the answer, whichever instance lists it', async () => {
    await createWatch()(made(MADE));
    expect([...(await createWatch()(made('2026-11-20T11:00:00Z')))]).toEqual(['p1']);
    expect([...(await createWatch()(made('2026-11-20T11:00:00Z')))]).toEqual(['p1']);
    expect(asked).toEqual([['p1']]);
    expect(await listMissing()).toEqual(['p1']);
  });

  test('is asked about by the same instance too, although the list has the same ids', async () => {
    const watch = createWatch();
    await watch(made(MADE));
    expect([...(await watch(made('2026-11-20T11:00:00Z')))]).toEqual(['p1']);
  });

  test('is asked about also if the list isn’t complete', async () => {
    const watch = createWatch();
    await watch(made(MADE));
    await watch({ ...made('2026-11-20T11:00:00Z'), isTruncated: true });
    expect(asked).toEqual([['p1']]);
  });

  test.each([true, false])(
    'isn’t asked about again after the answer (the same project: %s)',
    async (isSame) => {
      await createWatch()(made(MADE));
      await createWatch()(made('2026-11-20T11:00:00Z'));
      expect(await settleProject(db, { workspace: WORKSPACE, key: 'p1', isSame })).toBe('p1');
      expect([...(await createWatch()(made('2026-11-20T11:00:00Z')))]).toEqual([]);
      // An instance that has cached the list from before.
      await createWatch()(made(MADE));
      await createWatch()(made('2026-11-20T11:00:00Z'));
      expect(asked).toEqual([['p1']]);
    },
  );

  test('is asked about once more if it was made again after the answer', async () => {
    await createWatch()(made(MADE));
    await createWatch()(made('2026-11-20T11:00:00Z'));
    await settleProject(db, { workspace: WORKSPACE, key: 'p1', isSame: false });
    await createWatch()(made('2026-11-20T11:30:00Z'));
    expect(asked).toEqual([['p1'], ['p1']]);
  });

  test.each([
    ['never says when it was made', [undefined, undefined]],
    ['begins to say it', [undefined, MADE]],
    ['stops saying it, and begins again', [MADE, undefined, MADE]],
    ['says the same instant of another zone', [MADE, '2026-11-01T10:00:00+01:00']],
    ['begins to say the fraction of the second', ['2026-11-01T09:00:00Z', '2026-11-01T09:00:00.999Z']],
    ['rounds it', ['2026-11-01T09:00:00.600Z', '2026-11-01T09:00:01Z']],
    ['says an earlier instant', [MADE, '2026-10-01T09:00:00Z']],
  ])('isn’t supposed of a service that %s', async (_how, times) => {
    const watch = createWatch();
    for (const at of times) expect([...(await watch(made(at)))]).toEqual([]);
    expect(asked).toEqual([]);
    expect(await listMissing()).toEqual([]);
  });

  test('a first time only fills in what was unknown, also while an owner is asked', async () => {
    await loseAndListAgain();
    await createWatch()(made(MADE));
    expect(await readTimes()).toEqual([MADE, null]);
    await createWatch()(made(MADE));
    await settleProject(db, { workspace: WORKSPACE, key: 'p1', isSame: true });
    await createWatch()(made(MADE));
    expect(asked).toEqual([['p1']]);
  });

  test('a time that is another one in each list is asked about once', async () => {
    const listNow = async () => {
      passTime(5_000);
      return [...(await createWatch()(made(now.toISOString())))];
    };
    expect(await listNow()).toEqual([]);
    expect(await listNow()).toEqual(['p1']);
    expect(await listNow()).toEqual(['p1']);
    await settleProject(db, { workspace: WORKSPACE, key: 'p1', isSame: true });
    expect(await listNow()).toEqual([]);
    expect(await listNow()).toEqual([]);
    expect(asked).toEqual([['p1']]);
  });
});

test('a token says nothing about projects that it isn’t for', async () => {
  await createWatch()(list(P1, P2));
  const ofOthers = createWatch((project) => project !== 'p1');
  await ofOthers(list(P2));
  expect(await listMissing()).toEqual([]);
  await createWatch((project) => project === 'p1')(list(P2));
  expect(await listMissing()).toEqual(['p1']);
  // Nor does it ask about them.
  await ofOthers(list(P1, P2));
  expect(asked).toEqual([]);
});

test('a question has one answer', async () => {
  await loseAndListAgain();
  const answer = (isSame: boolean) => settleProject(db, { workspace: WORKSPACE, key: 'p1', isSame });
  expect(await Promise.all([answer(false), answer(true)])).toEqual(['p1', undefined]);
});

describe('the marks of services', () => {
  const add = (endpoint: string, sameAs?: string) =>
    addService(db, { workspace: WORKSPACE, endpoint, sameAs });

  test('two services that are connected at the same time have different ones', async () => {
    expect((await Promise.all([add('a'), add('b'), add('b')])).toSorted()).toEqual(['', '2', '2']);
  });

  test('the mark of an address that has become another service’s is never given again', async () => {
    await add('a');
    expect(await add('b')).toBe('2');
    expect(await add('b', '')).toBe('');
    expect(await add('c')).toBe('3');
  });
});
