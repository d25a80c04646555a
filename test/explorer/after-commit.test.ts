import type { KyselyPlugin } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { mayHaveChanged } from '../../src/handlers/request-changes.ts';
import { DatabaseUnavailable } from '../../src/store/database-unavailable.ts';
import { setUpBotDatabase } from '../support/set-up-database.ts';
import { type Belongings, createBelongings } from './belongings.ts';
import { distinctSurfaces, isTypedElsewhere } from './catalogue.ts';
import { findDenials } from './oracles.ts';
import { createProjectRequest } from './project-requests.ts';
import { getSecret, scriptSecrets } from './scripted-records.ts';
import { buildRequest } from './surface-request.ts';
import { watchDatabase } from './watched-database.ts';
import { createWorld, getPersonId, getWorkspaceId, grantRole, type World } from './world.ts';

/**
 * An owner visits every command, button and form, and the database is gone as soon as a request has committed what it was
 * for: nothing can be read again.
 */
const database = await setUpBotDatabase();
const WORKSPACE = getWorkspaceId(1);
let watchedDatabase: Awaited<ReturnType<typeof watchDatabase>>;
let world: World;
let target: Belongings;
let isFailing = false;
let failureCount = 0;

const failAfterCommit: KyselyPlugin = {
  transformQuery({ node }) {
    if (isFailing && mayHaveChanged()) {
      failureCount += 1;
      throw new DatabaseUnavailable(new Error('down'));
    }
    return node;
  },
  transformResult: async ({ result }) => result,
};

beforeAll(async () => {
  watchedDatabase = await watchDatabase(database.db);
  world = await createWorld(database.db.withPlugin(failAfterCommit), 1);
  const service = world.services.get(WORKSPACE);
  if (service) scriptSecrets(service, 1);
  await grantRole(database.db, {
    ...{ workspace: WORKSPACE, subject: getPersonId(1), project: '', role: 'owner' },
  });
  world.forgetCached(WORKSPACE);
  target = await createBelongings(world, 1, 1, getSecret(1, 1));
  await watchedDatabase.forgetChanges();
});
afterAll(async () => {
  isFailing = false;
  await world.close();
});

test('nobody reads that nothing was saved, after it was', async () => {
  const faults: string[] = [];
  for (const surface of distinctSurfaces) {
    const request = createProjectRequest(surface, target);
    if (!request || isTypedElsewhere(surface)) continue;
    isFailing = true;
    const earlierFailureCount = failureCount;
    const body = buildRequest({ workspaceNumber: 1, user: getPersonId(1), channel: target.channel }, request);
    const result = await world.deliver(body);
    isFailing = false;
    const { tables, rows } = await watchedDatabase.undo(WORKSPACE);
    world.forgetCached(WORKSPACE, tables);
    if (failureCount === earlierFailureCount || rows.length === 0) continue;
    for (const denial of findDenials(result)) faults.push(`${surface.surface} ${surface.id}: ${denial}`);
  }
  expect(faults).toEqual([]);
  // Requests that read something again.
  expect(failureCount).toBeGreaterThan(20);
});
