import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { BotSchema } from '../../../src/handlers/schema.ts';
import { type BotDatabase, openBotDatabase } from '../../support/bot-database.ts';
import { createAttacks } from './attacks.ts';
import { buildCommand, buildPress } from './requests.ts';
import { belongsToManager, exploreAs, type Id, listIds, pickOneOfEach, seedRecords } from './seeded-ids.ts';
import type { ShownElements } from './shown.ts';
import {
  getManagerId,
  getOwnerId,
  getProjectId,
  getSecret,
  getWorkspaceId,
  NUMBERS,
  startThreeWorkspaces,
} from './three-workspaces.ts';

let database: BotDatabase;
let world: Awaited<ReturnType<typeof startThreeWorkspaces>>;
const shownByUser = new Map<string, ShownElements>();

beforeAll(async () => {
  database = await openBotDatabase();
  world = await startThreeWorkspaces(database.db);
  await seedRecords(world, database.db);
  for (const workspaceNumber of NUMBERS) {
    for (const user of [
      getOwnerId(workspaceNumber),
      ...(workspaceNumber < 3 ? [getManagerId(workspaceNumber)] : []),
    ])
      shownByUser.set(user, await exploreAs(world, workspaceNumber, user));
  }
}, 120_000);
afterAll(async () => {
  await world.close();
  await database.close();
});

const getShownTo = (user: string): ShownElements => shownByUser.get(user) ?? { buttons: [], forms: [] };

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
  'sending_stop',
] as const satisfies readonly (keyof BotSchema)[];
/** Tables that even a refused request may write to. */
const REQUEST_TABLES = ['open_form', 'access_request'] as const satisfies readonly (keyof BotSchema)[];

/** Reads the workspace's rows in these tables as JSON, except the rows that belong to the attacker. */
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

/** Lists removed and added rows, and the calls to the service between the snapshots. */
function diffSnapshots(before: Snapshot, after: Snapshot): string[] {
  const removedRows = before.rows.filter((row) => !after.rows.includes(row)).map((row) => `- ${row}`);
  const addedRows = after.rows.filter((row) => !before.rows.includes(row)).map((row) => `+ ${row}`);
  return [...removedRows, ...addedRows, ...after.calls.slice(before.calls.length)];
}

/** Reads the ids of the first project's digests, which its manager may change. */
async function readOwnDigests(workspaceNumber: number): Promise<string[]> {
  const ids = await listIds(database.db, workspaceNumber);
  return ids
    .filter((id) => id.kind === 'digest' && belongsToManager(id, workspaceNumber))
    .map(({ id }) => id);
}

test('an owner sees every kind of id, so that the attacks can swap every kind', async () => {
  for (const workspaceNumber of NUMBERS) {
    const { buttons, forms } = getShownTo(getOwnerId(workspaceNumber));
    const shownValues = [...buttons.map(({ value }) => value), ...forms.map(({ metadata }) => metadata)].join(
      ' ',
    );
    const ids = await listIds(database.db, workspaceNumber);
    const isKindShown = (kind: string) =>
      ids.some(({ kind: idKind, id }) => idKind.startsWith(kind) && shownValues.includes(id));
    for (const kind of ['submission', 'form', 'digest', 'credential', 'project', 'templates', 'sources']) {
      expect([kind, isKindShown(kind)]).toEqual([kind, true]);
    }
    expect(forms.length).toBeGreaterThan(10);
  }
});

describe.each([
  ['an owner who uses the ids of another workspace', getOwnerId(1), 2],
  ['a manager of one project who uses the ids of other projects and of the owner', getManagerId(1), 1],
  ['a manager of one project who uses the ids of another workspace', getManagerId(2), 3],
] as const)('%s', (_actor, user, targetNumber) => {
  const homeNumber = Number(user.at(-1));
  const isAtHome = targetNumber === homeNumber;

  test('ids of other people, projects and workspaces reveal nothing and change nothing', async () => {
    // In their own workspace, managers may see and change everything in the first project.
    const belongsToAttacker = (id: Id) => isAtHome && belongsToManager(id, targetNumber);
    const foreignProject = new RegExp(`"p${targetNumber}[23]\\\\?"`);
    const ownMarkers = isAtHome
      ? [user, `"${getProjectId(targetNumber, 1)}`, ...(await readOwnDigests(targetNumber))]
      : [];
    const isOwn = (row: string) =>
      ownMarkers.some((marker) => row.includes(marker)) && !foreignProject.test(row);
    const foreignIds = pickOneOfEach(
      (await listIds(database.db, targetNumber)).filter((id) => !belongsToAttacker(id)),
    );
    const idsAtHome = await listIds(database.db, homeNumber);
    const service = world.services.get(getWorkspaceId(targetNumber));
    const listCalls = () =>
      (service?.calls ?? [])
        .map(({ method, path }) => `${method} ${path}`)
        .filter((call) => !isAtHome || /projects\/p\d[23]\//.test(call));
    const takeSnapshot = async (): Promise<Snapshot> => ({
      rows: await readRows(
        [...DATA_TABLES, ...(isAtHome ? [] : REQUEST_TABLES)],
        getWorkspaceId(targetNumber),
        isOwn,
      ),
      calls: listCalls(),
    });
    const earlierSnapshot = await takeSnapshot();
    const attack = {
      ...{
        workspaceNumber: homeNumber,
        user,
        shownToAttacker: getShownTo(user),
        shownToOthers: getShownTo(getOwnerId(targetNumber)),
        foreignIds,
      },
      ownIds: isAtHome ? idsAtHome.filter(belongsToAttacker) : idsAtHome,
      secrets: NUMBERS.filter((project) => !isAtHome || project !== 1).map((project) =>
        getSecret(targetNumber, project),
      ),
    };
    // Attackers may stop their own projects. Others then read the reason, which may be a secret that an attacker typed.
    const resumeOwnProjects = () =>
      database.db
        .deleteFrom('sending_stop')
        .where('workspace', '=', getWorkspaceId(homeNumber))
        .$if(isAtHome, (query) => query.where('project', '=', getProjectId(targetNumber, 1)))
        .execute();
    const secret = new RegExp(attack.secrets.join('|'));
    const leaks: string[] = [];
    let requestCount = 0;
    for (const body of createAttacks(attack)) {
      const answer = JSON.stringify(await world.ask(body));
      await resumeOwnProjects();
      const request = JSON.stringify(body);
      requestCount += 1;
      // A secret that the attacker typed may be repeated to them.
      if (secret.test(answer) && !secret.test(request))
        leaks.push(`${request.slice(0, 400)} → ${secret.exec(answer)}`);
    }
    expect(leaks).toEqual([]);
    expect(diffSnapshots(earlierSnapshot, await takeSnapshot())).toEqual([]);
    expect(requestCount).toBeGreaterThan(1_000);
  }, 300_000);
});

test('an owner can see and change their own records, which shows that the set-up works', async () => {
  const answer = JSON.stringify(
    await world.ask(buildCommand(2, getOwnerId(2), `templates ${getProjectId(2, 3)}`)),
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
