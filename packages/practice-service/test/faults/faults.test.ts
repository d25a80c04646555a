import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { FaultRule } from '../../src/faults/fault-plan.ts';
import { HARBOUR, type RunningService, runService, TOKEN } from '../running-service.ts';

const POSTS = `${HARBOUR}/posts`;
/** Long enough for an answer on a busy machine. */
const RESPONSE_TIMEOUT_MS = 10_000;
/** How long a client waits for an answer that doesn't come. */
const SHORT_TIMEOUT_MS = 300;

let service: RunningService;
let createdCount = 0;

beforeAll(async () => {
  service = await runService();
});

afterEach(() => service.practice.faults.clear());
afterAll(() => service.close());

const setRules = (...rules: FaultRule[]) => service.practice.faults.set({ rules });

interface Outcome {
  /** `ECONNRESET`, `no answer` or the HTTP status. */
  result: string | number;
  body: string;
  headers: Headers;
  content: string;
}

/** Creates a post with a plain HTTP client, and returns the outcome for the client. */
async function createPost(timeoutMs = RESPONSE_TIMEOUT_MS): Promise<Outcome> {
  createdCount += 1;
  const content = `Post ${createdCount}`;
  const emptyResponse = { body: '', headers: new Headers(), content };
  try {
    const response = await fetch(`${service.url}${POSTS}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
      body: JSON.stringify({ Content: content }),
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
    });
    const { status: result, headers } = response;
    return { result, headers, content, body: await response.text() };
  } catch (error) {
    const cause = error instanceof Error ? error.cause : undefined;
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
    return { ...emptyResponse, result: code === '' ? 'no answer' : code };
  }
}

const countPosts = (content: string) => service.practice.posts.countByContent(content);

test('without a fault a post is created once', async () => {
  const { result, content } = await createPost();
  expect([result, await countPosts(content)]).toEqual([200, 1]);
});

describe('a connection that is cut', () => {
  test.each([
    ['after', 1, 'first'],
    ['without', 0, 'never'],
  ] as const)(
    'a connection that is cut %s creating the post leaves %i posts',
    async (_description, posts, commit) => {
      await setRules({ fault: 'cut', commit });
      const { result, content } = await createPost();
      expect([result, await countPosts(content)]).toEqual(['ECONNRESET', posts]);
    },
  );
});

describe('a service that hangs', () => {
  test.each([
    ['after', 1, 'first'],
    ['without', 0, 'never'],
  ] as const)(
    'a service that hangs %s creating the post doesn’t answer, and leaves %i posts',
    async (_description, posts, commit) => {
      await setRules({ fault: 'hang', commit });
      const { result, content } = await createPost(SHORT_TIMEOUT_MS);
      expect([result, await countPosts(content)]).toEqual(['no answer', posts]);
    },
  );
});

describe('a service that fails', () => {
  test.each([
    [500, 'after', 1, 'first'],
    [503, 'without', 0, 'never'],
  ] as const)(
    'a response with %i %s creating the post leaves %i posts',
    async (status, _description, posts, commit) => {
      await setRules({ fault: 'status', status, commit });
      const { result, content } = await createPost();
      expect([result, await countPosts(content)]).toEqual([status, posts]);
    },
  );
});

test.each([
  ['ECONNRESET', { fault: 'cut' }],
  [504, { fault: 'status', status: 504 }],
] as const)('a post can be created after the client got %s', async (expected, fault) => {
  await setRules({ ...fault, commit: { lateMs: 150 } });
  const { result, content } = await createPost();
  expect([result, await countPosts(content)]).toEqual([expected, 0]);
  await service.practice.faults.waitForAll();
  expect(await countPosts(content)).toBe(1);
});

test('a response can arrive one byte at a time, after the post was created', async () => {
  await setRules({ fault: 'slow-bytes', byteMs: 30 });
  const { result, content } = await createPost(SHORT_TIMEOUT_MS);
  expect([result, await countPosts(content)]).toEqual(['no answer', 1]);
  await setRules({ fault: 'slow-bytes', byteMs: 0 });
  const complete = await createPost();
  expect(JSON.parse(complete.body)).toMatchObject({ success: true, data: { Content: complete.content } });
});

test('a slow service responds later', async () => {
  const startedAt = performance.now();
  await setRules({ fault: 'slow', delayMs: 120 });
  expect((await createPost()).result).toBe(200);
  expect(performance.now() - startedAt).toBeGreaterThan(115);
});

describe('a refusal', () => {
  test.each([401, 403, 404, 413, 422, 429, 408, 409])('a refusal with %i changes nothing', async (status) => {
    await setRules({ fault: 'status', status });
    const { result, body, content } = await createPost();
    expect([result, await countPosts(content)]).toEqual([status, 0]);
    expect(JSON.parse(body)).toHaveProperty('detail');
  });

  test('a refusal can be delayed and list the problems that the test sets', async () => {
    const detail = [{ loc: ['body', 'Media'], msg: 'No', type: 'value_error' }];
    await setRules({ fault: 'status', status: 422, delayMs: 100, detail });
    const startedAt = performance.now();
    expect(JSON.parse((await createPost()).body)).toEqual({ detail });
    expect(performance.now() - startedAt).toBeGreaterThan(95);
  });

  test.each(['30', -1, 1e9, 'Fri, 20 Nov 2026 12:00:30 GMT', 'soon'])(
    'a refusal for too many requests has Retry-After: %s',
    async (retryAfter) => {
      await setRules({ fault: 'status', status: 429, retryAfter });
      expect((await createPost()).headers.get('retry-after')).toBe(String(retryAfter));
    },
  );

  test('a refusal can be a redirect', async () => {
    await setRules({ fault: 'status', status: 307, location: 'http://127.0.0.1:1/' });
    const { result, headers } = await createPost();
    expect([result, headers.get('location')]).toEqual([307, 'http://127.0.0.1:1/']);
  });
});

test('malformed responses of every kind are sent after the post was created', async () => {
  const expectedBodies = {
    html: /^<!doctype html>/,
    empty: /^$/,
    'cut-json': /^\{"data":\{"Id".*[^}]$/,
    'not-success': /"success":false\}$/,
    'success-as-text': /"success":"true"\}$/,
    'data-null': /^\{"data":null,/,
    'data-text': /^\{"data":"done",/,
    'data-number': /^\{"data":42,/,
    'data-nested': /^\{"data":\[\[\{"Id"/,
    'data-items': /^\{"data":\{"items":\[\{"Id"/,
    'data-posts': /^\{"data":\{"posts":\[\{"Id"/,
    bare: /^\{"Id"/,
  } as const;
  for (const [garbage, body] of Object.entries(expectedBodies)) {
    await setRules({ fault: 'garbage', garbage: garbage as keyof typeof expectedBodies });
    const outcome = await createPost();
    expect([garbage, outcome.result, await countPosts(outcome.content)]).toEqual([garbage, 200, 1]);
    expect(outcome.body).toMatch(body);
  }
  await setRules({ fault: 'garbage', garbage: 'html', status: 502 });
  expect((await createPost()).result).toBe(502);
  await setRules({ fault: 'garbage', garbage: 'no-content' });
  expect((await createPost()).result).toBe(204);
});

test.each(['length-too-long', 'length-too-short'] as const)(
  'a response can have a wrong Content-Length: %s',
  async (garbage) => {
    await setRules({ fault: 'garbage', garbage });
    const body = JSON.stringify({ Content: garbage });
    const head = `POST ${POSTS} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${TOKEN}\r\nContent-Type: application/json`;
    const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
    socket.end(`${head}\r\nContent-Length: ${body.length}\r\n\r\n${body}`);
    let text = '';
    socket.on('data', (bytes) => {
      text += String(bytes);
    });
    await once(socket, 'close');
    const announcedLength = Number(/content-length: (\d+)/i.exec(text)?.[1]);
    const receivedLength = text.slice(text.indexOf('\r\n\r\n') + 4).length;
    expect(Math.sign(announcedLength - receivedLength)).toBe(garbage === 'length-too-long' ? 1 : -1);
    expect(await countPosts(garbage)).toBe(1);
  },
);

test('a stopped service refuses connections, and returns at the same address with all its posts', async () => {
  const createdPost = await createPost();
  await service.practice.faults.set({ down: true });
  await service.practice.faults.set({ down: true });
  expect((await createPost()).result).toBe('ECONNREFUSED');
  await service.practice.faults.clear();
  expect((await createPost()).result).toBe(200);
  expect(await countPosts(createdPost.content)).toBe(1);
});

test('a hanging service can still be closed at once', async () => {
  const otherService = await runService();
  await otherService.practice.faults.set({ rules: [{ fault: 'hang', commit: 'never' }] });
  const hangingRequest = otherService.send('GET', '/api/v1/projects').catch((error: Error) => error.message);
  await expect.poll(() => otherService.practice.faults.counts().faults).toEqual({ 'hang never': 1 });
  await otherService.close();
  expect(await hangingRequest).toBe('socket hang up');
});
