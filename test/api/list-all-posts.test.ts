import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type ApiClient, createApiClient } from '../../src/api/client.ts';
import { listAllPosts } from '../../src/api/list-all-posts.ts';
import { data, json, type ScriptedService, startScriptedService } from '../support/scripted-service.ts';

let service: ScriptedService;
let api: ApiClient;

beforeEach(async () => {
  service = await startScriptedService();
  api = createApiClient({ baseUrl: service.url, token: 'token' });
});
afterEach(async () => {
  await service.stop();
  await api.close();
});

const createPosts = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ Id: `${index}`, Content: 'c' }));

type Body = Record<string, unknown>;

/** Makes the service have `count` posts, with at most `cap` on a page, in the body that `wrap` builds. */
function serve(
  count: number,
  { cap = 1_000, ignoresSkip = false }: { cap?: number; ignoresSkip?: boolean },
  wrap: (page: Body[], end: { total: number; hasMore: boolean }) => Body = (page) => ({ data: page }),
) {
  service.on('GET /posts', (call, response) => {
    const skip = ignoresSkip ? 0 : Number(call.query.get('skip'));
    const limit = Math.min(cap, Number(call.query.get('limit')));
    const page = createPosts(count).slice(skip, skip + limit);
    const body = wrap(page, { total: count, hasMore: skip + page.length < count });
    return json(200, { success: true, ...body })(call, response);
  });
}

async function readList(options: { needsProof?: boolean } = {}) {
  const outcome = await listAllPosts(api, { projectId: 'p1' }, { maxPosts: 500, ...options });
  if (outcome.kind !== 'done') throw new Error(outcome.kind);
  const { items, isComplete } = outcome.data;
  return { count: new Set(items.map(({ id }) => id)).size, isComplete, calls: service.calls.length };
}

describe('a list is complete, or said to be incomplete', () => {
  test('if the service has fewer posts than on a page, with one call', async () => {
    serve(7, {});
    expect(await readList()).toEqual({ count: 7, isComplete: true, calls: 1 });
  });

  for (const cap of [10, 25, 50])
    test(`if the service returns at most ${cap} posts on a page`, async () => {
      serve(130, { cap });
      expect(await readList()).toMatchObject({ count: 130, isComplete: true });
    });

  test('if the service caps its pages at any number, and the caller needs a proof', async () => {
    serve(30, { cap: 24 });
    expect(await readList({ needsProof: true })).toMatchObject({ count: 30, isComplete: true });
  });

  for (const count of [50, 100, 130])
    test(`if the service ignores the number of posts to skip, and has ${count}`, async () => {
      serve(count, { cap: 50, ignoresSkip: true });
      expect(await readList()).toMatchObject({ count: 50, isComplete: false });
    });

  test('if there are exactly as many posts as are read, or one more', async () => {
    serve(500, {});
    expect(await readList()).toMatchObject({ count: 500, isComplete: true });
    serve(501, {});
    expect(await readList()).toMatchObject({ isComplete: false });
  });

  const envelopes: Record<string, Parameters<typeof serve>[2]> = {
    'a total beside the list': (page, { total }) => ({ data: page, Total: total }),
    'a total in the data': (page, { total }) => ({ data: { items: page, total_count: total } }),
    has_more: (page, { hasMore }) => ({ data: page, has_more: hasMore }),
    'the next page': (page, { hasMore }) => ({
      data: { Results: page, Next: hasMore ? '/posts?p=2' : null },
    }),
    'JSON:API': (page, { hasMore, total }) => ({
      data: page.map(({ Id, ...attributes }) => ({ type: 'posts', id: Id, attributes })),
      links: { next: hasMore ? '/posts?page=2' : null },
      meta: { total },
    }),
  };
  for (const [name, wrap] of Object.entries(envelopes))
    test(`if the service says so with ${name}`, async () => {
      serve(73, { cap: 20 }, wrap);
      expect(await readList()).toEqual({ count: 73, isComplete: true, calls: 4 });
      service.calls.length = 0;
      serve(73, { cap: 33, ignoresSkip: true }, wrap);
      expect(await readList()).toMatchObject({ count: 33, isComplete: false });
    });
});

test('equal posts without an id are different posts, and a repeated page isn’t', async () => {
  const posts = Array.from({ length: 50 }, () => ({ Content: 'c', Platforms: ['X'] }));
  const count = async () => {
    const outcome = await listAllPosts(api, { projectId: 'p1' }, { maxPosts: 500 });
    return outcome.kind === 'done' && [outcome.data.items.length, outcome.data.isComplete];
  };
  service.on('GET /posts', data(posts.slice(0, 2)));
  expect(await count()).toEqual([2, true]);
  service.on('GET /posts', data(posts));
  expect(await count()).toEqual([50, false]);
});

test('a total that counts only the page, or contradicts the next page, ends no list', async () => {
  serve(73, { cap: 50 }, (page) => ({ data: page, total: page.length }));
  expect(await readList()).toMatchObject({ count: 73 });
  serve(73, { cap: 50 }, (page, { total }) => ({ data: page, total, links: { next: null } }));
  expect(await readList()).toMatchObject({ count: 73, isComplete: true });
});

test('a list of projects is called truncated if its envelope says that there are more', async () => {
  const { listProjects } = await import('../../src/api/projects.ts');
  const projects = [{ Id: 'p1', Name: 'Harbour Coffee' }];
  const isTruncated = async (body: Body) => {
    service.on('GET /projects', json(200, { success: true, ...body }));
    const outcome = await listProjects(api);
    return outcome.kind === 'done' && outcome.data.isTruncated;
  };
  expect(await isTruncated({ data: { Items: projects, TotalCount: 2 } })).toBe(true);
  expect(await isTruncated({ data: projects, pagination: { has_next: true } })).toBe(true);
  expect(await isTruncated({ data: projects, pagination: { has_next: false, total: 1 } })).toBe(false);
  service.on('GET /projects', data(projects));
  expect(await isTruncated({ data: projects })).toBe(false);
});
