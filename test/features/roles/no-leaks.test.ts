import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { BotSchema } from '../../../src/store/schema.ts';
import { type BotDatabase, openBotDatabase } from '../../support/bot.ts';
import { command, press } from './requests.ts';
import { type Id, idsOf, isRunnersOwn, lookAround, oneOfEach, seed } from './seeded-ids.ts';
import type { Shown } from './shown.ts';
import { swapped } from './swapped.ts';
import {
  NUMBERS,
  ownerOf,
  projectId,
  runnerOf,
  secretOf,
  threeWorkspaces,
  workspaceId,
} from './three-workspaces.ts';

let database: BotDatabase;
let world: Awaited<ReturnType<typeof threeWorkspaces>>;
const shown = new Map<string, Shown>();

beforeAll(async () => {
  database = await openBotDatabase();
  world = await threeWorkspaces(database.db);
  await seed(world, database.db);
  for (const number of NUMBERS) {
    for (const user of [ownerOf(number), ...(number < 3 ? [runnerOf(number)] : [])])
      shown.set(user, await lookAround(world, number, user));
  }
}, 120_000);
afterAll(async () => {
  await world.close();
  await database.close();
});

const shownTo = (user: string): Shown => shown.get(user) ?? { buttons: [], forms: [] };

/** What is kept of a workspace beside what somebody leaves behind by trying: forms, requests and the record. */
const KEPT = [
  'submission',
  'access_grant',
  'channel_project',
  'zone',
  'digest',
  'digest_occurrence',
  'credential',
  'draft_copy',
] as const satisfies readonly (keyof BotSchema)[];
const LEFT_BEHIND = ['open_form', 'access_request'] as const satisfies readonly (keyof BotSchema)[];

/** Everything that is kept of a workspace there, but what is their own. */
async function keptIn(
  tables: readonly (typeof KEPT | typeof LEFT_BEHIND)[number][],
  workspace: string,
  isOwn: (row: string) => boolean,
) {
  const rows = await Promise.all(
    tables.map((table) =>
      database.db.selectFrom(table).selectAll().where('workspace', '=', workspace).execute(),
    ),
  );
  return rows
    .flat()
    .map((row) => JSON.stringify(row))
    .filter((row) => !isOwn(row))
    .toSorted();
}

interface Standing {
  kept: readonly string[];
  calls: readonly string[];
}

/** Rows that are there no more or came, and how the service was called meanwhile. */
function changes(before: Standing, after: Standing): string[] {
  const gone = before.kept.filter((row) => !after.kept.includes(row)).map((row) => `- ${row}`);
  const come = after.kept.filter((row) => !before.kept.includes(row)).map((row) => `+ ${row}`);
  return [...gone, ...come, ...after.calls.slice(before.calls.length)];
}

/** Ids of the digests of the first project: what happens to them is its runner's to say. */
async function ownDigests(number: number): Promise<string[]> {
  const ids = await idsOf(database.db, number);
  return ids.filter((one) => one.kind === 'digest' && isRunnersOwn(one, number)).map(({ id }) => id);
}

test('everything that has an id was shown to somebody: it can be swapped', async () => {
  for (const number of NUMBERS) {
    const { buttons, forms } = shownTo(ownerOf(number));
    const carried = [...buttons.map(({ value }) => value), ...forms.map(({ metadata }) => metadata)].join(
      ' ',
    );
    const ids = await idsOf(database.db, number);
    const isShown = (kind: string) =>
      ids.some((one) => one.kind.startsWith(kind) && carried.includes(one.id));
    for (const kind of ['submission', 'form', 'digest', 'credential', 'project', 'templates', 'sources']) {
      expect([kind, isShown(kind)]).toEqual([kind, true]);
    }
    expect(forms.length).toBeGreaterThan(10);
  }
});

describe.each([
  ['an owner, with all of another workspace', ownerOf(1), 2],
  ['an owner, with all of a third workspace', ownerOf(1), 3],
  ['who runs one project, with all of the others and of their owner', runnerOf(1), 1],
  ['who runs one project, with all of another workspace', runnerOf(2), 3],
] as const)('%s', (_who, user, of) => {
  const home = Number(user.at(-1));
  const isAtHome = of === home;

  test('sees nothing of it, and changes nothing', async () => {
    // What is theirs, of the first project, they may see and change.
    const isTheirs = (one: Id) => isAtHome && isRunnersOwn(one, of);
    const foreignProject = new RegExp(`"p${of}[23]\\\\?"`);
    const mine = isAtHome ? [user, `"${projectId(of, 1)}`, ...(await ownDigests(of))] : [];
    const isOwn = (row: string) => mine.some((one) => row.includes(one)) && !foreignProject.test(row);
    const foreign = oneOfEach((await idsOf(database.db, of)).filter((one) => !isTheirs(one)));
    const ownIds = await idsOf(database.db, home);
    const service = world.services.get(workspaceId(of));
    const calls = () =>
      (service?.calls ?? [])
        .map(({ method, path }) => `${method} ${path}`)
        .filter((call) => !isAtHome || /projects\/p\d[23]\//.test(call));
    const now = async (): Promise<Standing> => ({
      kept: await keptIn([...KEPT, ...(isAtHome ? [] : LEFT_BEHIND)], workspaceId(of), isOwn),
      calls: calls(),
    });
    const before = await now();
    const attack = {
      ...{ number: home, user, own: shownTo(user), others: shownTo(ownerOf(of)), foreign },
      ownIds: isAtHome ? ownIds.filter(isTheirs) : ownIds,
      secrets: NUMBERS.filter((project) => !isAtHome || project !== 1).map((project) =>
        secretOf(of, project),
      ),
    };
    const secret = new RegExp(attack.secrets.join('|'));
    const leaks: string[] = [];
    let sent = 0;
    for (const body of swapped(attack)) {
      const said = JSON.stringify(await world.ask(body));
      const asked = JSON.stringify(body);
      sent += 1;
      // What somebody typed themselves is theirs.
      if (secret.test(said) && !secret.test(asked))
        leaks.push(`${asked.slice(0, 400)} → ${secret.exec(said)}`);
    }
    expect(leaks).toEqual([]);
    expect(changes(before, await now())).toEqual([]);
    expect(sent).toBeGreaterThan(1_000);
  }, 300_000);
});

test('an owner does see and change their own: the pretence holds', async () => {
  const said = JSON.stringify(await world.ask(command(2, ownerOf(2), `templates ${projectId(2, 3)}`)));
  expect(said).toContain('Secret-2-3');
  const runner = JSON.stringify(await world.ask(command(1, runnerOf(1), 'templates')));
  expect(runner).toContain('Secret-1-1');
  const [digest] = (await idsOf(database.db, 2)).filter(({ kind, person }) => kind === 'digest' && !person);
  await world.ask(press(2, ownerOf(2), 'digests.resume', digest?.id));
  const row = await database.db
    .selectFrom('digest')
    .selectAll()
    .where('id', '=', digest?.id ?? '')
    .executeTakeFirst();
  expect(row?.state).toBe('on');
});
