import { createServer as createTcpServer, type Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { createConnector } from '../../../src/api/http/connector.ts';
import { createPost, listPosts } from '../../../src/api/posts.ts';
import { measureTime } from '../../support/busyness.ts';
import { createTestClient, listenOnLoopback, startServer, TOKEN } from '../scripted-server.ts';

const post = { projectId: 'p1', content: 'Hi', platforms: ['X'], status: 'DRAFT' } as const;
const DONE_BODY = JSON.stringify({ success: true, data: [] });
const doneResponse = `HTTP/1.1 200 OK\r\nContent-Length: ${DONE_BODY.length}\r\n\r\n${DONE_BODY}`;

/** Starts a server of raw sockets. It calls `respond` for each request, with the number of earlier requests. */
async function startRawServer(respond: (socket: Socket, earlierCount: number) => void) {
  const counts = { connections: 0, requests: 0 };
  const server = createTcpServer((socket) => {
    counts.connections += 1;
    let text = '';
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1');
      if (!text.includes('\r\n\r\n')) return;
      text = '';
      counts.requests += 1;
      respond(socket, counts.requests - 1);
    });
  });
  return { url: await listenOnLoopback(server), counts };
}

async function findUnusedAddress(): Promise<string> {
  const server = createTcpServer();
  const url = await listenOnLoopback(server);
  await new Promise((socketClosed) => server.close(socketClosed));
  return url;
}

describe('failures before the request is sent', () => {
  test('a refused connection means that the request is not applied', async () => {
    const { client } = createTestClient(await findUnusedAddress());
    expect(await createPost(client, post)).toMatchObject({
      kind: 'not-applied',
      cause: 'connection-refused',
    });
    expect(await listPosts(client, { projectId: 'p' })).toMatchObject({ cause: 'connection-refused' });
  });

  test('a connection refused on all addresses of a name means that the request is not applied', async () => {
    const { client } = createTestClient((await findUnusedAddress()).replace('127.0.0.1', 'localhost'));
    expect(await createPost(client, post)).toMatchObject({
      kind: 'not-applied',
      cause: 'connection-refused',
    });
  });

  test('a name that doesn’t resolve means that the request is not applied', async () => {
    const { client } = createTestClient('http://nobody.invalid');
    expect(await createPost(client, post)).toMatchObject({ kind: 'not-applied', cause: 'name-not-resolved' });
  });

  test('a plain HTTP response to TLS means that the request is not applied', async () => {
    const { url } = await startServer(() => {});
    const { client } = createTestClient(url.replace('http:', 'https:'));
    expect(await createPost(client, post)).toMatchObject({ kind: 'not-applied', cause: 'tls' });
  });

  test('a reset during the TLS handshake means that the request is not applied', async () => {
    const server = createTcpServer((socket) => socket.once('data', () => socket.resetAndDestroy()));
    const { client } = createTestClient((await listenOnLoopback(server)).replace('http:', 'https:'));
    expect(await createPost(client, post)).toMatchObject({ kind: 'not-applied', cause: 'tls' });
  });
});

describe('the time limit for connecting', () => {
  test('a TLS handshake without a response ends at the time limit for connecting, and the request is not applied', async () => {
    const sockets: Socket[] = [];
    const url = await listenOnLoopback(createTcpServer((socket) => sockets.push(socket.resume())));
    const { client } = createTestClient(url.replace('http:', 'https:'), { maxConnectMs: 300 });
    const { result: outcome, durationMs, ownMs } = await measureTime(() => createPost(client, post));
    expect(outcome).toMatchObject({ kind: 'not-applied', cause: 'connect-timeout' });
    expect(durationMs).toBeGreaterThan(250);
    expect(ownMs).toBeLessThan(1_300);
    await expect.poll(() => sockets.every((socket) => socket.destroyed)).toBe(true);
  });

  test('the time limit for connecting defaults to 3 s', async () => {
    const url = await listenOnLoopback(createTcpServer(() => {}));
    const { client } = createTestClient(url.replace('http:', 'https:'));
    const { result: outcome, durationMs, ownMs } = await measureTime(() => createPost(client, post));
    expect(outcome).toMatchObject({ kind: 'not-applied', cause: 'connect-timeout' });
    expect(durationMs).toBeGreaterThan(2_950);
    expect(ownMs).toBeLessThan(3_400);
  });
});

describe('failures after the request was sent', () => {
  const failures: Record<string, (socket: Socket) => void> = {
    'a reset': (socket) => socket.resetAndDestroy(),
    'an end without a response': (socket) => socket.end(),
    'a response that isn’t HTTP': (socket) => socket.end('220 smtp.example ESMTP\r\n'),
    'truncated headers': (socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Le'),
    'fewer bytes than announced': (socket) =>
      socket.end(`HTTP/1.1 200 OK\r\nContent-Length: ${DONE_BODY.length + 100}\r\n\r\n${DONE_BODY}`),
    'a truncated chunk': (socket) =>
      socket.end(
        `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${DONE_BODY.length.toString(16)}\r\n${DONE_BODY}`,
      ),
    'a body that isn’t gzip although its header says so': (socket) =>
      socket.end(
        `HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: ${DONE_BODY.length}\r\n\r\n${DONE_BODY}`,
      ),
    'two lengths': (socket) =>
      socket.end(
        `HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: ${DONE_BODY.length}\r\n\r\n${DONE_BODY}`,
      ),
    'a switch of protocols': (socket) =>
      socket.end('HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n'),
    'a nonexistent status': (socket) => socket.end('HTTP/1.1 999 Odd\r\nContent-Length: 0\r\n\r\n'),
  };
  for (const [name, causeFailure] of Object.entries(failures)) {
    test(`the outcome after ${name} is unknown, and the request isn’t retried`, async () => {
      const { url, counts } = await startRawServer(causeFailure);
      const { client } = createTestClient(url);
      const write = await createPost(client, post);
      const read = await listPosts(client, { projectId: 'p1' });
      expect([write, read]).toMatchObject([{ kind: 'unknown' }, { kind: 'unknown' }]);
      expect(JSON.stringify([write, read])).not.toContain(TOKEN);
      expect(counts.requests).toBe(2);
    });
  }

  test('the outcome of a response with more bytes than announced is unknown', async () => {
    const { url } = await startRawServer((socket) =>
      socket.end(`HTTP/1.1 200 OK\r\nContent-Length: ${DONE_BODY.length - 4}\r\n\r\n${DONE_BODY}`),
    );
    const { client } = createTestClient(url);
    expect(await createPost(client, post)).toMatchObject({ kind: 'unknown', cause: 'unreadable-response' });
  });

  test('a read isn’t retried after a reset on a reused connection', async () => {
    const { url, counts } = await startRawServer((socket, earlierCount) =>
      earlierCount === 0 ? socket.write(doneResponse) : socket.resetAndDestroy(),
    );
    const { client } = createTestClient(url);
    const first = await listPosts(client, { projectId: 'p1' });
    // undici frees a connection one turn of the event loop after the last byte of the response.
    await setImmediate();
    const second = await listPosts(client, { projectId: 'p1' });
    expect([first.kind, second.kind]).toEqual(['done', 'unknown']);
    expect(counts).toEqual({ connections: 1, requests: 2 });
  });
});

describe('a read that begins when the service closes the idle connection', () => {
  const endings: Record<string, (socket: Socket) => void> = {
    'by its end': (socket) => socket.end(),
    'by a reset': (socket) => socket.resetAndDestroy(),
  };
  for (const [name, close] of Object.entries(endings))
    test(`${name} gets a new one`, async () => {
      const sockets: Socket[] = [];
      const { url, counts } = await startRawServer((socket) => {
        sockets.push(socket);
        socket.write(doneResponse);
      });
      const { client } = createTestClient(url);
      await listPosts(client, { projectId: 'p1' });
      await setImmediate();
      for (const socket of sockets) close(socket);
      expect(await listPosts(client, { projectId: 'p1' })).toMatchObject({ kind: 'done' });
      expect(counts).toEqual({ connections: 2, requests: 2 });
    });
});

test('a call that is given up opens no second connection', async () => {
  const { url, counts } = await startRawServer(() => undefined);
  const { client } = createTestClient(url, { maxCallMs: 100 });
  expect(await createPost(client, post)).toMatchObject({ kind: 'unknown' });
  expect(await listPosts(client, { projectId: 'p1' })).toMatchObject({ kind: 'unknown' });
  expect(counts.connections).toBe(2);
});

test('each write has a new connection, and reads share connections', async () => {
  const { url, counts } = await startRawServer((socket) => socket.write(doneResponse));
  const { client } = createTestClient(url);
  await listPosts(client, { projectId: 'p1' });
  await setImmediate();
  await listPosts(client, { projectId: 'p1' });
  expect(counts.connections).toBe(1);
  await createPost(client, post);
  await createPost(client, post);
  expect(counts.connections).toBe(3);
});

test('a connection that opens after the time limit is closed and not used', async () => {
  const socketClosed = Promise.withResolvers<string>();
  const server = createTcpServer((socket) =>
    socket.resume().on('close', () => socketClosed.resolve('closed')),
  );
  const { hostname, port } = new URL(await listenOnLoopback(server));
  const results: unknown[] = [];
  createConnector(5, (read) => read())({ hostname, port, protocol: 'http:' }, (...result) =>
    results.push(result),
  );
  // Nothing can connect while this thread is busy, and the timer fires first when it is free again.
  const busyUntil = performance.now() + 30;
  while (performance.now() < busyUntil);
  expect(await socketClosed.promise).toBe('closed');
  expect(results).toEqual([[expect.objectContaining({ name: 'CallFailed' }), null]]);
});

test('a token that isn’t valid in a header doesn’t appear in errors', async () => {
  const { url } = await startServer(() => {});
  const { client, calls } = createTestClient(url, { token: `${TOKEN}\r\nX: y` });
  const outcome = await createPost(client, post);
  expect(outcome.kind).toBe('unknown');
  expect(JSON.stringify([outcome, calls])).not.toContain(TOKEN);
});
