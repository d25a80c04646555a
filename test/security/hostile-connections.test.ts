import { createHmac, randomBytes } from 'node:crypto';
import { request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createSignedRequestListener } from '../../src/handlers/bolt/signed-requests.ts';
import { createDoor } from '../../src/media/door.ts';
import type { StoredMedia } from '../../src/media/media-store.ts';
import { startTestServer } from '../observability/running-server.ts';
import { type AttackTarget, CONNECTION_ATTACKS } from '../support/hostile-connections.ts';

const SECRET = 'a secret';
const [MANY, FEW] = [70, 4];
const CHUNK = Buffer.alloc(64 * 1024);

function createFile(workspace: string, chunks: number): StoredMedia {
  const facts = {
    type: 'video/mp4',
    bytes: chunks * CHUNK.length,
    isAnimated: false,
    hadPrivateData: false,
  } as const;
  const token = randomBytes(32).toString('base64url');
  return { id: 'f'.repeat(64), workspace, token, key: randomBytes(32), chunkBytes: CHUNK.length, facts };
}

/** Starts a server that verifies Slack's requests, and serves a large file of one workspace and a small one of another. */
async function startServer({
  maxChunkMs = 5_000,
  search = Promise.resolve(),
  ...options
}: Parameters<typeof startTestServer>[0] & { maxChunkMs?: number; search?: Promise<void> } = {}) {
  const [large, small] = [createFile('T01LARGE', 1_000), createFile('T02SMALL', 1)];
  let [openReaders, readerCount] = [0, 0];
  const files = new Map([large, small].map((file) => [file.token, file]));
  const serveMedia = createDoor({
    find: async (token) => {
      await search;
      return files.get(token);
    },
    async *read(_file, { start, end }) {
      openReaders += 1;
      readerCount += 1;
      try {
        for (let sent = start; sent < end; sent += CHUNK.length) yield CHUNK;
      } finally {
        openReaders -= 1;
      }
    },
    log: { debug() {}, info() {}, warn() {}, error() {} },
    maxReaders: FEW,
    maxPatienceMs: 50,
    maxChunkMs,
  });
  const handleSlackRequest = createSignedRequestListener({
    signingSecret: SECRET,
    handle: (_request, respond) => respond({ status: 200, body: 'help' }),
  });
  const { port } = await startTestServer({
    serveMedia,
    handleSlackRequest,
    maxConnections: MANY - 10,
    ...options,
  });
  return {
    port,
    largePath: `/media/${large.token}`,
    smallPath: `/media/${small.token}.mp4`,
    count: () => openReaders,
    countAll: () => readerCount,
  };
}

interface Sent {
  port: number;
  path: string;
  body?: string;
  headers?: Record<string, string>;
  from?: string;
}

/** Sends a request over a connection of its own, and resolves with the status and the length of the answer. */
function send({ port, path, body, headers = {}, from = '127.0.0.1' }: Sent): Promise<[number, number]> {
  return new Promise((resolve, reject) => {
    const method = body === undefined ? 'GET' : 'POST';
    const outgoing = request(
      { host: '127.0.0.1', port, path, method, headers, localAddress: from, agent: false },
      (response) => {
        text(response).then((answer) => resolve([response.statusCode ?? 0, answer.length]), reject);
      },
    );
    outgoing.once('error', reject).end(body);
  });
}

const BODY = 'command=/upnext';

function signBody(): Record<string, string> {
  const timestamp = Math.floor(Date.now() / 1000);
  const signature = createHmac('sha256', SECRET).update(`v0:${timestamp}:${BODY}`).digest('hex');
  return {
    'content-type': 'application/x-www-form-urlencoded',
    'x-slack-request-timestamp': String(timestamp),
    'x-slack-signature': `v0=${signature}`,
  };
}

function sendSigned(port: number, options: Partial<Sent> = {}): Promise<[number, number]> {
  const headers = { ...options.headers, ...signBody() };
  return send({ port, path: '/slack/events', ...options, body: BODY, headers });
}

function findAttack(name: string) {
  const attack = CONNECTION_ATTACKS.find((each) => each.name === name);
  if (!attack) throw new Error(`no attack is called ${name}`);
  return attack;
}

/** Starts an attack, which ends with the test. */
async function attackServer(name: string, target: AttackTarget) {
  const attack = await findAttack(name).start(target);
  onTestFinished(() => attack.stop());
  return attack;
}

describe.each(CONNECTION_ATTACKS.map(({ name }) => name))('during an attack with %s', (name) => {
  test('Slack’s requests, health checks and the files of others are answered', async () => {
    const server = await startServer();
    const { port, largePath, smallPath } = server;
    await attackServer(name, { port, mediaPath: largePath, count: MANY });
    for (let round = 0; round < 5; round += 1) {
      expect(await sendSigned(port)).toEqual([200, 4]);
      expect(await send({ port, path: '/health/ready' })).toEqual([200, 6]);
      expect(await send({ port, path: smallPath })).toEqual([200, CHUNK.length]);
    }
  });

  test('the same holds if others have the attacker’s address, as behind a proxy that isn’t trusted', async () => {
    const { port, largePath } = await startServer();
    await attackServer(name, { port, mediaPath: largePath, count: MANY, from: '127.0.0.1' });
    for (let round = 0; round < 5; round += 1) {
      expect(await sendSigned(port)).toEqual([200, 4]);
      expect(await send({ port, path: '/health/live' })).toEqual([200, 5]);
    }
  });
});

/** Opens a connection and sends this text. Counts the bytes that are received. */
async function openConnection(port: number, sent: string, from: string) {
  const socket = connect({ port, host: '127.0.0.1', localAddress: from });
  const connection = { socket, isClosed: false };
  socket.on('error', () => undefined).once('close', () => (connection.isClosed = true));
  await new Promise<void>((resolve) => socket.once('connect', resolve));
  socket.resume().write(sent);
  onTestFinished(() => void socket.destroy());
  return connection;
}

describe('if there are too many connections', () => {
  const HALF = 'GET / HTTP/1.1\r\nHost: a';

  test('the address with the most loses its oldest half requests, and others lose none', async () => {
    const { port } = await startServer({ maxConnections: 6 });
    const modest = await openConnection(port, HALF, '127.0.0.3');
    const greedy: { socket: Socket; isClosed: boolean }[] = [];
    for (let count = 0; count < 5; count += 1) greedy.push(await openConnection(port, HALF, '127.0.0.2'));
    for (let count = 0; count < 3; count += 1)
      expect((await send({ port, path: '/health/live' }))[0]).toBe(200);
    expect(greedy.map(({ isClosed }) => isClosed)).toEqual([true, false, false, false, false]);
    await openConnection(port, HALF, '127.0.0.4');
    const last = await openConnection(port, HALF, '127.0.0.5');
    await expect
      .poll(() => greedy.map(({ isClosed }) => isClosed))
      .toEqual([true, true, false, false, false]);
    expect([modest.isClosed, last.isClosed]).toEqual([false, false]);
  });

  test('a request that is being handled isn’t lost to half requests from its own address', async () => {
    const handling = Promise.withResolvers<void>();
    const { port } = await startServer({
      maxConnections: 6,
      handleSlackRequest: (_request, response) =>
        void handling.promise.then(() => response.end('acknowledged')),
    });
    const answer = send({ port, path: '/slack/slow', from: '127.0.0.2' });
    for (let count = 0; count < 20; count += 1) await openConnection(port, HALF, '127.0.0.2');
    expect((await send({ port, path: '/health/live' }))[0]).toBe(200);
    handling.resolve();
    expect(await answer).toEqual([200, 'acknowledged'.length]);
  });

  test('an idle connection of a signed request is kept, also from the address of an attacker', async () => {
    const { port } = await startServer({ maxConnections: 6 });
    const headers = Object.entries({ host: 'a', 'content-length': BODY.length, ...signBody() });
    const head = headers.map(([name, value]) => `${name}: ${value}\r\n`).join('');
    const signed = await openConnection(
      port,
      `POST /slack/events HTTP/1.1\r\n${head}\r\n${BODY}`,
      '127.0.0.2',
    );
    await expect.poll(() => signed.socket.bytesRead).toBeGreaterThan(0);
    const unsigned = await openConnection(port, 'GET /health/live HTTP/1.1\r\nHost: a\r\n\r\n', '127.0.0.2');
    await expect.poll(() => unsigned.socket.bytesRead).toBeGreaterThan(0);
    for (let count = 0; count < 10; count += 1) await openConnection(port, HALF, '127.0.0.2');
    await expect.poll(() => unsigned.isClosed).toBe(true);
    expect(signed.isClosed).toBe(false);
  });

  test('idle connections of a trusted proxy are none of those that an attacker can take', async () => {
    const { port } = await startServer({ maxConnections: 20, trustedProxies: ['127.0.0.3'] });
    const proxied = await Promise.all(
      Array.from({ length: 15 }, () =>
        openConnection(
          port,
          'GET /health/live HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: 192.0.2.1\r\n\r\n',
          '127.0.0.3',
        ),
      ),
    );
    await attackServer('half heads', { port, count: 40 });
    expect(
      await sendSigned(port, { from: '127.0.0.3', headers: { 'x-forwarded-for': '192.0.2.2' } }),
    ).toEqual([200, 4]);
    expect(proxied.filter(({ isClosed }) => isClosed)).toEqual([]);
  });
});

describe('readers of files', () => {
  test('one that takes nothing loses its connection, also while there is room', async () => {
    const { port, largePath, count, countAll } = await startServer({ maxChunkMs: 300 });
    const socket = connect({ port, host: '127.0.0.1' }).pause();
    onTestFinished(() => void socket.on('error', () => undefined).destroy());
    socket.write(`GET ${largePath} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`);
    await expect.poll(countAll).toBe(1);
    await expect.poll(count).toBe(0);
  });

  test('requests for files that wait are limited for each address, and another one is answered', async () => {
    const search = Promise.withResolvers<void>();
    const { port, smallPath } = await startServer({ maxConnections: 1_000, search: search.promise });
    const statuses: number[] = [];
    const asked = Array.from({ length: 300 }, async () => {
      statuses.push((await send({ port, path: smallPath, from: '127.0.0.2' }))[0]);
    });
    await expect.poll(() => statuses.length).toBe(100);
    expect(new Set(statuses)).toEqual(new Set([503]));
    const other = send({ port, path: smallPath });
    search.resolve();
    expect(await other).toEqual([200, CHUNK.length]);
    await Promise.all(asked);
    expect(statuses.slice(100)).toContain(200);
  });

  test('a file is served under its own ending or none', async () => {
    const { port, smallPath } = await startServer();
    const bare = smallPath.replace('.mp4', '');
    const statuses = await Promise.all(
      ['', '.mp4', '.jpg', '.html', '.', '.mp4.html'].map(async (ending) => {
        const [status] = await send({ port, path: `${bare}${ending}` });
        return status;
      }),
    );
    expect(statuses).toEqual([200, 200, 404, 404, 404, 404]);
  });
});
