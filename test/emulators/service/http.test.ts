import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { HARBOUR, problemsOf, type RunningService, runService, TOKEN } from './running-service.ts';

const POSTS = `${HARBOUR}/posts`;
const MEBIBYTE = 1_048_576;

let service: RunningService;

beforeAll(async () => {
  service = await runService();
});

afterAll(() => service.close());

describe('the token', () => {
  test.each([null, '', 'Bearer', `Bearer ${TOKEN} x`, 'Bearer wrong', `Basic ${TOKEN}`, TOKEN])(
    'stays shut for Authorization: %s',
    async (authorization) => {
      for (const path of ['/api/v1/projects', '/nowhere']) {
        const { status, headers } = await service.send('GET', path, { authorization });
        expect([status, headers['www-authenticate']]).toEqual([401, 'Bearer']);
      }
    },
  );

  test('is accepted whatever the case of Bearer', async () => {
    expect((await service.send('GET', '/api/v1/projects', { authorization: `bearer ${TOKEN}` })).status).toBe(
      200,
    );
  });
});

test.each([
  '/nowhere',
  '/api/v1/projects/',
  `${HARBOUR}/posts/post_000000000001`,
  '/api/v1/projects/%E0%A4%A/x',
])('there is nothing at %s', async (path) => {
  expect((await service.send('GET', path)).status).toBe(404);
});

test.each([
  'project_000000000009',
  'project_2',
  '..%2F..%2Fetc',
  '__proto__',
  '%00',
  '%ED%A0%80',
  'x'.repeat(5_000),
])('the project %s is unknown', async (id) => {
  expect((await service.send('GET', `/api/v1/projects/${id}/posts`)).status).toBe(404);
});

test('an unsupported method is refused with the list of supported ones', async () => {
  const { status, headers } = await service.send('PATCH', POSTS, { body: {} });
  expect([status, headers.allow]).toEqual([405, 'GET, POST, HEAD']);
  expect((await service.send('GET', '/api/v1/common/file')).headers.allow).toBe('DELETE');
});

describe('a body', () => {
  test.each([
    ['of exactly 1 MiB is read', MEBIBYTE, 422],
    ['of one byte more is too large', MEBIBYTE + 1, 413],
    ['of 20 MiB is too large', 20 * MEBIBYTE, 413],
  ])('%s, its length told or not', async (_name, size, expected) => {
    const whole = Buffer.alloc(size, ' ');
    const chunks = Array.from({ length: Math.ceil(size / 65_536) }, (_, at) =>
      whole.subarray(at * 65_536, (at + 1) * 65_536),
    );
    expect((await service.send('POST', POSTS, { raw: whole })).status).toBe(expected);
    expect((await service.send('POST', POSTS, { chunks })).status).toBe(expected);
    expect((await service.send('GET', POSTS)).status).toBe(200);
  });

  test.each([
    [{ 'content-type': 'text/plain' }],
    [{ 'content-type': 'application/jsonp' }],
    [{ 'content-type': 'application/json; charset=utf-16' }],
    [{ 'content-encoding': 'gzip' }],
  ])('with %j is of a type that nobody reads', async (headers) => {
    expect((await service.send('POST', POSTS, { body: {}, headers })).status).toBe(415);
  });

  test.each([
    ['cut in the middle', '{"Content":"a', 'body json_invalid'],
    ['nested without end', '['.repeat(500_000), 'body json_invalid'],
    ['in bytes that are no UTF-8', Buffer.from([0x22, 0xff, 0x22]), 'body json_invalid'],
    ['empty', '', 'body missing'],
    ['a list', '[]', 'body dict_type'],
    ['null', 'null', 'body dict_type'],
    ['nested deeply', `${'['.repeat(100_000)}${']'.repeat(100_000)}`, 'body dict_type'],
    ['with its fields in __proto__', '{"__proto__":{"Content":"x"}}', 'body.Content missing'],
  ])('%s is refused with its reason', async (_name, raw, expected) => {
    const answer = await service.send('POST', POSTS, { raw });
    expect(answer.status).toBe(422);
    expect(problemsOf(answer)).toEqual([expected]);
  });

  test('with a million errors is answered with the first hundred', async () => {
    const Platforms = Array.from({ length: 200_000 }, () => 'Y');
    const answer = await service.send('POST', POSTS, { body: { Content: 'a', Platforms } });
    expect(problemsOf(answer)).toHaveLength(100);
  });

  test('that ends early because its client disconnected changes nothing', async () => {
    const before = (await service.send('GET', POSTS)).json;
    const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
    const head = `POST ${POSTS} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${TOKEN}\r\nContent-Type: application/json`;
    socket.write(`${head}\r\nContent-Length: 100\r\n\r\n{"Content":"half`, () => socket.destroy());
    await once(socket, 'close');
    expect((await service.send('GET', POSTS)).json).toEqual(before);
    expect(service.faults).toEqual([]);
  });
});

test('an invalid request about an unknown project is answered with its errors', async () => {
  const answer = await service.send('GET', '/api/v1/projects/unknown/posts?limit=x');
  expect(problemsOf(answer)).toEqual(['query.limit int_parsing']);
});

test('unknown fields and parameters are ignored', async () => {
  const body = { Content: 'a', Colour: 'red', constructor: 1 };
  expect((await service.send('POST', `${POSTS}?colour=red`, { body })).status).toBe(200);
});
