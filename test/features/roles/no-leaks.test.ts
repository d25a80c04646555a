import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { BotSchema } from '../../../src/store/schema.ts';
import { type BotDatabase, openBotDatabase } from '../../support/bot.ts';
import { createAttacks } from './attacks.ts';
import { buildCommand, buildPress } from './requests.ts';
import { exploreAs, type Id, isOfManager, listIds, pickOneOfEach, seedRecords } from './seeded-ids.ts';
import type { Shown } from './shown.ts';
import {
  getManagerId,
  getOwnerId,
  getSecret,
  NUMBERS,
  projectId,
  startThreeWorkspaces,
  workspaceId,
} from './three-workspaces.ts';

let database: BotDatabase;
let world: Awaited<ReturnType<typeof startThreeWorkspaces>>;
const shownByUser = new Map<string, Shown>();

beforeAll(async () => {
  database = await openBotDatabase();
  world = await startThreeWorkspaces(database.db);
  await seedRecords(world, database.db);
  for (const number of NUMBERS) {
    for (const user of [getOwnerId(number), ...(number < 3 ? [getManagerId(number)] : [])])
      shownByUser.set(user, await exploreAs(world, number, user));
  }
}, 120_000);
afterAll(async () => {
  await world.close();
  await database.close();
});

const getShownTo = (user: string): Shown => shownByUser.get(user) ?? { buttons: [], forms: [] };

/** Tables with a workspace's data. */
const DATA_TABLES = [
  'submission',
  'access_grant',
  'channel_project',
  'zone',
  'digest',
  'digest_occurrence',
  'credential',
  'scheduled_draft',
] as const satisfies readonly (keyof BotSchema)[];
/** Tables that even a refused request may write to. */
const REQUEST_TABLES = ['open_form', 'access_request'] as const satisfies readonly (keyof BotSchema)[];

/** Reads the workspace's rows in these tables as JSON, except the attacker's own. */
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
  const ids = await listIds(database.db, number);
  return ids.filter((one) => one.kind === 'digest' && isOfManager(one, number)).map(({ id }) => id);
}

test('every kind of id was shown to an owner, so that it can be swapped', async () => {
  for (const number of NUMBERS) {
    const { buttons, forms } = getShownTo(getOwnerId(number));
    const shownValues = [...buttons.map(({ value }) => value), ...forms.map(({ metadata }) => metadata)].join(
      ' ',
    );
    const ids = await listIds(database.db, number);
    const isShown = (kind: string) =>
      ids.some((one) => one.kind.startsWith(kind) && shownValues.includes(one.id));
    for (const kind of ['submission', 'form', 'digest', 'credential', 'project', 'templates', 'sources']) {
      expect([kind, isShown(kind)]).toEqual([kind, true]);
    }
    expect(forms.length).toBeGreaterThan(10);
  }
});

describe.each([
  ['an owner who uses the ids of another workspace', getOwnerId(1), 2],
  ['an owner who uses the ids of a third workspace', getOwnerId(1), 3],
  ['a manager of one project who uses the ids of other projects and of the owner', getManagerId(1), 1],
  ['a manager of one project who uses the ids of another workspace', getManagerId(2), 3],
] as const)('%s', (_actor, user, targetNumber) => {
  const home = Number(user.at(-1));
  const isAtHome = targetNumber === home;

  test('foreign ids show nothing and change nothing', async () => {
    // In their own workspace, managers may see and change everything in the first project.
    const isAttackersOwn = (one: Id) => isAtHome && isOfManager(one, targetNumber);
    const foreignProject = new RegExp(`"p${targetNumber}[23]\\\\?"`);
    const ownMarkers = isAtHome
      ? [user, `"${projectId(targetNumber, 1)}`, ...(await readOwnDigests(targetNumber))]
      : [];
    const isOwn = (row: string) => ownMarkers.some((one) => row.includes(one)) && !foreignProject.test(row);
    const foreign = pickOneOfEach(
      (await listIds(database.db, targetNumber)).filter((one) => !isAttackersOwn(one)),
    );
    const ownIds = await listIds(database.db, home);
    const service = world.services.get(workspaceId(targetNumber));
    const calls = () =>
      (service?.calls ?? [])
        .map(({ method, path }) => `${method} ${path}`)
        .filter((call) => !isAtHome || /projects\/p\d[23]\//.test(call));
    const takeSnapshot = async (): Promise<Snapshot> => ({
      rows: await readRows(
        [...DATA_TABLES, ...(isAtHome ? [] : REQUEST_TABLES)],
        workspaceId(targetNumber),
        isOwn,
      ),
      calls: calls(),
    });
    const before = await takeSnapshot();
    const attack = {
      ...{ number: home, user, own: getShownTo(user), others: getShownTo(getOwnerId(targetNumber)), foreign },
      ownIds: isAtHome ? ownIds.filter(isAttackersOwn) : ownIds,
      secrets: NUMBERS.filter((project) => !isAtHome || project !== 1).map((project) =>
        getSecret(targetNumber, project),
      ),
    };
    const secret = new RegExp(attack.secrets.join('|'));
    const leaks: string[] = [];
    let requestCount = 0;
    for (const body of createAttacks(attack)) {
      const answer = JSON.stringify(await world.ask(body));
      const request = JSON.stringify(body);
      requestCount += 1;
      // A secret that the attacker typed may be repeated to them.
      if (secret.test(answer) && !secret.test(request))
        leaks.push(`${request.slice(0, 400)} → ${secret.exec(answer)}`);
    }
    expect(leaks).toEqual([]);
    expect(diffSnapshots(before, await takeSnapshot())).toEqual([]);
    expect(requestCount).toBeGreaterThan(1_000);
  }, 300_000);
});

test('an owner can see and change their own records, which shows that the set-up works', async () => {
  const answer = JSON.stringify(
    await world.ask(buildCommand(2, getOwnerId(2), `templates ${projectId(2, 3)}`)),
  );
  expect(answer).toContain('Secret-2-3');
  const managerAnswer = JSON.stringify(await world.ask(buildCommand(1, getManagerId(1), 'templates')));
  expect(managerAnswer).toContain('Secret-1-1');
  const [digest] = (await listIds(database.db, 2)).filter(({ kind, person }) => kind === 'digest' && !person);
  await world.ask(buildPress(2, getOwnerId(2), 'digests.resume', digest?.id));
  const row = await database.db
    .selectFrom('digest')
    .selectAll()
    .where('id', '=', digest?.id ?? '')
    .executeTakeFirst();
  expect(row?.state).toBe('on');
});
