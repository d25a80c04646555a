import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { createCachedReads } from '../../src/api/cached-reads.ts';
import { type ApiClient, createApiClient } from '../../src/api/client.ts';
import {
  data,
  json,
  listProjects,
  type ScriptedService,
  startScriptedService,
} from '../support/scripted-service.ts';

let service: ScriptedService;
let api: ApiClient;
let clockMs = 0;
const createReads = () => createCachedReads({ now: () => clockMs, maxAgeMs: 60_000 });
const countCalls = (pathEnd: string) => service.calls.filter(({ path }) => path.endsWith(pathEnd)).length;

beforeEach(async () => {
  clockMs = 0;
  service = await startScriptedService();
  api = createApiClient({ baseUrl: service.url, token: 'service-token' });
});
afterEach(async () => {
  await api.close();
  await service.stop();
});

describe('a list', () => {
  test('a list is requested once for all reads within a minute', async () => {
    const cachedReads = createReads();
    const outcomes = await Promise.all([1, 2, 3].map(() => cachedReads.listTemplates(api, 'p1')));
    expect(outcomes.map(({ kind }) => kind)).toEqual(['done', 'done', 'done']);
    clockMs = 59_999;
    await cachedReads.listTemplates(api, 'p1');
    expect(countCalls('/templates')).toBe(1);
    clockMs = 60_000;
    await cachedReads.listTemplates(api, 'p1');
    expect(countCalls('/templates')).toBe(2);
  });

  test('lists are cached separately for each project and each client', async () => {
    const cachedReads = createReads();
    const otherClient = createApiClient({ baseUrl: service.url, token: 'another' });
    await cachedReads.listTemplates(api, 'p1');
    await cachedReads.listTemplates(api, 'p2');
    await cachedReads.listTemplates(otherClient, 'p1');
    expect(service.calls.map(({ authorization }) => authorization)).toEqual([
      'Bearer service-token',
      'Bearer service-token',
      'Bearer another',
    ]);
    await otherClient.close();
  });

  test('a list whose request failed is requested again at the next read', async () => {
    const cachedReads = createReads();
    service.on('GET /projects', json(500, 'oops'));
    expect((await cachedReads.listProjects(api)).kind).toBe('unknown');
    service.on('GET /projects', listProjects('Harbour Coffee'));
    expect((await cachedReads.listProjects(api)).kind).toBe('done');
  });

  test('a list whose request ended with an error is requested again at once', async () => {
    const cachedReads = createReads();
    const call = vi.spyOn(api, 'call').mockRejectedValueOnce(new Error('out of memory'));
    await expect(cachedReads.posts.listDrafts(api, 'p1')).rejects.toThrow('out of memory');
    call.mockRestore();
    expect(await cachedReads.posts.listDrafts(api, 'p1')).toMatchObject({ kind: 'done' });
  });

  test('a list is requested again after a change, which can be limited to one project', async () => {
    const cachedReads = createReads();
    const readAll = async () => {
      await cachedReads.listSources(api, 'p1');
      await cachedReads.listSources(api, 'p2');
      await cachedReads.listProjects(api);
    };
    service.on('GET /sources', data([]));
    await readAll();
    cachedReads.drop(api, 'p1');
    await readAll();
    expect([countCalls('/p1/sources'), countCalls('/p2/sources'), countCalls('/projects')]).toEqual([
      2, 1, 2,
    ]);
    cachedReads.drop(api);
    await readAll();
    expect([countCalls('/p1/sources'), countCalls('/p2/sources'), countCalls('/projects')]).toEqual([
      3, 2, 3,
    ]);
  });
});

test('a change drops the lists of its project that are older, and no others', async () => {
  const cachedReads = createReads();
  const readBoth = () =>
    Promise.all(['p1', 'p2'].map((project) => cachedReads.posts.listDrafts(api, project)));
  service.on('GET /posts', data([]));
  clockMs = 60_000;
  await readBoth();
  clockMs = 61_000;
  for (const time of [59_999, 60_000, 60_000]) {
    cachedReads.posts.dropIfOlder(api, 'p1', new Date(time));
    await readBoth();
    const isOlder = time === 60_000;
    expect([countCalls('/p1/posts'), countCalls('/p2/posts')]).toEqual([isOlder ? 2 : 1, 1]);
  }
});

describe('the projects', () => {
  const harbourList = { items: [{ id: 'p1', name: 'Harbour Coffee' }] };

  test('a fresh list of projects is always requested from the service, and other reads use it for a minute', async () => {
    const cachedReads = createReads();
    await cachedReads.fetchProjects(api);
    expect(await cachedReads.fetchProjects(api)).toMatchObject({ kind: 'done', data: harbourList });
    await cachedReads.listProjects(api);
    expect(countCalls('/projects')).toBe(2);
  });

  test('the projects of the last successful list stay available while the service doesn’t answer', async () => {
    const cachedReads = createReads();
    expect(cachedReads.getLastProjects(api)).toBeUndefined();
    await cachedReads.listProjects(api);
    clockMs = 24 * 60 * 60_000;
    service.on('GET /projects', json(502, 'oops'));
    expect((await cachedReads.fetchProjects(api)).kind).toBe('unknown');
    expect(cachedReads.getLastProjects(api)).toMatchObject(harbourList);
    service.on('GET /projects', data([]));
    await cachedReads.fetchProjects(api);
    expect(cachedReads.getLastProjects(api)).toMatchObject({ items: [] });
  });
});

describe('the cache', () => {
  const TEXT = 'x'.repeat(1_000);
  const MIB = 2 ** 20;

  /** Creates a client of a service whose lists have `count` templates of a thousand characters each. */
  function createListClient(count: number): { api: ApiClient; countCalls(): number } {
    let callCount = 0;
    const items = Array.from({ length: count }, (_, index) => ({
      Id: `t${index}`,
      Name: `${index}`,
      Content: TEXT,
    }));
    const call = async () => {
      callCount += 1;
      return { kind: 'done' as const, data: items, requestId: 'r' };
    };
    return {
      api: { address: '', credential: {}, call, close: async () => undefined },
      countCalls: () => callCount,
    };
  }
  test('the cache of one client with 200 long lists stays within its limit and contains the newest lists', async () => {
    const cachedReads = createReads();
    const { api: client, countCalls: countClientCalls } = createListClient(300);
    for (let index = 0; index < 200; index += 1) await cachedReads.listTemplates(client, `p${index}`);
    expect(cachedReads.countBytes()).toBeGreaterThan(MIB / 2);
    expect(cachedReads.countBytes()).toBeLessThanOrEqual(2 * MIB + 500);
    await cachedReads.listTemplates(client, 'p199');
    expect(countClientCalls()).toBe(200);
  });

  test('the cache of all clients together is limited, and no client displaces all others', async () => {
    const cachedReads = createReads();
    const smallListClient = createListClient(3);
    await cachedReads.listTemplates(smallListClient.api, 'p1');
    const { api: greedyApi } = createListClient(800);
    for (let index = 0; index < 200; index += 1) await cachedReads.listTemplates(greedyApi, `p${index}`);
    await cachedReads.listTemplates(smallListClient.api, 'p1');
    expect(smallListClient.countCalls()).toBe(1);
    for (let index = 0; index < 100; index += 1)
      await cachedReads.listTemplates(createListClient(800).api, 'p1');
    expect(cachedReads.countBytes()).toBeLessThanOrEqual(24 * MIB);
    expect(cachedReads.countBytes()).toBeGreaterThan(12 * MIB);
  });

  test('a list larger than the limit of one client isn’t cached, and is requested again', async () => {
    const cachedReads = createReads();
    const { api: client, countCalls: countClientCalls } = createListClient(2_000);
    await Promise.all([cachedReads.listTemplates(client, 'p1'), cachedReads.listTemplates(client, 'p1')]);
    await cachedReads.listTemplates(client, 'p1');
    expect(countClientCalls()).toBe(2);
    expect(cachedReads.countBytes()).toBeLessThan(2_000);
  });

  test('an expired list is freed even if nobody reads it', async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const cachedReads = createCachedReads({ maxAgeMs: 60_000 });
    await cachedReads.listTemplates(createListClient(300).api, 'p1');
    expect(cachedReads.countBytes()).toBeGreaterThan(MIB / 2);
    await vi.advanceTimersByTimeAsync(60_100);
    expect(cachedReads.countBytes()).toBe(0);
  });

  test('an expired list is freed even if its client reads other lists', async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const cachedReads = createCachedReads({ maxAgeMs: 60_000 });
    const { api: client } = createListClient(300);
    await cachedReads.listTemplates(client, 'old');
    await vi.advanceTimersByTimeAsync(40_000);
    await cachedReads.listTemplates(client, 'newer');
    const totalBytes = cachedReads.countBytes();
    await vi.advanceTimersByTimeAsync(40_000);
    expect(cachedReads.countBytes()).toBeLessThan(totalBytes * 0.6);
    await vi.advanceTimersByTimeAsync(40_000);
    expect(cachedReads.countBytes()).toBe(0);
  });

  test('a closed cache has no lists and no timers, also after a change and after a call in flight', async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const cachedReads = createCachedReads();
    const { api: client } = createListClient(3);
    await cachedReads.listTemplates(client, 'p1');
    await cachedReads.posts.listDrafts(client, 'p1');
    cachedReads.drop(client);
    expect(vi.getTimerCount()).toBe(0);
    await cachedReads.listProjects(client);
    await cachedReads.listTemplates(client, 'p1');
    await cachedReads.posts.listDrafts(client, 'p1');
    expect(vi.getTimerCount()).toBe(4);
    const callsInFlight = [cachedReads.fetchProjects(client), cachedReads.listSources(client, 'p1')];
    cachedReads.close();
    await Promise.all(callsInFlight);
    expect(vi.getTimerCount()).toBe(0);
    expect(cachedReads.countBytes()).toBe(0);
  });

  test('the last project lists of all workspaces together stay within their limit', async () => {
    const cachedReads = createReads();
    for (let index = 0; index < 100; index += 1) await cachedReads.listProjects(createListClient(2_000).api);
    expect(cachedReads.countBytes()).toBeGreaterThan(12 * MIB);
    expect(cachedReads.countBytes()).toBeLessThanOrEqual((24 + 16) * MIB);
  });
});
