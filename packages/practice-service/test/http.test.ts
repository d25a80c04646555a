import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { HARBOUR, listProblems, type RunningService, runService, TOKEN } from './running-service.ts';

const POSTS = `${HARBOUR}/posts`;
const MEBIBYTE = 1_048_576;

let service: RunningService;

beforeAll(async () => {
  service = await runService();
});

afterAll(() => service.close());

describe('the token of a request', () => {
  test.each([null, '', 'Bearer', `Bearer ${TOKEN} x`, 'Bearer wrong', `Basic ${TOKEN}`, TOKEN])(
    'a request with Authorization "%s" is refused',
    async (authorization) => {
      for (const path of ['/api/v1/projects', '/nowhere']) {
        const { status, headers } = await service.send('GET', path, { authorization });
        expect([status, headers['www-authenticate']]).toEqual([401, 'Bearer']);
      }
    },
  );

  test('the token is accepted whatever the case of "Bearer"', async () => {
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
])('the path %s does not exist', async (path) => {
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
])('the project %s does not exist', async (id) => {
  expect((await service.send('GET', `/api/v1/projects/${id}/posts`)).status).toBe(404);
});

test('an unsupported method is refused with the list of supported methods', async () => {
  const { status, headers } = await service.send('PATCH', POSTS, { body: {} });
  expect([status, headers.allow]).toEqual([405, 'GET, POST, HEAD']);
  expect((await service.send('GET', '/api/v1/common/file')).headers.allow).toBe('DELETE');
});

describe('the body of a request', () => {
  test.each([
    ['a body of exactly 1 MiB is read', MEBIBYTE, 422],
    ['a body over 1 MiB by one byte is too large', MEBIBYTE + 1, 413],
    ['a body of 20 MiB is too large', 20 * MEBIBYTE, 413],
  ])('%s, with or without an announced length', async (_name, size, expected) => {
    const allBytes = Buffer.alloc(size, ' ');
    const chunks = Array.from({ length: Math.ceil(size / 65_536) }, (_, index) =>
      allBytes.subarray(index * 65_536, (index + 1) * 65_536),
    );
    expect((await service.send('POST', POSTS, { raw: allBytes })).status).toBe(expected);
    expect((await service.send('POST', POSTS, { chunks })).status).toBe(expected);
    expect((await service.send('GET', POSTS)).status).toBe(200);
  });

  test.each([
    [{ 'content-type': 'text/plain' }],
    [{ 'content-type': 'application/jsonp' }],
    [{ 'content-type': 'application/json; charset=utf-16' }],
    [{ 'content-encoding': 'gzip' }],
  ])('a body with %j has an unsupported type', async (headers) => {
    expect((await service.send('POST', POSTS, { body: {}, headers })).status).toBe(415);
  });

  test.each([
    ['truncated', '{"Content":"a', 'body json_invalid'],
    ['nested endlessly', '['.repeat(500_000), 'body json_invalid'],
    ['invalid as UTF-8', Buffer.from([0x22, 0xff, 0x22]), 'body json_invalid'],
    ['empty', '', 'body missing'],
    ['a list', '[]', 'body dict_type'],
    ['null', 'null', 'body dict_type'],
    ['nested deeply', `${'['.repeat(100_000)}${']'.repeat(100_000)}`, 'body dict_type'],
    ['an object with its fields in __proto__', '{"__proto__":{"Content":"x"}}', 'body.Content missing'],
  ])('a body that is %s is refused with the reason', async (_name, raw, expected) => {
    const response = await service.send('POST', POSTS, { raw });
    expect(response.status).toBe(422);
    expect(listProblems(response)).toEqual([expected]);
  });

  test('a body with a million errors gets the first hundred of them as response', async () => {
    const Platforms = Array.from({ length: 200_000 }, () => 'Y');
    const response = await service.send('POST', POSTS, { body: { Content: 'a', Platforms } });
    expect(listProblems(response)).toHaveLength(100);
  });

  test('a body that ends early because its client disconnected changes nothing', async () => {
    const postsBefore = (await service.send('GET', POSTS)).json;
    const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
    const head = `POST ${POSTS} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${TOKEN}\r\nContent-Type: application/json`;
    socket.write(`${head}\r\nContent-Length: 100\r\n\r\n{"Content":"half`, () => socket.destroy());
    await once(socket, 'close');
    expect((await service.send('GET', POSTS)).json).toEqual(postsBefore);
    expect(service.faults).toEqual([]);
  });
});

test('an invalid request about an unknown project is refused with its errors', async () => {
  const response = await service.send('GET', '/api/v1/projects/unknown/posts?limit=x');
  expect(listProblems(response)).toEqual(['query.limit int_parsing']);
});

test('unknown fields and parameters are ignored', async () => {
  const body = { Content: 'a', Colour: 'red', constructor: 1 };
  expect((await service.send('POST', `${POSTS}?colour=red`, { body })).status).toBe(200);
});
