import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { createEncryption } from '../../src/access/access.ts';
import { getUpnextPost } from '../../src/api/posts.ts';
import { listProjects } from '../../src/api/projects.ts';
import { createCredentials } from '../../src/workspaces/credentials.ts';
import { createServiceRecords } from '../../src/workspaces/known-projects.ts';
import { createServices, type Services } from '../../src/workspaces/services.ts';
import { data, startScriptedService } from '../support/scripted-service.ts';
import { setUpBotDatabase } from '../support/set-up-database.ts';
import {
  createScriptedLookup,
  createSelfSignedCertificate,
  HOST,
  startTlsFront,
} from '../support/tls-front.ts';

/** Which service a workspace's projects are at, while connections come, are replaced, move and go. */

const { db } = await setUpBotDatabase();
const WORKSPACE = 'T1';
const service = await startScriptedService();
const certificate = createSelfSignedCertificate([HOST]);
/** Three addresses. */
const fronts = await Promise.all([1, 2, 3].map(() => startTlsFront(service.url, [HOST], certificate)));
const [A, B, C] = fronts.map(({ url }) => url) as [string, string, string];
const { lookup } = createScriptedLookup(['127.0.0.1']);
/** The projects that each token sees. */
const visible = new Map<string, readonly string[]>();
/** What the service says besides of each project. */
let more: object;
service.on('GET /projects', (call, response) => {
  const ids = visible.get(call.authorization?.split(' ')[1] ?? '') ?? ['p1', 'p2'];
  return data(ids.map((Id) => ({ Id, Name: `Name of ${Id}`, ...more })))(call, response);
});
afterAll(async () => {
  for (const front of fronts) await front.close();
  await service.stop();
});

let services: Services;
let asked: string[];
beforeEach(async () => {
  for (const table of ['known_service', 'known_project', 'credential'] as const)
    await db.deleteFrom(table).execute();
  visible.clear();
  more = {};
  asked = [];
  services = startInstance();
});

/** `key`: the first byte of the encryption key. */
function startInstance(key = 1): Services {
  const encryption = createEncryption([{ id: `key-${key}`, key: Buffer.alloc(32, key) }]);
  return createServices({
    credentials: createCredentials({ db, encryption, onUnusable: () => undefined }),
    records: createServiceRecords({
      ...{ db, now: () => new Date() },
      ask: async (_workspace, { projects }) => void asked.push(...projects.map(({ id }) => id)),
      onError(_workspace, error) {
        throw error;
      },
    }),
    addressRules: { allowPrivate: true, lookup, ca: certificate.cert },
  });
}

interface Connecting {
  project?: string;
  token?: string;
  replaced?: string | undefined;
  hasMoved?: boolean;
}

function connect(url: string, { project, token = 'a-token', ...more }: Connecting = {}) {
  return services.save(WORKSPACE, {
    ...{ url, token, connectedBy: 'U1', connectedAt: new Date(), ...more },
    ...(project !== undefined && { project: { id: project, name: project } }),
  });
}

const disconnectAll = async () => {
  for (const { id } of await services.listConnections(WORKSPACE)) await services.remove(WORKSPACE, id);
};

async function listIds() {
  const listed = await listProjects((await services.resolveService(WORKSPACE)).api);
  return listed.kind === 'done' ? listed.data.items.map(({ id }) => id) : listed.kind;
}
const listOwn = async () =>
  (await services.listConnections(WORKSPACE)).flatMap(({ project, url }) =>
    project ? [[project.id, url]] : [],
  );
/** Whether the service is asked about a project. */
async function reaches(project: string): Promise<boolean> {
  const api = await services.findApi(WORKSPACE, project);
  return api !== undefined && (await getUpnextPost(api, project)).kind === 'done';
}

describe('a connection of one project', () => {
  test('that has moved belongs to its own service, not to the workspace’s', async () => {
    await connect(A);
    await connect(B, { project: 'p2' });
    expect(await connect(C, { project: 'p2', replaced: '~2~p2', hasMoved: true })).toEqual({
      projectId: '~2~p2',
      isOther: false,
    });
    expect(await listOwn()).toEqual([['~2~p2', C]]);
  });

  test('that may be of several services isn’t moved before it’s clear which', async () => {
    await connect(A);
    await connect(B, { project: 'p2' });
    expect(await connect(C, { project: 'p2', hasMoved: true })).toBe('unclear');
    expect(await listOwn()).toEqual([['~2~p2', B]]);
  });

  test('is gone when it was replaced by one at another service', async () => {
    await connect(A);
    await connect(B, { project: 'p2' });
    expect(await connect(C, { project: 'p2', replaced: '~2~p2' })).toEqual({
      projectId: '~3~p2',
      isOther: true,
    });
    expect(await listOwn()).toEqual([['~3~p2', C]]);
  });

  test('is used although the workspace’s token doesn’t see the project any more', async () => {
    await connect(A);
    await listIds();
    await connect(A, { project: 'p1', token: 'own-token' });
    visible.set('a-token', ['p2']);
    expect(await listIds()).toEqual(['p2', 'p1']);
    expect(await listIds()).toEqual(['p2', 'p1']);
    expect(await reaches('p1')).toBe(true);
  });

  test('says whether the project is gone, also without a connection of the workspace', async () => {
    await connect(A, { project: 'p1' });
    expect(await listIds()).toEqual(['p1']);
    visible.set('a-token', ['p2']);
    await listIds();
    visible.delete('a-token');
    expect(await listIds()).toEqual([]);
    expect(await reaches('p1')).toBe(false);
    expect(await services.isElsewhere(WORKSPACE, 'p1')).toBe(true);
    expect(asked).toEqual(['p1']);
    await services.settleProject(WORKSPACE, 'p1', true);
    expect(await listIds()).toEqual(['p1']);
  });

  test('isn’t used for a new project with the id of the earlier one, which gets its own', async () => {
    await connect(A);
    await connect(A, { project: 'p1', token: 'own-token' });
    await listIds();
    visible.set('own-token', ['p2']);
    await listIds();
    visible.delete('own-token');
    await listIds();
    await services.settleProject(WORKSPACE, 'p1', false);
    expect((await listIds()).toString()).toBe('~.1~p1,p2');
    expect(await connect(A, { project: 'p1', token: 'own-token' })).toMatchObject({ projectId: '~.1~p1' });
    expect(await reaches('p1')).toBe(false);
    expect(await reaches('~.1~p1')).toBe(true);
  });
});

describe('while nothing is connected', () => {
  test('a connection that another instance has just made is used at once', async () => {
    const other = startInstance();
    expect(await other.findApi(WORKSPACE)).toBeUndefined();
    await connect(A);
    expect(await other.findApi(WORKSPACE)).toBeDefined();
  });

  test('another service is another one than before, also if it was connected before that', async () => {
    await connect(A);
    await disconnectAll();
    expect(await connect(B)).toEqual({ projectId: undefined, isOther: true });
    expect(await reaches('p1')).toBe(false);
    await disconnectAll();
    expect(await connect(A)).toEqual({ projectId: undefined, isOther: false });
  });

  test('the only service of before may have moved', async () => {
    await connect(A);
    await disconnectAll();
    expect(await connect(B, { hasMoved: true })).toEqual({ projectId: undefined, isOther: false });
    expect(await reaches('p1')).toBe(true);
  });

  test('one of several services may not have moved, because it isn’t clear which', async () => {
    await connect(A);
    await connect(B);
    await disconnectAll();
    expect(await connect(C, { hasMoved: true })).toBe('unclear');
  });

  test('after the encryption key was lost, it’s the service of before', async () => {
    await connect(A);
    await connect(B, { project: 'p2' });
    services = startInstance(2);
    expect(await services.listConnections(WORKSPACE)).toEqual([]);
    expect(await connect(A)).toEqual({ projectId: undefined, isOther: false });
    expect(await connect(B, { project: 'p2' })).toMatchObject({ projectId: '~2~p2' });
    expect(await reaches('p1')).toBe(true);
  });
});

test('nobody is told that a project is elsewhere when another instance has just connected its service', async () => {
  await connect(A);
  await connect(B);
  const other = startInstance();
  expect(await other.isElsewhere(WORKSPACE, 'p1')).toBe(true);
  await connect(A);
  expect(await other.isElsewhere(WORKSPACE, 'p1')).toBe(false);
});

test('a service that has moved and is connected again by its earlier address is the same one', async () => {
  await connect(A);
  await connect(B, { hasMoved: true });
  expect(await connect(A)).toEqual({ projectId: undefined, isOther: false });
  expect(await listIds()).toEqual(['p1', 'p2']);
});

describe('when a project was made', () => {
  const list = async (fields: object) => {
    more = fields;
    return (await listIds()).toString();
  };
  beforeEach(() => connect(A));

  test.each([
    [{ CreatedAt: '2026-11-01T09:00:00Z' }, { CreatedAt: '2026-11-20T12:00:00.123456+01:00' }],
    [{ created_at: '2026-11-01 09:00:00+00' }, { created_at: '2026-11-20 12:00:00+00' }],
    [{ createdAt: 1_793_523_600 }, { createdAt: 1_795_176_000 }],
    [{ Created: 1_793_523_600_000 }, { Created: '2026-11-20T12:00:00Z' }],
  ])('is read as services write it: %j, %j', async (before, after) => {
    expect(await list(before)).toBe('p1,p2');
    expect(await list(after)).toBe('');
    expect(asked).toEqual(['p1', 'p2']);
  });

  test.each([
    'yesterday',
    '',
    '2026-02-30T00:00:00Z',
    // Without an offset, it’s several instants.
    '2026-11-20T12:00:00',
    '+275760-09-13T00:00:00Z',
    -1,
    1e300,
    true,
    null,
    [],
    { at: '2026-11-20T12:00:00Z' },
  ])('isn’t known if the service says %j', async (CreatedAt) => {
    for (const fields of [{}, { CreatedAt: '2026-11-01T09:00:00Z' }, { CreatedAt }, { CreatedAt: 0 }])
      expect(await list(fields)).toBe('p1,p2');
    expect(asked).toEqual([]);
  });

  test.each([
    '2026-11-01T10:00:00+01:00',
    '2026-11-01 09:00:00Z',
    '2026-11-01T09:00:00.000000+00:00',
    '20261101T090000Z',
    1_793_523_600,
    1_793_523_600_000,
  ])('is the same if the service writes it as %j', async (CreatedAt) => {
    for (const fields of [{ CreatedAt: '2026-11-01T09:00:00Z' }, { CreatedAt }])
      expect(await list(fields)).toBe('p1,p2');
    expect(asked).toEqual([]);
  });
});
