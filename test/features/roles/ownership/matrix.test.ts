import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ROLES, type Role } from '../../../../src/access/access.ts';
import { type BotDatabase, openBotDatabase } from '../../../support/bot-database.ts';
import { isGeneralFault } from '../general-fault.ts';
import { getWorkspaceId, grantRole, startThreeWorkspaces } from '../three-workspaces.ts';
import { type Belongings, createBelongings } from './belongings.ts';
import {
  getSurfaceName,
  listOwnRows,
  mayBeUnanswered,
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
 * One person, as an owner, creates records in their own project, in another project, and in another workspace. Then
 * the person loses that role, and requests all these records with each role in their own project.
 */
let database: BotDatabase;
let watchedDatabase: Awaited<ReturnType<typeof watchDatabase>>;
let world: Awaited<ReturnType<typeof startThreeWorkspaces>>;
let belongingsByOwnership: Record<ProjectOwnership, Belongings>;

beforeAll(async () => {
  database = await openBotDatabase();
  watchedDatabase = await watchDatabase(database.db);
  world = await startThreeWorkspaces(watchedDatabase.db);
  for (const workspaceNumber of [1, 2]) await setRole(workspaceNumber, 'owner');
  const createPersonBelongings = (workspaceNumber: number, projectNumber: number) =>
    createBelongings(world, database.db, workspaceNumber, projectNumber);
  belongingsByOwnership = {
    ownProject: await createPersonBelongings(1, 1),
    otherProject: await createPersonBelongings(1, 2),
    otherWorkspace: await createPersonBelongings(2, 1),
  };
}, 120_000);
afterAll(async () => {
  await world.close();
  await database.close();
});

/** Replaces the person's roles with `role`: for owners in the whole workspace, otherwise in its first project. */
async function setRole(workspaceNumber: number, role: Role | undefined): Promise<void> {
  const [workspace, subject] = [getWorkspaceId(workspaceNumber), getPersonId(workspaceNumber)];
  await database.db.deleteFrom('access_grant').where('subject', '=', subject).execute();
  const project = role === 'owner' ? '' : `p${workspaceNumber}1`;
  if (role !== undefined) await grantRole(database.db, { workspace, subject, project, role });
  world.access.onGrantsChanged(workspace);
  await watchedDatabase.takeSnapshot();
}

/** All surfaces, with only one of the buttons or fields whose ids differ only by a number. */
const distinctSurfaces = surfaces.filter(({ id }) => !/[.-][1-9]\d*$|text\d+$/.test(id));

interface Answer {
  text: string;
  /** How the request reached the project: by text, by calls to its service, or by changed rows. */
  reached: string[];
  /** Rows of the workspace that the request changed. */
  changedRows: string[];
  /** Lines that were logged at error level. */
  failures: string[];
}

/** Makes a request about the project, by default as the person of the first workspace. */
async function sendRequest(
  request: SurfaceRequest,
  { project, secret, channel, workspaceNumber: targetNumber }: Belongings,
  { workspaceNumber = 1, user = getPersonId(1) } = {},
): Promise<Answer> {
  const service = world.services.get(getWorkspaceId(targetNumber));
  const earlierCallCount = service?.calls.length ?? 0;
  const text = JSON.stringify(await world.ask(buildRequest({ workspaceNumber, user, channel }, request)));
  const projectCalls =
    service?.calls.slice(earlierCallCount).filter(({ path }) => `${path}/`.includes(`/${project}/`)) ?? [];
  // A secret that the person typed may be repeated to them.
  const isTyped = request.surface === 'view' && JSON.stringify(request).includes(`"value":"${secret}"`);
  const changedRows = await watchedDatabase.findChanges(getWorkspaceId(targetNumber));
  const reached = [
    ...(text.includes(secret) && !isTyped ? ['text'] : []),
    ...projectCalls.map(({ method, path }) => `${method} ${path}`),
    ...changedRows,
  ];
  await watchedDatabase.restore();
  if (reached.length > 0) world.access.onGrantsChanged(getWorkspaceId(1));
  return { text, reached, changedRows, failures: world.takeFailures() };
}

const REFUSED = /You need (?:the \w+|a) role|can’t use Upnext|can use Upnext here/;
const NO_OPTIONS = JSON.stringify([{ options: [] }]);

function matchesOutcome(
  { text, reached, changedRows, failures }: Answer,
  expected: Outcome,
  surface: Surface,
  request: SurfaceRequest,
): boolean {
  if (failures.length > 0 || isGeneralFault(text)) return false;
  const isRefused = surface.surface === 'options' ? text === NO_OPTIONS : REFUSED.test(text);
  const isAnswered = mayBeUnanswered(surface, request) || !['[]', '[null]'].includes(text);
  switch (expected) {
    case 'refused':
      return isRefused && reached.length === 0;
    case 'done':
      return !isRefused && reached.length === 0;
    case 'reached':
      return !isRefused && reached.length > 0;
    case 'own data':
      return (
        !reached.some((access) => access.includes('/')) &&
        isAnswered &&
        areOnlyOwnRows(changedRows, surface, request)
      );
    case 'nothing':
      return reached.length === 0 && isAnswered;
  }
}

function areOnlyOwnRows(changedRows: readonly string[], surface: Surface, request: SurfaceRequest): boolean {
  const rows = listOwnRows(surface, request, getPersonId(1));
  return changedRows.every((row) => rows.includes(row));
}

function describeAnswer(surface: Surface, { text, reached, failures }: Answer): string {
  return `${getSurfaceName(surface)}: ${[...reached, ...failures].join()} ${text.slice(0, 300)}`;
}

/** Roles whose answers about foreign projects are compared with answers about unknown projects. */
const COMPARED_ROLES: readonly (Role | undefined)[] = ['manager', 'owner'];

/** Replaces the ids in a request with ids that never existed. */
function withOtherIds(request: SurfaceRequest): SurfaceRequest {
  const ids = new Map<string, string>();
  const getReplacement = (id: string) => ids.get(id) ?? ids.set(id, randomUUID()).get(id) ?? id;
  return JSON.parse(JSON.stringify(request).replaceAll(UUID, getReplacement));
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
const normalizeText = (text: string) =>
  text
    .replaceAll(UUID, 'ID')
    .replaceAll(/reference: \w{8}/gi, 'Reference')
    .replaceAll(/\b(p|templates-|sources-)2[19]\b/g, '$1')
    .replaceAll(/Secret-2-[19]/g, 'Secret');

test.each(PROJECT_OWNERSHIPS)('every surface has a test request about a project (%s)', (ownership) => {
  const surfacesWithoutRequest = surfaces.filter(
    (surface) => createProjectRequest(surface, belongingsByOwnership[ownership]) === undefined,
  );
  expect(surfacesWithoutRequest.map(getSurfaceName)).toEqual([]);
});

describe.each([undefined, ...ROLES])('a person with the role %s in their own project', (role) => {
  beforeAll(() => setRole(1, role));

  test.each(PROJECT_OWNERSHIPS)(
    'a person reads and changes only the project data that their role permits (%s)',
    async (ownership) => {
      const problems: string[] = [];
      const target = belongingsByOwnership[ownership];
      for (const surface of distinctSurfaces) {
        const request = createProjectRequest(surface, target);
        if (!request) continue;
        const expected = predictOutcome(surface, request, role, ownership);
        const answer = await sendRequest(request, target);
        const description = describeAnswer(surface, answer);
        if (!matchesOutcome(answer, expected, surface, request))
          problems.push(`not ${expected}: ${description}`);
        if (ownership !== 'otherWorkspace' || expected !== 'nothing' || !COMPARED_ROLES.includes(role))
          continue;
        const unknownRequest = withUnknownProject(request);
        const { text } = await sendRequest(unknownRequest, target);
        const isSame = JSON.stringify(unknownRequest) === JSON.stringify(request);
        if (!isSame && normalizeText(text) !== normalizeText(answer.text))
          problems.push(`differs from an unknown project: ${description} ≠ ${text.slice(0, 300)}`);
      }
      expect(problems).toEqual([]);
    },
    120_000,
  );
});

test('an owner of one workspace is refused every request in another workspace', async () => {
  await setRole(1, 'owner');
  const problems: string[] = [];
  for (const surface of distinctSurfaces) {
    const request = createProjectRequest(surface, belongingsByOwnership.otherWorkspace);
    if (!request) continue;
    const answer = await sendRequest(request, belongingsByOwnership.otherWorkspace, { workspaceNumber: 2 });
    if (!matchesOutcome(answer, 'refused', surface, request)) problems.push(describeAnswer(surface, answer));
  }
  expect(problems).toEqual([]);
}, 120_000);

test('an owner can’t use a form that another owner has opened', async () => {
  await setRole(1, 'owner');
  const grant = {
    workspace: getWorkspaceId(1),
    subject: getOtherPersonId(1),
    project: '',
    role: 'owner',
  } as const;
  await grantRole(database.db, grant);
  world.access.onGrantsChanged(getWorkspaceId(1));
  await watchedDatabase.takeSnapshot();
  const problems: string[] = [];
  for (const surface of distinctSurfaces) {
    const request = createProjectRequest(surface, belongingsByOwnership.ownProject);
    if (!request?.view) continue;
    const answer = await sendRequest(request, belongingsByOwnership.ownProject, {
      user: getOtherPersonId(1),
    });
    const answerToUnknownIds = await sendRequest(withOtherIds(request), belongingsByOwnership.ownProject, {
      user: getOtherPersonId(1),
    });
    const isSame = normalizeText(answer.text) === normalizeText(answerToUnknownIds.text);
    if (answer.changedRows.length > 0 || !isSame)
      problems.push(`${describeAnswer(surface, answer)} ≠ ${answerToUnknownIds.text.slice(0, 300)}`);
    // The other owner may search, and a form that the other owner reloads belongs to them from then on.
    const isAllowed = surface.surface === 'options' || surface.id.endsWith('.reload');
    if (!isAllowed && !matchesOutcome(answer, 'nothing', surface, request))
      problems.push(`not nothing: ${describeAnswer(surface, answer)}`);
  }
  expect(problems).toEqual([]);
}, 120_000);
