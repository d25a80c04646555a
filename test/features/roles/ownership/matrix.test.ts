import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ROLES, type Role } from '../../../../src/access/access.ts';
import { type BotDatabase, openBotDatabase } from '../../../support/bot.ts';
import { isGeneralFault } from '../general-fault.ts';
import { grantRole, startThreeWorkspaces, workspaceId } from '../three-workspaces.ts';
import { type Belongings, createBelongings } from './belongings.ts';
import {
  getSurfaceName,
  isSilent,
  listOwnRows,
  type Outcome,
  PROJECT_OWNERSHIPS,
  type ProjectOwnership,
  predictOutcome,
} from './expected.ts';
import { getOtherPersonId, getPersonId } from './person.ts';
import { createProjectRequest } from './project-requests.ts';
import { buildRequest, type SurfaceRequest } from './surface-request.ts';
import { type Surface, surfaces } from './surfaces.ts';
import { watchDatabase } from './watched-database.ts';

/**
 * As an owner, one person creates records in their own project, in another one, and in another workspace. Then they
 * lose that role, and request all these records with each role in their own project.
 */
let database: BotDatabase;
let watched: Awaited<ReturnType<typeof watchDatabase>>;
let world: Awaited<ReturnType<typeof startThreeWorkspaces>>;
let belongings: Record<ProjectOwnership, Belongings>;

beforeAll(async () => {
  database = await openBotDatabase();
  watched = await watchDatabase(database.db);
  world = await startThreeWorkspaces(watched.db);
  for (const number of [1, 2]) await setRole(number, 'owner');
  const create = (number: number, project: number) => createBelongings(world, database.db, number, project);
  belongings = { own: await create(1, 1), another: await create(1, 2), tenant: await create(2, 1) };
}, 120_000);
afterAll(async () => {
  await world.close();
  await database.close();
});

/** Replaces the person's roles with this one. Owners have it in the whole workspace, others in its first project. */
async function setRole(number: number, role: Role | undefined): Promise<void> {
  const [workspace, subject] = [workspaceId(number), getPersonId(number)];
  await database.db.deleteFrom('access_grant').where('subject', '=', subject).execute();
  const project = role === 'owner' ? '' : `p${number}1`;
  if (role !== undefined) await grantRole(database.db, { workspace, subject, project, role });
  world.access.onGrantsChanged(workspace);
  await watched.takeSnapshot();
}

/** Surfaces without the buttons and fields that differ from the first one only by a number. */
const distinctSurfaces = surfaces.filter(({ id }) => !/[.-][1-9]\d*$|text\d+$/.test(id));

interface Answer {
  text: string;
  /** How the request reached the project: by text, by calls to its service, or by changed rows. */
  reached: string[];
  /** Rows of the workspace that the request changed. */
  changed: string[];
  /** What was logged at error level. */
  failures: string[];
}

/** Makes a request about the project, by default as the person of the first workspace. */
async function ask(
  request: SurfaceRequest,
  { project, secret, channel, number: targetNumber }: Belongings,
  { number = 1, user = getPersonId(1) } = {},
): Promise<Answer> {
  const service = world.services.get(workspaceId(targetNumber));
  const earlierCallCount = service?.calls.length ?? 0;
  const text = JSON.stringify(await world.ask(buildRequest({ number, user, channel }, request)));
  const projectCalls =
    service?.calls.slice(earlierCallCount).filter(({ path }) => `${path}/`.includes(`/${project}/`)) ?? [];
  // A secret that the person typed may be repeated to them.
  const isTyped = request.surface === 'view' && JSON.stringify(request).includes(`"value":"${secret}"`);
  const changed = await watched.findChanges(workspaceId(targetNumber));
  const reached = [
    ...(text.includes(secret) && !isTyped ? ['text'] : []),
    ...projectCalls.map(({ method, path }) => `${method} ${path}`),
    ...changed,
  ];
  await watched.restore();
  if (reached.length > 0) world.access.onGrantsChanged(workspaceId(1));
  return { text, reached, changed, failures: world.failures() };
}

const REFUSED = /it needs|Upnext is for/;
const NO_OPTIONS = JSON.stringify([{ options: [] }]);

function isOutcome(
  { text, reached, changed, failures }: Answer,
  expected: Outcome,
  surface: Surface,
  request: SurfaceRequest,
): boolean {
  if (failures.length > 0 || isGeneralFault(text)) return false;
  const isRefused = surface.surface === 'options' ? text === NO_OPTIONS : REFUSED.test(text);
  const isAnswered = isSilent(surface, request) || !['[]', '[null]'].includes(text);
  switch (expected) {
    case 'refused':
      return isRefused && reached.length === 0;
    case 'done':
      return !isRefused && reached.length === 0;
    case 'reached':
      return !isRefused && reached.length > 0;
    case 'own data':
      return (
        !reached.some((one) => one.includes('/')) && isAnswered && areOnlyOwnRows(changed, surface, request)
      );
    case 'nothing':
      return reached.length === 0 && isAnswered;
  }
}

function areOnlyOwnRows(changed: readonly string[], surface: Surface, request: SurfaceRequest): boolean {
  const rows = listOwnRows(surface, request, getPersonId(1));
  return changed.every((row) => rows.includes(row));
}

function describeAnswer(surface: Surface, { text, reached, failures }: Answer): string {
  return `${getSurfaceName(surface)}: ${[...reached, ...failures].join()} ${text.slice(0, 300)}`;
}

/** Roles whose answers are compared with those for unknown projects. The other roles take the same paths. */
const COMPARED: readonly (Role | undefined)[] = ['manager', 'owner'];

/** Replaces the ids in a request with ids that never existed. */
function withOtherIds(request: SurfaceRequest): SurfaceRequest {
  const ids = new Map<string, string>();
  const another = (id: string) => ids.get(id) ?? ids.set(id, randomUUID()).get(id) ?? id;
  return JSON.parse(JSON.stringify(request).replaceAll(UUID, another));
}

/** Replaces the project in a request with one that exists neither in the database nor in the service. */
function withUnknownProject(request: SurfaceRequest): SurfaceRequest {
  return JSON.parse(
    JSON.stringify(withOtherIds(request))
      .replaceAll(/\b(p|templates-|sources-)21\b/g, '$129')
      .replaceAll('Secret-2-1', 'Secret-2-9'),
  );
}

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;

/** Removes details that differ between any two answers. */
const normalize = (text: string) =>
  text
    .replaceAll(UUID, 'ID')
    .replaceAll(/Reference: \w{8}/g, 'Reference')
    .replaceAll(/\b(p|templates-|sources-)2[19]\b/g, '$1')
    .replaceAll(/Secret-2-[19]/g, 'Secret');

test.each(PROJECT_OWNERSHIPS)('every surface has a test request about a project (%s)', (ownership) => {
  const unknown = surfaces.filter(
    (surface) => createProjectRequest(surface, belongings[ownership]) === undefined,
  );
  expect(unknown.map(getSurfaceName)).toEqual([]);
});

describe.each([undefined, ...ROLES])('a person with the role %s in their own project', (role) => {
  beforeAll(() => setRole(1, role));

  test.each(PROJECT_OWNERSHIPS)(
    'a person reads and changes only the project data that their role permits (%s)',
    async (ownership) => {
      const problems: string[] = [];
      const target = belongings[ownership];
      for (const surface of distinctSurfaces) {
        const request = createProjectRequest(surface, target);
        if (!request) continue;
        const expected = predictOutcome(surface, request, role, ownership);
        const answer = await ask(request, target);
        const description = describeAnswer(surface, answer);
        if (!isOutcome(answer, expected, surface, request)) problems.push(`not ${expected}: ${description}`);
        if (ownership !== 'tenant' || expected !== 'nothing' || !COMPARED.includes(role)) continue;
        const unknown = withUnknownProject(request);
        const { text } = await ask(unknown, target);
        const isSame = JSON.stringify(unknown) === JSON.stringify(request);
        if (!isSame && normalize(text) !== normalize(answer.text))
          problems.push(`differs from an unknown project: ${description} ≠ ${text.slice(0, 300)}`);
      }
      expect(problems).toEqual([]);
    },
    120_000,
  );
});

test('an owner of one workspace is refused everything in another', async () => {
  await setRole(1, 'owner');
  const problems: string[] = [];
  for (const surface of distinctSurfaces) {
    const request = createProjectRequest(surface, belongings.tenant);
    if (!request) continue;
    const answer = await ask(request, belongings.tenant, { number: 2 });
    if (!isOutcome(answer, 'refused', surface, request)) problems.push(describeAnswer(surface, answer));
  }
  expect(problems).toEqual([]);
}, 120_000);

test('an owner can’t use a form that another owner has opened', async () => {
  await setRole(1, 'owner');
  const other = {
    workspace: workspaceId(1),
    subject: getOtherPersonId(1),
    project: '',
    role: 'owner',
  } as const;
  await grantRole(database.db, other);
  world.access.onGrantsChanged(workspaceId(1));
  await watched.takeSnapshot();
  const problems: string[] = [];
  for (const surface of distinctSurfaces) {
    const request = createProjectRequest(surface, belongings.own);
    if (!request?.view) continue;
    const answer = await ask(request, belongings.own, { user: getOtherPersonId(1) });
    const unknown = await ask(withOtherIds(request), belongings.own, { user: getOtherPersonId(1) });
    const isSame = normalize(answer.text) === normalize(unknown.text);
    if (answer.changed.length > 0 || !isSame)
      problems.push(`${describeAnswer(surface, answer)} ≠ ${unknown.text.slice(0, 300)}`);
    // An owner may search, and a form that is reloaded becomes their own.
    const isAllowed = surface.surface === 'options' || surface.id.endsWith('.reload');
    if (!isAllowed && !isOutcome(answer, 'nothing', surface, request))
      problems.push(`not nothing: ${describeAnswer(surface, answer)}`);
  }
  expect(problems).toEqual([]);
}, 120_000);
