import { createServer as createTcpServer, type Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { createConnector } from '../../../src/api/http/connect-within.ts';
import { createPost, listPosts } from '../../../src/api/posts.ts';
import { answering, clientOf, listening, TOKEN } from '../answering-server.ts';

const post = { projectId: 'p1', content: 'Hi', platforms: ['X'], status: 'DRAFT' } as const;
const DONE = JSON.stringify({ success: true, data: [] });
const done = `HTTP/1.1 200 OK\r\nContent-Length: ${DONE.length}\r\n\r\n${DONE}`;

/** A server of raw sockets. `answer` gets each request with complete headers, and the number of earlier requests. */
async function rawServer(answer: (socket: Socket, earlier: number) => void) {
  const seen = { connections: 0, requests: 0 };
  const server = createTcpServer((socket) => {
    seen.connections += 1;
    let text = '';
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1');
      if (!text.includes('\r\n\r\n')) return;
      text = '';
      seen.requests += 1;
      answer(socket, seen.requests - 1);
    });
  });
  return { url: await listening(server), seen };
}

async function unusedAddress(): Promise<string> {
  const server = createTcpServer();
  const url = await listening(server);
  await new Promise((closed) => server.close(closed));
  return url;
}

describe('a failure before the request is sent is not applied', () => {
  test('connection refused', async () => {
    const { client } = clientOf(await unusedAddress());
    expect(await createPost(client, post)).toMatchObject({
      kind: 'not-applied',
      cause: 'connection-refused',
    });
    expect(await listPosts(client, { projectId: 'p' })).toMatchObject({ cause: 'connection-refused' });
  });

  test('connection refused on all addresses of a name', async () => {
    const { client } = clientOf((await unusedAddress()).replace('127.0.0.1', 'localhost'));
    expect(await createPost(client, post)).toMatchObject({
      kind: 'not-applied',
      cause: 'connection-refused',
    });
  });

  test('the name does not resolve', async () => {
    const { client } = clientOf('http://nobody.invalid');
    expect(await createPost(client, post)).toMatchObject({ kind: 'not-applied', cause: 'name-not-resolved' });
  });

  test('TLS is answered in plain HTTP', async () => {
    const { url } = await answering(() => {});
    const { client } = clientOf(url.replace('http:', 'https:'));
    expect(await createPost(client, post)).toMatchObject({ kind: 'not-applied', cause: 'tls' });
  });

  test('TLS is reset, which after a request would be unknown', async () => {
    const server = createTcpServer((socket) => socket.once('data', () => socket.resetAndDestroy()));
    const { client } = clientOf((await listening(server)).replace('http:', 'https:'));
    expect(await createPost(client, post)).toMatchObject({ kind: 'not-applied', cause: 'tls' });
  });
});

describe('the time limit for connecting', () => {
  test('ends a TLS handshake without an answer as not applied', async () => {
    const sockets: Socket[] = [];
    const url = await listening(createTcpServer((socket) => sockets.push(socket.resume())));
    const { client } = clientOf(url.replace('http:', 'https:'), { maxConnectMs: 300 });
    const started = performance.now();
    const outcome = await createPost(client, post);
    const took = performance.now() - started;
    expect(outcome).toMatchObject({ kind: 'not-applied', cause: 'connect-timeout' });
    expect(took).toBeGreaterThan(250);
    expect(took).toBeLessThan(1_300);
    await expect.poll(() => sockets.every((socket) => socket.destroyed)).toBe(true);
  });

  test('defaults to exactly 3 s', async () => {
    const url = await listening(createTcpServer(() => {}));
    const { client } = clientOf(url.replace('http:', 'https:'));
    const started = performance.now();
    const outcome = await createPost(client, post);
    const took = performance.now() - started;
    expect(outcome).toMatchObject({ kind: 'not-applied', cause: 'connect-timeout' });
    expect(took).toBeGreaterThan(2_950);
    expect(took).toBeLessThan(3_400);
  });
});

describe('a failure after the request was sent is unknown, and isn’t retried', () => {
  const cuts: Record<string, (socket: Socket) => void> = {
    'a reset': (socket) => socket.resetAndDestroy(),
    'an end without an answer': (socket) => socket.end(),
    'an answer that is no HTTP': (socket) => socket.end('220 smtp.example ESMTP\r\n'),
    'headers that break off': (socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Le'),
    'fewer bytes than promised': (socket) =>
      socket.end(`HTTP/1.1 200 OK\r\nContent-Length: ${DONE.length + 100}\r\n\r\n${DONE}`),
    'a chunk that breaks off': (socket) =>
      socket.end(
        `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${DONE.length.toString(16)}\r\n${DONE}`,
      ),
    'a body that is not the gzip it says': (socket) =>
      socket.end(
        `HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: ${DONE.length}\r\n\r\n${DONE}`,
      ),
    'two lengths': (socket) =>
      socket.end(`HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: ${DONE.length}\r\n\r\n${DONE}`),
    'a switch of protocols': (socket) =>
      socket.end('HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n'),
    'a status that does not exist': (socket) => socket.end('HTTP/1.1 999 Odd\r\nContent-Length: 0\r\n\r\n'),
  };
  for (const [name, cut] of Object.entries(cuts)) {
    test(name, async () => {
      const { url, seen } = await rawServer(cut);
      const { client } = clientOf(url);
      const write = await createPost(client, post);
      const read = await listPosts(client, { projectId: 'p1' });
      expect([write, read]).toMatchObject([{ kind: 'unknown' }, { kind: 'unknown' }]);
      expect(JSON.stringify([write, read])).not.toContain(TOKEN);
      expect(seen.requests).toBe(2);
    });
  }

  test('more bytes than announced leave truncated JSON', async () => {
    const { url } = await rawServer((socket) =>
      socket.end(`HTTP/1.1 200 OK\r\nContent-Length: ${DONE.length - 4}\r\n\r\n${DONE}`),
    );
    const { client } = clientOf(url);
    expect(await createPost(client, post)).toMatchObject({ kind: 'unknown', cause: 'unreadable-response' });
  });

  test('a read isn’t repeated after a reset on a reused connection', async () => {
    const { url, seen } = await rawServer((socket, earlier) =>
      earlier === 0 ? socket.write(done) : socket.resetAndDestroy(),
    );
    const { client } = clientOf(url);
    const first = await listPosts(client, { projectId: 'p1' });
    // undici frees a connection one turn of the event loop after the last byte of the response.
    await setImmediate();
    const second = await listPosts(client, { projectId: 'p1' });
    expect([first.kind, second.kind]).toEqual(['done', 'unknown']);
    expect(seen).toEqual({ connections: 1, requests: 2 });
  });
});

test('each write has a new connection, and reads share connections', async () => {
  const { url, seen } = await rawServer((socket) => socket.write(done));
  const { client } = clientOf(url);
  await listPosts(client, { projectId: 'p1' });
  await setImmediate();
  await listPosts(client, { projectId: 'p1' });
  expect(seen.connections).toBe(1);
  await createPost(client, post);
  await createPost(client, post);
  expect(seen.connections).toBe(3);
});

test('a connection that opens after the time limit is closed and not used', async () => {
  const closed = Promise.withResolvers<string>();
  const server = createTcpServer((socket) => socket.resume().on('close', () => closed.resolve('closed')));
  const { hostname, port } = new URL(await listening(server));
  const results: unknown[] = [];
  createConnector(5)({ hostname, port, protocol: 'http:' }, (...result) => results.push(result));
  // Nothing can connect while this thread is busy, and the timer fires first when it is free again.
  const busyUntil = performance.now() + 30;
  while (performance.now() < busyUntil);
  expect(await closed.promise).toBe('closed');
  expect(results).toEqual([[expect.objectContaining({ name: 'CallFailed' }), null]]);
});

test('a token that isn’t valid in a header doesn’t appear in errors', async () => {
  const { url } = await answering(() => {});
  const { client, calls } = clientOf(url, { token: `${TOKEN}\r\nX: y` });
  const outcome = await createPost(client, post);
  expect(outcome.kind).toBe('unknown');
  expect(JSON.stringify([outcome, calls])).not.toContain(TOKEN);
});
