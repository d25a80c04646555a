import { afterEach, beforeEach, expect, test } from 'vitest';
import { type ApiClient, createApiClient } from '../../src/api/client.ts';
import { readPostList } from '../../src/posts/read-post-list.ts';
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

const query = { projectId: 'p1', platforms: [], statuses: [] };
const createPosts = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ Id: `${index}`, Content: 'c' }));

/** Makes the service list `count` posts, and fail for the page that begins at `failingSkip`. */
function serveList(count: number, failingSkip?: number) {
  service.on('GET /posts', (call, response) => {
    const [skip, limit] = [Number(call.query.get('skip')), Number(call.query.get('limit'))];
    const respond = skip === failingSkip ? json(500, '') : data(createPosts(count).slice(skip, skip + limit));
    return respond(call, response);
  });
}

test.each([
  [0, 1, 0, false],
  [99, 1, 99, false],
  [100, 6, 100, false],
  [101, 6, 101, false],
  [500, 6, 500, false],
  [501, 6, 500, true],
  [2_000, 6, 500, true],
])(
  '%i posts are read in %i calls, and %i are listed (truncated: %s)',
  async (count, callCount, listedCount, isTruncated) => {
    serveList(count);
    const result = await readPostList(api, query);
    expect(result).toMatchObject({ kind: 'read', unreadableCount: 0, isTruncated });
    expect(result.kind === 'read' && result.posts.length).toBe(listedCount);
    await expect.poll(() => service.calls.length).toBe(callCount);
  },
);

test('a list with more posts on a page than were requested counts as truncated', async () => {
  service.on('GET /posts', data(createPosts(600)));
  const result = await readPostList(api, query);
  expect(result).toMatchObject({ kind: 'read', isTruncated: true });
  expect(result.kind === 'read' && result.posts.length).toBe(500);
});

test('if one page fails the whole list fails, so that no partial list looks complete', async () => {
  serveList(500, 300);
  expect(await readPostList(api, query)).toMatchObject({ kind: 'failed', failure: { kind: 'unknown' } });
});

test('a post that moves between pages is listed once', async () => {
  service.on('GET /posts', (call, response) => {
    const skip = Number(call.query.get('skip'));
    return data(skip === 0 ? createPosts(100) : skip === 100 ? createPosts(101).slice(99) : [])(
      call,
      response,
    );
  });
  const result = await readPostList(api, query);
  expect(result.kind === 'read' && result.posts.length).toBe(101);
});
