import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { includesRole, ROLES, type Role } from '../../src/access/access.ts';
import { setUpBotDatabase } from '../support/set-up-database.ts';
import { type Belongings, createBelongings, listIds } from './belongings.ts';
import { distinctSurfaces, isTypedElsewhere, type Surface, surfaces } from './catalogue.ts';
import {
  findCatalogueRole,
  listOwnRows,
  mayBeUnanswered,
  PROJECT_OWNERSHIPS,
  type ProjectOwnership,
  predictOutcome,
} from './expected.ts';
import {
  findDifference,
  findFailures,
  findLeaks,
  findWrongOffer,
  findWrongOutcome,
  type Visit,
} from './oracles.ts';
import { createProjectRequest } from './project-requests.ts';
import { getSecret, scriptSecrets } from './scripted-records.ts';
import { OUTSIDERS } from './slack-stub.ts';
import { buildRequest, type SurfaceRequest } from './surface-request.ts';
import { watchDatabase } from './watched-database.ts';
import {
  createWorld,
  getOtherPersonId,
  getPersonId,
  getWorkspaceId,
  grantRole,
  type World,
} from './world.ts';

/**
 * Everybody visits every command, button, form, option, shortcut and event, with requests about their own project,
 * about other projects, and about projects of other workspaces.
 *
 * One person, as an owner, creates records in their own project, in another project, and in another workspace. Then
 * the person loses that role, and requests all these records with each role in their own project.
 */
const database = await setUpBotDatabase();
let watchedDatabase: Awaited<ReturnType<typeof watchDatabase>>;
let world: World;
let belongings: Record<ProjectOwnership, Belongings>;

beforeAll(async () => {
  watchedDatabase = await watchDatabase(database.db);
  world = await createWorld(database.db, 2);
  for (const workspaceNumber of [1, 2]) {
    const service = world.services.get(getWorkspaceId(workspaceNumber));
    if (service) scriptSecrets(service, workspaceNumber);
    await setRole(workspaceNumber, 'owner');
  }
  const create = (workspaceNumber: number, projectNumber: number) =>
    createBelongings(world, workspaceNumber, projectNumber, getSecret(workspaceNumber, projectNumber));
  belongings = {
    ownProject: await create(1, 1),
    otherProject: await create(1, 2),
    otherWorkspace: await create(2, 1),
  };
});
afterAll(async () => {
  await world.close();
});

/**
 * Replaces the person's roles with `role`: for owners in the whole workspace, otherwise in its first project.
 * `otherRole`: the role in its second project.
 */
async function setRole(workspaceNumber: number, role: Role | undefined, otherRole?: Role): Promise<void> {
  const [workspace, subject] = [getWorkspaceId(workspaceNumber), getPersonId(workspaceNumber)];
  await database.db.deleteFrom('access_grant').where('subject', '=', subject).execute();
  const project = role === 'owner' ? '' : `p${workspaceNumber}1`;
  if (role !== undefined) await grantRole(database.db, { workspace, subject, project, role });
  if (otherRole !== undefined)
    await grantRole(database.db, { workspace, subject, project: `p${workspaceNumber}2`, role: otherRole });
  world.forgetCached(workspace, ['access_grant']);
  await watchedDatabase.forgetChanges();
}

const ALL_ROLES = [undefined, ...ROLES];

/** Lists the request of each surface about a project. */
const listRequests = (target: Belongings): { surface: Surface; request: SurfaceRequest }[] =>
  distinctSurfaces.flatMap((surface) => {
    const request = createProjectRequest(surface, target);
    return request ? [{ surface, request }] : [];
  });

/**
 * Whether a request is visited with this role. In their own project, people visit it with each role next to one that
 * gets something else, and without a role and as an owner. Of the other ways to type a command, only those in between
 * are visited, and all as a manager of another project and an owner of another workspace.
 */
function isVisited(
  { surface, request }: ReturnType<typeof listRequests>[number],
  role: Role | undefined,
  ownership: ProjectOwnership,
): boolean {
  if (ownership !== 'ownProject')
    return !isTypedElsewhere(surface) || role === (ownership === 'otherProject' ? 'manager' : 'owner');
  const predict = (each: Role | undefined) => predictOutcome(surface, request, each, ownership);
  const index = ALL_ROLES.indexOf(role);
  const neighbours = [index - 1, index + 1].filter((each) => each in ALL_ROLES);
  if (neighbours.length === 1 && !isTypedElsewhere(surface)) return true;
  return neighbours.some((each) => predict(ALL_ROLES[each]) !== predict(role));
}

/** The last request of each kind of surface: a command, a mention, a button, … */
const groupBySurface = (requests: ReturnType<typeof listRequests>) =>
  new Map(requests.map((request) => [request.surface.surface, request]));

/** Makes a request about a project, by default as the person of the first workspace, and undoes what it changed. */
async function visit(
  request: SurfaceRequest,
  { project, channel, workspaceNumber: targetNumber }: Belongings,
  { workspaceNumber = 1, user = getPersonId(1) } = {},
): Promise<Visit> {
  const workspace = getWorkspaceId(targetNumber);
  const service = world.services.get(workspace);
  const earlierCallCount = service?.calls.length ?? 0;
  const body = buildRequest({ workspaceNumber, user, channel }, request);
  const result = await world.deliver(body);
  const calls = (service?.calls ?? [])
    .slice(earlierCallCount)
    .filter(({ path }) => `${path}/`.includes(`/${project}/`))
    .map(({ method, path }) => `${method} ${path}`);
  const { tables, rows } = await watchedDatabase.undo(workspace);
  world.forgetCached(getWorkspaceId(1), tables);
  return { ...result, body, calls, rows };
}

/** Collects the faults of many visits, each with the surface. */
function createReport() {
  const faults: string[] = [];
  return {
    faults,
    add({ surface, id }: Pick<Surface, 'surface' | 'id'>, found: readonly string[]): void {
      for (const fault of found) faults.push(`${surface} ${id}: ${fault.slice(0, 1_000)}`);
    },
  };
}

test.each(PROJECT_OWNERSHIPS)('every surface has a test request about a project (%s)', (ownership) => {
  const withoutRequest = surfaces.filter(
    (surface) => createProjectRequest(surface, belongings[ownership]) === undefined,
  );
  expect(withoutRequest.map(({ surface, id }) => `${surface} ${id}`)).toEqual([]);
});

/**
 * Roles with which people try other projects, and other workspaces. With the roles in between they get no further than
 * with the next higher one.
 */
const ROLES_BY_OWNERSHIP: Readonly<Record<ProjectOwnership, readonly (Role | undefined)[]>> = {
  ownProject: ALL_ROLES,
  otherProject: ['viewer', 'manager', 'owner'],
  otherWorkspace: ['owner'],
};

describe.each(ALL_ROLES)('a person with the role %s in their own project', (role) => {
  beforeAll(() => setRole(1, role));

  const ownerships = PROJECT_OWNERSHIPS.filter((name) => ROLES_BY_OWNERSHIP[name].includes(role));
  test.each(ownerships)('reads and changes only what the role permits (%s)', async (ownership) => {
    const { faults, add } = createReport();
    const target = belongings[ownership];
    const requests = listRequests(target).filter((request) => isVisited(request, role, ownership));
    for (const { surface, request } of requests) {
      const expected = predictOutcome(surface, request, role, ownership);
      const visited = await visit(request, target);
      add(surface, findFailures(visited));
      const rules = {
        secret: target.secret,
        ownRows: listOwnRows(surface, request, getPersonId(1)),
        isSilent: mayBeUnanswered(surface, request),
      };
      add(surface, findWrongOutcome(visited, expected, rules));
      // Only full members can get a role, so only they have a button to ask for one.
      if (expected === 'refused' && !includesRole(role, findCatalogueRole(surface, request)))
        add(surface, findWrongOffer(visited, true));
      if (ownership !== 'otherWorkspace' || expected !== 'nothing') continue;
      const unknownRequest = withUnknownProject(request);
      if (JSON.stringify(unknownRequest) === JSON.stringify(request)) continue;
      add(surface, findDifference(visited, await visit(unknownRequest, target)));
    }
    expect(faults).toEqual([]);
  });
});

test.each([
  ['viewer', 'contributor', 'own data'],
  ['contributor', 'publisher', 'nothing'],
  ['publisher', 'manager', 'nothing'],
] as const)(
  'a manager who is only a %s in another project does nothing there that a %s may do',
  async (role, next, expected) => {
    await setRole(1, 'manager', role);
    const { faults, add } = createReport();
    const target = belongings.otherProject;
    for (const { surface, request } of listRequests(target)) {
      const predict = (each: Role) => predictOutcome(surface, request, each, 'ownProject');
      if (isTypedElsewhere(surface) || predict(role) !== 'refused' || predict(next) === 'refused') continue;
      const rules = { secret: target.secret, ownRows: listOwnRows(surface, request, getPersonId(1)) };
      const visited = await visit(request, target);
      add(surface, [...findFailures(visited), ...findWrongOutcome(visited, expected, rules)]);
    }
    expect(faults).toEqual([]);
  },
);

describe.each(Object.keys(OUTSIDERS))('the outsider %s, whom somebody made an owner', (kind) => {
  const user = `${kind}1`;
  beforeAll(async () => {
    await grantRole(database.db, { workspace: getWorkspaceId(1), subject: user, project: '', role: 'owner' });
    world.forgetCached(getWorkspaceId(1), ['access_grant']);
    await watchedDatabase.forgetChanges();
  });

  test('is refused everywhere', async () => {
    const { faults, add } = createReport();
    const target = belongings.ownProject;
    const requests = listRequests(target);
    // Where people are refused doesn't depend on why they are outsiders: one of them goes everywhere.
    const visitedRequests = kind === 'U0GUEST' ? requests : [...groupBySurface(requests).values()];
    for (const { surface, request } of visitedRequests) {
      const visited = await visit(request, target, { user });
      add(surface, [...findWrongOutcome(visited, 'refused', target), ...findWrongOffer(visited, false)]);
    }
    expect(faults).toEqual([]);
  });
});

test('an owner of one workspace is refused every request in another workspace', async () => {
  await setRole(1, 'owner');
  const { faults, add } = createReport();
  const target = belongings.otherWorkspace;
  for (const { surface, request } of listRequests(target)) {
    const visited = await visit(request, target, { workspaceNumber: 2 });
    add(surface, [...findFailures(visited), ...findWrongOutcome(visited, 'refused', target)]);
  }
  expect(faults).toEqual([]);
});

describe('ids that belong to somebody else', () => {
  test('an owner can’t use a form that another owner has opened', async () => {
    await setRole(1, 'owner');
    const user = getOtherPersonId(1);
    await grantRole(database.db, { workspace: getWorkspaceId(1), subject: user, project: '', role: 'owner' });
    world.forgetCached(getWorkspaceId(1), ['access_grant']);
    await watchedDatabase.forgetChanges();
    const { faults, add } = createReport();
    const target = belongings.ownProject;
    for (const { surface, request } of listRequests(target)) {
      if (!request.view) continue;
      const visited = await visit(request, target, { user });
      add(surface, findFailures(visited));
      add(surface, findDifference(visited, await visit(withOtherIds(request), target, { user })));
      add(
        surface,
        visited.rows.map(({ name }) => `changed ${name}`),
      );
      // The other owner may search, and a form that the other owner reloads belongs to them from then on.
      if (surface.surface === 'options' || surface.id.endsWith('.reload')) continue;
      const isSilent = mayBeUnanswered(surface, request);
      add(surface, findWrongOutcome(visited, 'nothing', { secret: target.secret, isSilent }));
    }
    expect(faults).toEqual([]);
  });

  test.each([
    ['manager', 'otherProject'],
    ['owner', 'otherWorkspace'],
  ] as const)(
    'a %s who swaps single ids for those of %s learns and changes nothing',
    async (role, ownership) => {
      await setRole(1, role);
      const { faults, add } = createReport();
      const foreign = belongings[ownership];
      const foreignIds = listIds(foreign);
      const ids = foreignIds.map(({ id }) => id);
      // The forms in the other project were opened by the same person, who chose a project there.
      const swappableIds = foreignIds.filter(({ isShown }) => ownership !== 'otherProject' || !isShown);
      let count = 0;
      const { channel } = belongings.ownProject;
      const includesSecret = (value: unknown) => JSON.stringify(value).includes(foreign.secret);
      const attack = async (surface: Surface, own: SurfaceRequest, request: SurfaceRequest) => {
        count += 1;
        const visited = await visit(request, { ...foreign, channel });
        add(surface, findFailures(visited));
        // What the person has written in the other project stays theirs.
        if (predictOutcome(surface, request, role, ownership) === 'own data') return;
        // A form that the person opened as an owner still lists the projects that they could choose then. What the attack
        // has left in a cache isn't known.
        const isShownWithOwnIds = async () => {
          world.forgetCached(getWorkspaceId(1));
          return includesSecret((await visit(own, { ...foreign, channel })).sent);
        };
        const isKnown =
          includesSecret(request) || (includesSecret(visited.sent) && (await isShownWithOwnIds()));
        add(surface, findLeaks(visited, { secret: foreign.secret, ids, isTyped: isKnown }));
      };
      const typed = groupBySurface(listRequests(belongings.ownProject));
      const requests = listRequests(belongings.ownProject).filter(
        (each) =>
          !isTypedElsewhere(each.surface) || typed.get(each.surface.surface)?.request === each.request,
      );
      for (const { surface, request } of requests) {
        for (const swapped of swapIds(request, listIds(belongings.ownProject), swappableIds))
          await attack(surface, request, swapped);
        if (surface.surface === 'action' && role === 'owner')
          for (const { id } of foreignIds.filter(({ name }) => ['project', 'held'].includes(name)))
            await attack(surface, request, { ...request, value: id });
        if (surface.surface === 'command')
          for (const text of [foreign.project, foreign.secret])
            await attack(surface, request, { ...request, text });
      }
      expect(faults).toEqual([]);
      expect(count).toBeGreaterThan(300);
    },
  );
});

/** Returns copies of the request, each with one of the own ids replaced by the foreign id of the same record. */
function swapIds(
  request: SurfaceRequest,
  ownIds: ReturnType<typeof listIds>,
  foreignIds: ReturnType<typeof listIds>,
): SurfaceRequest[] {
  const text = JSON.stringify(request);
  const copies = ownIds.flatMap(({ name, id }) => {
    const foreign = foreignIds.find((candidate) => candidate.name === name);
    return foreign && text.includes(id) ? [text.replaceAll(id, foreign.id)] : [];
  });
  return [...new Set(copies)].map((copy) => JSON.parse(copy));
}

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;

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
