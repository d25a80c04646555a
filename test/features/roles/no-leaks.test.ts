import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { BotSchema } from '../../../src/store/schema.ts';
import { type BotDatabase, openBotDatabase } from '../../support/bot.ts';
import { command, press } from './requests.ts';
import { type Id, idsOf, isOfManager, lookAround, pickOneOfEach, seed } from './seeded-ids.ts';
import type { Shown } from './shown.ts';
import { createAttacks } from './swapped.ts';
import {
  managerOf,
  NUMBERS,
  ownerOf,
  projectId,
  secretOf,
  startThreeWorkspaces,
  workspaceId,
} from './three-workspaces.ts';

let database: BotDatabase;
let world: Awaited<ReturnType<typeof startThreeWorkspaces>>;
const shown = new Map<string, Shown>();

beforeAll(async () => {
  database = await openBotDatabase();
  world = await startThreeWorkspaces(database.db);
  await seed(world, database.db);
  for (const number of NUMBERS) {
    for (const user of [ownerOf(number), ...(number < 3 ? [managerOf(number)] : [])])
      shown.set(user, await lookAround(world, number, user));
  }
}, 120_000);
afterAll(async () => {
  await world.close();
  await database.close();
});

const shownTo = (user: string): Shown => shown.get(user) ?? { buttons: [], forms: [] };

/** The tables with a workspace's data. */
const DATA_TABLES = [
  'submission',
  'access_grant',
  'channel_project',
  'zone',
  'digest',
  'digest_occurrence',
  'credential',
  'draft_copy',
] as const satisfies readonly (keyof BotSchema)[];
/** The tables that a refused request may write to as well. */
const REQUEST_TABLES = ['open_form', 'access_request'] as const satisfies readonly (keyof BotSchema)[];

/** The workspace's rows in these tables, as JSON, except the attacker's own. */
async function readRows(
  tables: readonly (typeof DATA_TABLES | typeof REQUEST_TABLES)[number][],
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

interface Snapshot {
  rows: readonly string[];
  calls: readonly string[];
}

/** Removed and added rows, and the calls to the service in between. */
function diffSnapshots(before: Snapshot, after: Snapshot): string[] {
  const removed = before.rows.filter((row) => !after.rows.includes(row)).map((row) => `- ${row}`);
  const added = after.rows.filter((row) => !before.rows.includes(row)).map((row) => `+ ${row}`);
  return [...removed, ...added, ...after.calls.slice(before.calls.length)];
}

/** Ids of the first project's digests, which its manager may change. */
async function readOwnDigests(number: number): Promise<string[]> {
  const ids = await idsOf(database.db, number);
  return ids.filter((one) => one.kind === 'digest' && isOfManager(one, number)).map(({ id }) => id);
}

test('every kind of id was shown to somebody, so that it can be swapped', async () => {
  for (const number of NUMBERS) {
    const { buttons, forms } = shownTo(ownerOf(number));
    const shownValues = [...buttons.map(({ value }) => value), ...forms.map(({ metadata }) => metadata)].join(
      ' ',
    );
    const ids = await idsOf(database.db, number);
    const isShown = (kind: string) =>
      ids.some((one) => one.kind.startsWith(kind) && shownValues.includes(one.id));
    for (const kind of ['submission', 'form', 'digest', 'credential', 'project', 'templates', 'sources']) {
      expect([kind, isShown(kind)]).toEqual([kind, true]);
    }
    expect(forms.length).toBeGreaterThan(10);
  }
});

describe.each([
  ['an owner, with everything of another workspace', ownerOf(1), 2],
  ['an owner, with everything of a third workspace', ownerOf(1), 3],
  ['a manager of one project, with everything of other projects and of the owner', managerOf(1), 1],
  ['a manager of one project, with everything of another workspace', managerOf(2), 3],
] as const)('%s', (_actor, user, of) => {
  const home = Number(user.at(-1));
  const isAtHome = of === home;

  test('sees nothing of it, and changes nothing', async () => {
    // In their own workspace they may see and change everything of the first project.
    const isTheirs = (one: Id) => isAtHome && isOfManager(one, of);
    const foreignProject = new RegExp(`"p${of}[23]\\\\?"`);
    const mine = isAtHome ? [user, `"${projectId(of, 1)}`, ...(await readOwnDigests(of))] : [];
    const isOwn = (row: string) => mine.some((one) => row.includes(one)) && !foreignProject.test(row);
    const foreign = pickOneOfEach((await idsOf(database.db, of)).filter((one) => !isTheirs(one)));
    const ownIds = await idsOf(database.db, home);
    const service = world.services.get(workspaceId(of));
    const calls = () =>
      (service?.calls ?? [])
        .map(({ method, path }) => `${method} ${path}`)
        .filter((call) => !isAtHome || /projects\/p\d[23]\//.test(call));
    const takeSnapshot = async (): Promise<Snapshot> => ({
      rows: await readRows([...DATA_TABLES, ...(isAtHome ? [] : REQUEST_TABLES)], workspaceId(of), isOwn),
      calls: calls(),
    });
    const before = await takeSnapshot();
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
    for (const body of createAttacks(attack)) {
      const answer = JSON.stringify(await world.ask(body));
      const request = JSON.stringify(body);
      sent += 1;
      // A secret that the attacker typed may be repeated to them.
      if (secret.test(answer) && !secret.test(request))
        leaks.push(`${request.slice(0, 400)} → ${secret.exec(answer)}`);
    }
    expect(leaks).toEqual([]);
    expect(diffSnapshots(before, await takeSnapshot())).toEqual([]);
    expect(sent).toBeGreaterThan(1_000);
  }, 300_000);
});

test('an owner does see and change their own, so the test set-up works', async () => {
  const answer = JSON.stringify(await world.ask(command(2, ownerOf(2), `templates ${projectId(2, 3)}`)));
  expect(answer).toContain('Secret-2-3');
  const managerAnswer = JSON.stringify(await world.ask(command(1, managerOf(1), 'templates')));
  expect(managerAnswer).toContain('Secret-1-1');
  const [digest] = (await idsOf(database.db, 2)).filter(({ kind, person }) => kind === 'digest' && !person);
  await world.ask(press(2, ownerOf(2), 'digests.resume', digest?.id));
  const row = await database.db
    .selectFrom('digest')
    .selectAll()
    .where('id', '=', digest?.id ?? '')
    .executeTakeFirst();
  expect(row?.state).toBe('on');
});
