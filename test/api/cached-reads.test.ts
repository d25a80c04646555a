import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { createCachedReads } from '../../src/api/cached-reads.ts';
import { type ApiClient, createApiClient } from '../../src/api/client.ts';
import { data, json, type ScriptedService, startScriptedService } from '../support/scripted-service.ts';

let service: ScriptedService;
let api: ApiClient;
let ms = 0;
const reads = () => createCachedReads({ now: () => ms, maxAgeMs: 60_000 });
const asked = (what: string) => service.calls.filter(({ path }) => path.endsWith(what)).length;

beforeEach(async () => {
  ms = 0;
  service = await startScriptedService();
  api = createApiClient({ baseUrl: service.url, token: 'service-token' });
});
afterEach(async () => {
  await api.close();
  await service.stop();
});

describe('a list', () => {
  test('is requested once for all reads within a minute', async () => {
    const remembered = reads();
    const all = await Promise.all([1, 2, 3].map(() => remembered.listTemplates(api, 'p1')));
    expect(all.map(({ kind }) => kind)).toEqual(['done', 'done', 'done']);
    ms = 59_999;
    await remembered.listTemplates(api, 'p1');
    expect(asked('/templates')).toBe(1);
    ms = 60_000;
    await remembered.listTemplates(api, 'p1');
    expect(asked('/templates')).toBe(2);
  });

  test('is separate for each project and each client', async () => {
    const remembered = reads();
    const other = createApiClient({ baseUrl: service.url, token: 'another' });
    await remembered.listTemplates(api, 'p1');
    await remembered.listTemplates(api, 'p2');
    await remembered.listTemplates(other, 'p1');
    expect(service.calls.map(({ authorization }) => authorization)).toEqual([
      'Bearer service-token',
      'Bearer service-token',
      'Bearer another',
    ]);
    await other.close();
  });

  test('that failed is requested again at once', async () => {
    const remembered = reads();
    service.on('GET /projects', json(500, 'oops'));
    expect((await remembered.listProjects(api)).kind).toBe('unknown');
    service.on('GET /projects', data([{ Id: 'p1', Name: 'Harbour Coffee' }]));
    expect((await remembered.listProjects(api)).kind).toBe('done');
  });

  test('is requested again after a change, only for that project if one is named', async () => {
    const remembered = reads();
    const readAll = async () => {
      await remembered.listSources(api, 'p1');
      await remembered.listSources(api, 'p2');
      await remembered.listProjects(api);
    };
    service.on('GET /sources', data([]));
    await readAll();
    remembered.drop(api, 'p1');
    await readAll();
    expect([asked('/p1/sources'), asked('/p2/sources'), asked('/projects')]).toEqual([2, 1, 2]);
    remembered.drop(api);
    await readAll();
    expect([asked('/p1/sources'), asked('/p2/sources'), asked('/projects')]).toEqual([3, 2, 3]);
  });
});

describe('the projects', () => {
  const named = { items: [{ id: 'p1', name: 'Harbour Coffee' }] };

  test('are always requested by fetchProjects, and cached for other reads within a minute', async () => {
    const remembered = reads();
    await remembered.fetchProjects(api);
    expect(await remembered.fetchProjects(api)).toMatchObject({ kind: 'done', data: named });
    await remembered.listProjects(api);
    expect(asked('/projects')).toBe(2);
  });

  test('of the last successful list stay available while the service doesn’t answer', async () => {
    const remembered = reads();
    expect(remembered.getLastProjects(api)).toBeUndefined();
    await remembered.listProjects(api);
    ms = 24 * 60 * 60_000;
    service.on('GET /projects', json(502, 'oops'));
    expect((await remembered.fetchProjects(api)).kind).toBe('unknown');
    expect(remembered.getLastProjects(api)).toMatchObject(named);
    service.on('GET /projects', data([]));
    await remembered.fetchProjects(api);
    expect(remembered.getLastProjects(api)).toMatchObject({ items: [] });
  });
});

describe('the cache', () => {
  const TEXT = 'x'.repeat(1_000);
  const MIB = 2 ** 20;

  /** A client of a service whose lists have this number of templates of a thousand characters. */
  function listing(count: number): { api: ApiClient; asked(): number } {
    let calls = 0;
    const items = Array.from({ length: count }, (_, at) => ({ Id: `t${at}`, Name: `${at}`, Content: TEXT }));
    const call = async () => {
      calls += 1;
      return { kind: 'done' as const, data: items, requestId: 'r' };
    };
    return { api: { address: '', credential: {}, call, close: async () => undefined }, asked: () => calls };
  }
  test('of one client with 200 long lists stays within its limit and holds the newest', async () => {
    const remembered = reads();
    const { api: mine, asked: calls } = listing(300);
    for (let at = 0; at < 200; at += 1) await remembered.listTemplates(mine, `p${at}`);
    expect(remembered.countBytes()).toBeGreaterThan(MIB / 2);
    expect(remembered.countBytes()).toBeLessThanOrEqual(2 * MIB + 500);
    await remembered.listTemplates(mine, 'p199');
    expect(calls()).toBe(200);
  });

  test('of all clients together is bounded, and no client displaces all others', async () => {
    const remembered = reads();
    const small = listing(3);
    await remembered.listTemplates(small.api, 'p1');
    const { api: greedy } = listing(800);
    for (let at = 0; at < 200; at += 1) await remembered.listTemplates(greedy, `p${at}`);
    await remembered.listTemplates(small.api, 'p1');
    expect(small.asked()).toBe(1);
    for (let at = 0; at < 100; at += 1) await remembered.listTemplates(listing(800).api, 'p1');
    expect(remembered.countBytes()).toBeLessThanOrEqual(24 * MIB);
    expect(remembered.countBytes()).toBeGreaterThan(12 * MIB);
  });

  test('doesn’t hold a list larger than the limit of one client, which is requested again', async () => {
    const remembered = reads();
    const { api: mine, asked: calls } = listing(2_000);
    await Promise.all([remembered.listTemplates(mine, 'p1'), remembered.listTemplates(mine, 'p1')]);
    await remembered.listTemplates(mine, 'p1');
    expect(calls()).toBe(2);
    expect(remembered.countBytes()).toBeLessThan(2_000);
  });

  test('frees a list that is too old, even if nobody reads it', async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const remembered = createCachedReads({ maxAgeMs: 60_000 });
    await remembered.listTemplates(listing(300).api, 'p1');
    expect(remembered.countBytes()).toBeGreaterThan(MIB / 2);
    await vi.advanceTimersByTimeAsync(60_100);
    expect(remembered.countBytes()).toBe(0);
  });

  test('frees an old list of a client that reads other lists', async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const remembered = createCachedReads({ maxAgeMs: 60_000 });
    const { api: mine } = listing(300);
    await remembered.listTemplates(mine, 'old');
    await vi.advanceTimersByTimeAsync(40_000);
    await remembered.listTemplates(mine, 'newer');
    const two = remembered.countBytes();
    await vi.advanceTimersByTimeAsync(40_000);
    expect(remembered.countBytes()).toBeLessThan(two * 0.6);
    await vi.advanceTimersByTimeAsync(40_000);
    expect(remembered.countBytes()).toBe(0);
  });

  test('holds the last lists of projects of as many workspaces as fit', async () => {
    const remembered = reads();
    for (let at = 0; at < 100; at += 1) await remembered.listProjects(listing(2_000).api);
    expect(remembered.countBytes()).toBeGreaterThan(12 * MIB);
    expect(remembered.countBytes()).toBeLessThanOrEqual((24 + 16) * MIB);
  });
});
