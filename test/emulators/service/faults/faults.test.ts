import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { FaultRule } from '../../../../src/emulators/service/faults/fault-plan.ts';
import { HARBOUR, type RunningService, runService, TOKEN } from '../running-service.ts';

const POSTS = `${HARBOUR}/posts`;
const PATIENCE_MS = 300;

let running: RunningService;
let written = 0;

beforeAll(async () => {
  running = await runService();
});

afterEach(() => running.practice.faults.clear());
afterAll(() => running.close());

const set = (...rules: FaultRule[]) => running.practice.faults.set({ rules });

interface Seen {
  /** `ECONNRESET`, `no answer` or the HTTP status. */
  got: string | number;
  body: string;
  headers: Headers;
  content: string;
}

/** Creates a post with a plain HTTP client and returns what the client sees. */
async function create(patienceMs = PATIENCE_MS): Promise<Seen> {
  written += 1;
  const content = `Post ${written}`;
  const nothing = { body: '', headers: new Headers(), content };
  try {
    const answer = await fetch(`${running.url}${POSTS}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
      body: JSON.stringify({ Content: content }),
      redirect: 'manual',
      signal: AbortSignal.timeout(patienceMs),
    });
    const { status: got, headers } = answer;
    return { got, headers, content, body: await answer.text() };
  } catch (error) {
    const cause = error instanceof Error ? error.cause : undefined;
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
    return { ...nothing, got: code === '' ? 'no answer' : code };
  }
}

const holding = (content: string) => running.practice.posts.holding(content);

test('without a fault a post is created once', async () => {
  const { got, content } = await create();
  expect([got, await holding(content)]).toEqual([200, 1]);
});

describe('a connection that is cut', () => {
  test.each([
    ['first', 1],
    ['never', 0],
  ] as const)('after the work was done %s leaves %i posts', async (commit, posts) => {
    await set({ fault: 'cut', commit });
    const { got, content } = await create();
    expect([got, await holding(content)]).toEqual(['ECONNRESET', posts]);
  });
});

describe('a service that hangs', () => {
  test.each([
    ['first', 1],
    ['never', 0],
  ] as const)('after the work was done %s leaves %i posts and no answer', async (commit, posts) => {
    await set({ fault: 'hang', commit });
    const { got, content } = await create();
    expect([got, await holding(content)]).toEqual(['no answer', posts]);
  });
});

describe('a service that fails', () => {
  test.each([
    [500, 'first', 1],
    [503, 'never', 0],
  ] as const)('with %i after the work was done %s leaves %s posts', async (status, commit, posts) => {
    await set({ fault: 'status', status, commit });
    const { got, content } = await create();
    expect([got, await holding(content)]).toEqual([status, posts]);
  });
});

test.each([
  ['ECONNRESET', { fault: 'cut' }],
  [504, { fault: 'status', status: 504 }],
] as const)('a post that is committed late comes after the client saw %s', async (expected, fault) => {
  await set({ ...fault, commit: { lateMs: 150 } });
  const { got, content } = await create();
  expect([got, await holding(content)]).toEqual([expected, 0]);
  await running.practice.faults.waitForAll();
  expect(await holding(content)).toBe(1);
});

test('an answer can come one byte at a time, after the post was created', async () => {
  await set({ fault: 'slow-bytes', byteMs: 30 });
  const { got, content } = await create();
  expect([got, await holding(content)]).toEqual(['no answer', 1]);
  await set({ fault: 'slow-bytes', byteMs: 0 });
  const patient = await create(20_000);
  expect(JSON.parse(patient.body)).toMatchObject({ success: true, data: { Content: patient.content } });
});

test('a slow service answers later', async () => {
  const startedAt = performance.now();
  await set({ fault: 'slow', delayMs: 120 });
  expect((await create()).got).toBe(200);
  expect(performance.now() - startedAt).toBeGreaterThan(115);
});

describe('a refusal', () => {
  test.each([401, 403, 404, 413, 422, 429, 408, 409])('with %i changes nothing', async (status) => {
    await set({ fault: 'status', status });
    const { got, body, content } = await create();
    expect([got, await holding(content)]).toEqual([status, 0]);
    expect(JSON.parse(body)).toHaveProperty('detail');
  });

  test('can be delayed and contain given problems', async () => {
    const detail = [{ loc: ['body', 'Media'], msg: 'No', type: 'value_error' }];
    await set({ fault: 'status', status: 422, delayMs: 100, detail });
    const startedAt = performance.now();
    expect(JSON.parse((await create()).body)).toEqual({ detail });
    expect(performance.now() - startedAt).toBeGreaterThan(95);
  });

  test.each(['30', -1, 1e9, 'Fri, 20 Nov 2026 12:00:30 GMT', 'soon'])(
    'for too many requests says Retry-After: %s',
    async (retryAfter) => {
      await set({ fault: 'status', status: 429, retryAfter });
      expect((await create()).headers.get('retry-after')).toBe(String(retryAfter));
    },
  );

  test('can be a redirect', async () => {
    await set({ fault: 'status', status: 307, location: 'http://127.0.0.1:1/' });
    const { got, headers } = await create();
    expect([got, headers.get('location')]).toEqual([307, 'http://127.0.0.1:1/']);
  });
});

test('malformed answers of every kind come after the request was executed', async () => {
  const expected = {
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
  for (const [garbage, body] of Object.entries(expected)) {
    await set({ fault: 'garbage', garbage: garbage as keyof typeof expected });
    const seen = await create();
    expect([garbage, seen.got, await holding(seen.content)]).toEqual([garbage, 200, 1]);
    expect(seen.body).toMatch(body);
  }
  await set({ fault: 'garbage', garbage: 'html', status: 502 });
  expect((await create()).got).toBe(502);
  await set({ fault: 'garbage', garbage: 'no-content' });
  expect((await create()).got).toBe(204);
});

test.each(['length-too-long', 'length-too-short'] as const)('a wrong Content-Length: %s', async (garbage) => {
  await set({ fault: 'garbage', garbage });
  const body = JSON.stringify({ Content: garbage });
  const head = `POST ${POSTS} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${TOKEN}\r\nContent-Type: application/json`;
  const socket = connect(Number(new URL(running.url).port), '127.0.0.1');
  socket.end(`${head}\r\nContent-Length: ${body.length}\r\n\r\n${body}`);
  let text = '';
  socket.on('data', (bytes) => {
    text += String(bytes);
  });
  await once(socket, 'close');
  const told = Number(/content-length: (\d+)/i.exec(text)?.[1]);
  const sent = text.slice(text.indexOf('\r\n\r\n') + 4).length;
  expect(Math.sign(told - sent)).toBe(garbage === 'length-too-long' ? 1 : -1);
  expect(await holding(garbage)).toBe(1);
});

test('a service that is down refuses connections, and comes back at the same address with all its posts', async () => {
  const before = await create();
  await running.practice.faults.set({ down: true });
  await running.practice.faults.set({ down: true });
  expect((await create()).got).toBe('ECONNREFUSED');
  await running.practice.faults.clear();
  expect((await create()).got).toBe(200);
  expect(await holding(before.content)).toBe(1);
});

test('a service that hangs still closes at once', async () => {
  const other = await runService();
  await other.practice.faults.set({ rules: [{ fault: 'hang', commit: 'never' }] });
  const hanging = other.send('GET', '/api/v1/projects').catch((error: Error) => error.message);
  await expect.poll(() => other.practice.faults.counts().faults).toEqual({ 'hang never': 1 });
  await other.close();
  expect(await hanging).toBe('socket hang up');
});
