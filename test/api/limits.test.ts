import { createServer } from 'node:http';
import { createServer as createTcpServer, type Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { createGzip, gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { createApiClient } from '../../src/api/client.ts';
import { createPost, listPosts } from '../../src/api/posts.ts';
import { listProjects } from '../../src/api/projects.ts';
import type { Slot } from '../../src/slots.ts';
import { measureTime } from '../support/busyness.ts';
import { listenOnFreePort } from '../support/listening-port.ts';
import { createResponder, createTestClient, listenOnLoopback, startServer } from './scripted-server.ts';

const MIB = 2 ** 20;
const post = { projectId: 'p1', content: 'Hi', platforms: ['X'], status: 'DRAFT' } as const;

describe('a response over the limit', () => {
  test('a response over 1 MiB to a call about one post is unknown, and is not read further', async () => {
    let sentBytes = 0;
    let isClosed = false;
    const { url } = await startServer((response) => {
      const chunk = Buffer.alloc(MIB, 0x20);
      response.writeHead(200, { 'content-type': 'application/json' });
      response.on('close', () => {
        isClosed = true;
      });
      const writeMore = () => {
        while (!isClosed && sentBytes < 1_024 * MIB) {
          sentBytes += chunk.length;
          if (!response.write(chunk)) return void response.once('drain', writeMore);
        }
      };
      writeMore();
    });
    const { client } = createTestClient(url);
    const outcome = await createPost(client, post);
    expect(outcome).toMatchObject({ kind: 'unknown', cause: 'response-too-large', status: 200 });
    await expect.poll(() => isClosed).toBe(true);
    expect(sentBytes).toBeLessThan(32 * MIB);
  });

  test('a response is measured while it is decoded, so a small compressed response can’t fill the memory', async () => {
    const { url } = await startServer((response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' });
      const gzip = createGzip({ level: 9 });
      gzip.pipe(response);
      let remainingChunks = 1_024;
      const writeMore = () => {
        while (remainingChunks > 0) {
          remainingChunks -= 1;
          if (!gzip.write(Buffer.alloc(MIB))) return void gzip.once('drain', writeMore);
        }
        gzip.end();
      };
      response.on('close', () => {
        remainingChunks = 0;
      });
      writeMore();
    });
    const { client } = createTestClient(url);
    const rssBefore = process.memoryUsage().rss;
    const outcome = await createPost(client, post);
    expect(outcome).toMatchObject({ kind: 'unknown', cause: 'response-too-large' });
    expect(process.memoryUsage().rss - rssBefore).toBeLessThan(256 * MIB);
  });

  test('a response at the limit is read, and a response one byte over it isn’t', async () => {
    const body = JSON.stringify({ success: true, data: null });
    const createPostWithResponse = async (bytes: number) => {
      const padded = gzipSync(body.padEnd(bytes));
      const { url } = await startServer(createResponder(200, padded, { 'content-encoding': 'gzip' }));
      return createPost(createTestClient(url).client, post);
    };
    expect(await createPostWithResponse(MIB)).toMatchObject({ kind: 'done' });
    expect(await createPostWithResponse(MIB + 1)).toMatchObject({
      kind: 'unknown',
      cause: 'response-too-large',
    });
  });

  test('a response with the status of a refusal counts as a refusal, even if it is too large to be read', async () => {
    const { url } = await startServer(createResponder(413, Buffer.alloc(20 * MIB)));
    const { client } = createTestClient(url);
    expect(await createPost(client, post)).toMatchObject({ kind: 'refused', status: 413 });
  });
});

/** Starts a service that answers with `head`, and then with `part` without end, whatever it is asked. */
async function startEndlessServer(head: string, part: string) {
  const counts = { sentBytes: 0, openSockets: 0 };
  const block = part.repeat(Math.ceil(65_536 / part.length));
  const server = createTcpServer((socket) => {
    counts.openSockets += 1;
    socket.on('close', () => {
      counts.openSockets -= 1;
    });
    const writeMore = () => {
      while (socket.writable) {
        counts.sentBytes += block.length;
        if (!socket.write(block)) return void socket.once('drain', writeMore);
      }
    };
    socket.once('data', () => {
      socket.write(head);
      writeMore();
    });
  });
  return { url: await listenOnLoopback(server), counts };
}

const CHUNKED = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n';

describe('a response without end', () => {
  test.each([
    ['interim responses', '', 'HTTP/1.1 102 Processing\r\n\r\n'],
    ['chunks of one byte', CHUNKED, '1\r\n \r\n'],
    ['a status line', 'HTTP/1.1 200 ', 'OK'],
    ['empty lines before it', '', '\r\n'],
    ['the extension of a chunk', `${CHUNKED}1;`, 'x'],
  ])('a response of endless %s is cut off, and its connection is closed', async (_, head, part) => {
    const { url, counts } = await startEndlessServer(head, part);
    // The service runs in this process too, so that reading in turns takes longer than usual.
    const { client } = createTestClient(url, { maxCallMs: 60_000 });
    const outcome = await listPosts(client, { projectId: 'p1' });
    expect(outcome).toMatchObject({ kind: 'unknown', cause: 'response-too-large' });
    await expect.poll(() => counts.openSockets).toBe(0);
    expect(counts.sentBytes).toBeLessThan(64 * MIB);
  });

  test('a few interim responses before an answer are fine', async () => {
    const { url } = await startServer((response) => {
      for (let count = 0; count < 5; count += 1) response.writeProcessing();
      response.end('{"success":true,"data":[]}');
    });
    expect(await listPosts(createTestClient(url).client, { projectId: 'p1' })).toMatchObject({
      kind: 'done',
    });
  });
});

test('a connection that is reset while its response waits to be read ends only that call', async () => {
  const sockets: Socket[] = [];
  const server = createTcpServer((socket) => {
    sockets.push(socket);
    socket.once('data', () => {
      socket.write('HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 9000000\r\n\r\n');
      socket.write(' '.repeat(MIB + 1));
    });
  });
  const waiting = Promise.withResolvers<void>();
  const createSlot = (): Slot => ({
    isWaiting: false,
    acquire: (signal) =>
      new Promise((_, reject) => {
        signal?.addEventListener('abort', () => reject(signal.reason));
        waiting.resolve();
      }),
    release: () => {},
  });
  const url = await listenOnLoopback(server);
  const { client } = createTestClient(url, { createSlot, maxCallMs: 2_000 });
  const reading = listPosts(client, { projectId: 'p1' });
  await waiting.promise;
  // More than the body buffers, and less than the body and the socket buffer together.
  for (const socket of sockets) socket.write(' '.repeat(100_000));
  for (let turn = 0; turn < 100; turn += 1) await setImmediate();
  for (const socket of sockets) socket.resetAndDestroy();
  expect(await reading).toMatchObject({ kind: 'unknown' });
});

test('a request over 1 MiB is not sent, and a request of 1 MiB is sent', async () => {
  const { url, requests } = await startServer(createResponder(200, { success: true }));
  const { client, calls } = createTestClient(url);
  const emptyLength = JSON.stringify({ Content: '', Platforms: ['X'], Status: 'DRAFT' }).length;
  const atLimit = await createPost(client, { ...post, content: 'x'.repeat(MIB - emptyLength) });
  const overLimit = await createPost(client, { ...post, content: 'x'.repeat(MIB - emptyLength + 1) });
  const overLimitInBytes = await createPost(client, { ...post, content: '🦊'.repeat(MIB / 4) });
  expect(atLimit.kind).toBe('done');
  expect(overLimit).toMatchObject({ kind: 'not-applied', cause: 'too-large' });
  expect(overLimitInBytes).toMatchObject({ kind: 'not-applied', cause: 'too-large' });
  expect(requests).toHaveLength(1);
  expect(calls.map((call) => call.status)).toEqual([200, undefined, undefined]);
});

describe('the time limit of a call', () => {
  /** Time limit of a call, shorter than the default of 15 s. */
  const maxCallMs = 400;

  async function expectTimeout(url: string, expected: object = {}) {
    const { client } = createTestClient(url, { maxCallMs });
    const { result: outcome, durationMs, ownMs } = await measureTime(() => createPost(client, post));
    expect(outcome).toMatchObject({ kind: 'unknown', cause: 'timed-out', ...expected });
    expect(durationMs).toBeGreaterThan(maxCallMs - 50);
    expect(ownMs).toBeLessThan(maxCallMs + 1_000);
  }

  test('the time limit ends a call without a response', async () => {
    const { url } = await startServer(() => {});
    await expectTimeout(url);
  });

  test('the time limit ends a response that arrives byte by byte', async () => {
    const { url } = await startServer((response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      const writing = setInterval(() => response.write(' '), 20);
      response.on('close', () => clearInterval(writing));
    });
    await expectTimeout(url, { status: 200 });
  });

  test('the time limit ends a response whose headers arrive one at a time', async () => {
    const server = createTcpServer((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n');
      const writing = setInterval(() => socket.write('X-More: 1\r\n'), 20);
      socket.on('close', () => clearInterval(writing));
    });
    await expectTimeout(await listenOnLoopback(server));
  });

  test('a 422 whose body never ends is invalid, not unknown', async () => {
    const { url } = await startServer((response) => {
      response.writeHead(422);
      response.write('{');
    });
    const { client } = createTestClient(url, { maxCallMs });
    expect(await createPost(client, post)).toMatchObject({ kind: 'invalid', problems: [] });
  });
});

test('a response with endless headers is cut off', async () => {
  const server = createTcpServer((socket) => {
    socket.write('HTTP/1.1 200 OK\r\n');
    const writeMore = () => {
      while (socket.writable && socket.write(`X-More: ${'y'.repeat(1_000)}\r\n`));
      if (socket.writable) socket.once('drain', writeMore);
    };
    writeMore();
  });
  const { client } = createTestClient(await listenOnLoopback(server));
  const outcome = await listPosts(client, { projectId: 'p1' });
  expect(outcome).toMatchObject({ kind: 'unknown', cause: 'connection-lost' });
});

test('one client has at most 48 reads in flight, and the remaining reads follow', async () => {
  const pendingResponses: (() => void)[] = [];
  const { url, requests } = await startServer((response) => {
    pendingResponses.push(() => response.end('{"success":true,"data":[]}'));
  });
  const { client } = createTestClient(url);
  const reads = Array.from({ length: 80 }, () => listPosts(client, { projectId: 'p1' }));
  await expect.poll(() => requests.length).toBe(48);
  let endedCount = 0;
  while (endedCount < 80) {
    await expect.poll(() => pendingResponses.length).toBeGreaterThan(0);
    expect(pendingResponses.length).toBeLessThanOrEqual(48);
    for (const end of pendingResponses.splice(0)) {
      end();
      endedCount += 1;
    }
  }
  expect((await Promise.all(reads)).every(({ kind }) => kind === 'done')).toBe(true);
});

test('an idle connection is closed soon, although the service would keep it for ten minutes', async () => {
  let openCount = 0;
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'keep-alive': 'timeout=600' });
    response.end('{"success":true,"data":[]}');
  });
  server.keepAliveTimeout = 600_000;
  server.on('connection', (socket) => {
    openCount += 1;
    socket.on('close', () => {
      openCount -= 1;
    });
  });
  const port = await listenOnFreePort(server);
  const api = createApiClient({ baseUrl: `http://127.0.0.1:${port}`, token: 't' });
  expect(await listProjects(api)).toMatchObject({ kind: 'done' });
  expect(openCount).toBe(1);
  await expect.poll(() => openCount).toBe(0);
  await api.close();
  server.close();
});
