import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createLinkProbe } from '../../src/api/probe-link.ts';
import { listenOnFreePort } from '../support/listening-port.ts';

const ANSWERS: Record<string, (request: IncomingMessage, response: ServerResponse) => void> = {
  '/a.jpg': (_, response) => response.setHeader('content-type', 'image/jpeg').end(),
  '/page': (_, response) => response.setHeader('content-type', 'text/html; charset=utf-8').end('<p>'),
  '/doc': (_, response) => response.setHeader('content-type', 'application/pdf').end(),
  '/only-get': (request, response) =>
    request.method === 'GET'
      ? response.writeHead(206, { 'content-type': 'video/mp4' }).end('x')
      : response.writeHead(405).end(),
  '/private': (_, response) => response.writeHead(403).end(),
  '/gone': (_, response) => response.writeHead(404).end(),
  '/moved': (_, response) => response.writeHead(302, { location: '/a.jpg' }).end(),
  '/loop': (_, response) => response.writeHead(302, { location: '/loop' }).end(),
  '/inwards': (_, response) => response.writeHead(302, { location: 'http://169.254.169.254/' }).end(),
  '/endless': (_, response) => {
    response.writeHead(200, { 'content-type': 'image/png' });
    response.write(Buffer.alloc(100_000));
  },
};
const held: ServerResponse[] = [];
const seen: IncomingMessage['headers'][] = [];
const server = createServer((request, response) => {
  seen.push(request.headers);
  if (request.url?.startsWith('/held')) return void held.push(response);
  (ANSWERS[request.url ?? ''] ?? (() => response.destroy()))(request, response);
});
let base = '';
beforeAll(async () => {
  base = `http://127.0.0.1:${await listenOnFreePort(server)}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

test.each([
  ['/a.jpg', 'media'],
  ['/page', 'page'],
  ['/doc', 'other'],
  ['/only-get', 'media'],
  ['/private', 'not-public'],
  ['/gone', 'missing'],
  ['/moved', 'media'],
  ['/loop', 'unknown'],
  ['/inwards', 'unreachable'],
  ['/endless', 'media'],
  ['/broken', 'unreachable'],
])('the link %s leads to: %s', async (path, expected) => {
  expect(await createLinkProbe({ allowPrivate: true })(base + path, 'T1')).toBe(expected);
});

test('private addresses are never asked, by number or by name', async () => {
  seen.length = 0;
  const lookup = (
    _name: string,
    _options: object,
    callback: (error: null, addresses: { address: string; family: number }[]) => void,
  ) => callback(null, [{ address: '127.0.0.1', family: 4 }]);
  expect(await createLinkProbe()(`${base}/a.jpg`, 'T1')).toBe('unreachable');
  const byName = createLinkProbe({ allowPrivate: false, lookup });
  expect(await byName(`http://rebound.example:${new URL(base).port}/a.jpg`, 'T1')).toBe('unreachable');
  expect(seen).toEqual([]);
});

test('a link is asked once a minute, and nothing identifies who asks', async () => {
  seen.length = 0;
  const probe = createLinkProbe({ allowPrivate: true });
  await Promise.all([probe(`${base}/a.jpg`, 'T1'), probe(`${base}/a.jpg`, 'T2')]);
  expect(seen).toHaveLength(1);
  expect(Object.keys(seen[0] ?? {}).toSorted()).toEqual(['connection', 'host']);
});

test('a workspace with many slow links delays no other', async () => {
  const probe = createLinkProbe({ allowPrivate: true });
  const slow = Array.from({ length: 30 }, (_, index) => probe(`${base}/held/${index}`, 'T1'));
  await expect.poll(() => held.length).toBe(5);
  expect(await probe(`${base}/a.jpg`, 'T2')).toBe('media');
  for (const response of held) response.destroy();
  server.closeAllConnections();
  await Promise.all(slow);
});
