import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ROLES, type Role } from '../../../../src/access/access.ts';
import { type BotDatabase, openBotDatabase } from '../../../support/bot.ts';
import { isGeneralFault } from '../general-fault.ts';
import { give, threeWorkspaces, workspaceId } from '../three-workspaces.ts';
import { aimedAt } from './aims.ts';
import { type Asked, requestOf } from './asking.ts';
import { type Belongings, belongingsOf } from './belongings.ts';
import { expected, isQuiet, nameOf, type Outcome, ownRows, WHOSE, type Whose } from './expected.ts';
import { otherOf, personOf } from './person.ts';
import { type Surface, surfaces } from './surfaces.ts';
import { watchedDatabase } from './watched-database.ts';

/**
 * One person has everything that can be had in a project of their own, in another one and in another tenant's: they
 * could, before their role was taken back. Then they ask for each of it, with each role in their own project.
 */
let database: BotDatabase;
let watched: Awaited<ReturnType<typeof watchedDatabase>>;
let world: Awaited<ReturnType<typeof threeWorkspaces>>;
let belongings: Record<Whose, Belongings>;

beforeAll(async () => {
  database = await openBotDatabase();
  watched = await watchedDatabase(database.db);
  world = await threeWorkspaces(watched.db);
  for (const number of [1, 2]) await setRole(number, 'owner');
  const has = (number: number, project: number) => belongingsOf(world, database.db, number, project);
  belongings = { own: await has(1, 1), another: await has(1, 2), tenant: await has(2, 1) };
}, 120_000);
afterAll(async () => {
  await world.close();
  await database.close();
});

/** From now on the person has this role alone: of the whole workspace an owner, else in its first project. */
async function setRole(number: number, role: Role | undefined): Promise<void> {
  const [workspace, subject] = [workspaceId(number), personOf(number)];
  await database.db.deleteFrom('access_grant').where('subject', '=', subject).execute();
  const project = role === 'owner' ? '' : `p${number}1`;
  if (role !== undefined) await give(database.db, { workspace, subject, project, role });
  world.access.onGrantsChanged(workspace);
  await watched.keep();
}

/** Of buttons and fields that differ by their number alone, the first stands for all. */
const all = surfaces.filter(({ id }) => !/[.-][1-9]\d*$|text\d+$/.test(id));

interface Answer {
  said: string;
  /** What was shown of a project, asked of its service or changed in its workspace. */
  reached: string[];
  /** Rows of the workspace that are different now. */
  changed: string[];
  /** What was logged at error level. */
  failures: string[];
}

/** Somebody of the first workspace, if nobody else, asks in workspace `number` for something of this project's. */
async function ask(
  asked: Asked,
  { project, secret, channel, number: of }: Belongings,
  { number = 1, user = personOf(1) } = {},
): Promise<Answer> {
  const service = world.services.get(workspaceId(of));
  const calls = service?.calls.length ?? 0;
  const said = JSON.stringify(await world.ask(requestOf({ number, user, channel }, asked)));
  const called = service?.calls.slice(calls).filter(({ path }) => `${path}/`.includes(`/${project}/`)) ?? [];
  // What somebody typed themselves is theirs.
  const isTyped = asked.surface === 'view' && JSON.stringify(asked).includes(`"value":"${secret}"`);
  const changed = await watched.changed(workspaceId(of));
  const reached = [
    ...(said.includes(secret) && !isTyped ? ['said'] : []),
    ...called.map(({ method, path }) => `${method} ${path}`),
    ...changed,
  ];
  await watched.restore();
  if (reached.length > 0) world.access.onGrantsChanged(workspaceId(1));
  return { said, reached, changed, failures: world.failures() };
}

const REFUSED = /it needs|Upnext is for/;
const NO_OPTIONS = JSON.stringify([{ options: [] }]);

function isAs(
  { said, reached, changed, failures }: Answer,
  wanted: Outcome,
  surface: Surface,
  asked: Asked,
): boolean {
  if (failures.length > 0 || isGeneralFault(said)) return false;
  const isRefused = surface.surface === 'options' ? said === NO_OPTIONS : REFUSED.test(said);
  const isTold = isQuiet(surface, asked) || !['[]', '[null]'].includes(said);
  switch (wanted) {
    case 'refused':
      return isRefused && reached.length === 0;
    case 'done':
      return !isRefused && reached.length === 0;
    case 'reached':
      return !isRefused && reached.length > 0;
    case 'own words':
      return !reached.some((one) => one.includes('/')) && isTold && areOwn(changed, surface, asked);
    case 'nothing':
      return reached.length === 0 && isTold;
  }
}

function areOwn(changed: readonly string[], surface: Surface, asked: Asked): boolean {
  const own = ownRows(surface, asked, personOf(1));
  return changed.every((row) => own.includes(row));
}

function described(surface: Surface, { said, reached, failures }: Answer): string {
  return `${nameOf(surface)}: ${[...reached, ...failures].join()} ${said.slice(0, 300)}`;
}

/** An owner is let in everywhere, a manager sees what they run: for all others it is looked up as for these. */
const COMPARED: readonly (Role | undefined)[] = ['manager', 'owner'];

/** The same of a form, a button or a row that there never was. */
function withOtherIds(asked: Asked): Asked {
  const ids = new Map<string, string>();
  const another = (id: string) => ids.get(id) ?? ids.set(id, randomUUID()).get(id) ?? id;
  return JSON.parse(JSON.stringify(asked).replaceAll(UUID, another));
}

/** The same of what there never was, in the service too. */
function ofNothing(asked: Asked): Asked {
  return JSON.parse(
    JSON.stringify(withOtherIds(asked))
      .replaceAll(/\b(p|templates-|sources-)21\b/g, '$129')
      .replaceAll('Secret-2-1', 'Secret-2-9'),
  );
}

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;

/** Without what differs between any two answers. */
const plain = (said: string) =>
  said
    .replaceAll(UUID, 'ID')
    .replaceAll(/Reference: \w{8}/g, 'Reference')
    .replaceAll(/\b(p|templates-|sources-)2[19]\b/g, '$1')
    .replaceAll(/Secret-2-[19]/g, 'Secret');

test.each(WHOSE)('it is known of every surface how it is asked for something of: %s', (whose) => {
  const unknown = surfaces.filter((surface) => aimedAt(surface, belongings[whose]) === undefined);
  expect(unknown.map(nameOf)).toEqual([]);
});

describe.each([undefined, ...ROLES])('with the role %s in their own project, somebody', (role) => {
  beforeAll(() => setRole(1, role));

  test.each(WHOSE)(
    'asks for everything of: %s',
    async (whose) => {
      const faults: string[] = [];
      const target = belongings[whose];
      for (const surface of all) {
        const asked = aimedAt(surface, target);
        if (!asked) continue;
        const wanted = expected(surface, asked, role, whose);
        const answer = await ask(asked, target);
        const at = described(surface, answer);
        if (!isAs(answer, wanted, surface, asked)) faults.push(`not ${wanted}: ${at}`);
        if (whose !== 'tenant' || wanted !== 'nothing' || !COMPARED.includes(role)) continue;
        const never = ofNothing(asked);
        const { said } = await ask(never, target);
        const isSame = JSON.stringify(never) === JSON.stringify(asked);
        if (!isSame && plain(said) !== plain(answer.said))
          faults.push(`not as of nothing: ${at} ≠ ${said.slice(0, 300)}`);
      }
      expect(faults).toEqual([]);
    },
    120_000,
  );
});

test('in the workspace of another tenant nobody who owns their own can ask for anything', async () => {
  await setRole(1, 'owner');
  const faults: string[] = [];
  for (const surface of all) {
    const asked = aimedAt(surface, belongings.tenant);
    if (!asked) continue;
    const answer = await ask(asked, belongings.tenant, { number: 2 });
    if (!isAs(answer, 'refused', surface, asked)) faults.push(described(surface, answer));
  }
  expect(faults).toEqual([]);
}, 120_000);

test('a form that one owner has opened is nothing to another', async () => {
  await setRole(1, 'owner');
  const other = { workspace: workspaceId(1), subject: otherOf(1), project: '', role: 'owner' } as const;
  await give(database.db, other);
  world.access.onGrantsChanged(workspaceId(1));
  await watched.keep();
  const faults: string[] = [];
  for (const surface of all) {
    const asked = aimedAt(surface, belongings.own);
    if (!asked?.view) continue;
    const answer = await ask(asked, belongings.own, { user: otherOf(1) });
    const never = await ask(withOtherIds(asked), belongings.own, { user: otherOf(1) });
    const isSame = plain(answer.said) === plain(never.said);
    if (answer.changed.length > 0 || !isSame)
      faults.push(`${described(surface, answer)} ≠ ${never.said.slice(0, 300)}`);
    // What an owner searches, and a form that begins anew, is theirs.
    const isTheirs = surface.surface === 'options' || surface.id.endsWith('.reload');
    if (!isTheirs && !isAs(answer, 'nothing', surface, asked))
      faults.push(`not nothing: ${described(surface, answer)}`);
  }
  expect(faults).toEqual([]);
}, 120_000);
