import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { z } from 'zod';
import { startHttpServer } from '../../src/observability/http-server.ts';
import { createMetrics } from '../../src/observability/metrics.ts';
import { type RunningCommand, startCommand } from '../support/command.ts';
import { newDataFolder } from '../support/data-folder.ts';
import { sendHostileRequests, sendRaw } from '../support/hostile-requests.ts';

let folder: string;
let command: RunningCommand | undefined;

beforeEach(async () => {
  folder = await newDataFolder();
});

afterEach(async () => {
  command?.kill('SIGKILL');
  await command?.ended;
  command = undefined;
  await rm(folder, { recursive: true });
});

/** The practice workspace in a process of its own, which an uncaught error would end. */
async function startWorkspace() {
  command = startCommand('cli/workspace.ts', { env: { DATA_DIR: folder, WORKSPACE_PORT: '0' } });
  const [, url = '', token = ''] = await command.prints(
    /SLACK_API_URL=(\S+)api\/\n[\s\S]*SLACK_APP_TOKEN=(\S+)/,
  );
  const openLink = async (): Promise<string> => {
    const headers = { Authorization: `Bearer ${token}` };
    const answer = await fetch(`${url}api/apps.connections.open`, { method: 'POST', headers });
    return z.object({ url: z.string() }).parse(await answer.json()).url;
  };
  return { url, port: Number(new URL(url).port), openLink };
}

/** It is still there, answers, and said nothing about an error. */
async function expectUnharmed(url: string): Promise<void> {
  const asked = await fetch(`${url}api/api.test`, { method: 'POST' }).catch((error: unknown) =>
    String(error),
  );
  expect(typeof asked === 'string' ? command?.output() : await asked.json()).toEqual({ ok: true });
  expect(command?.output()).not.toMatch(/Error|failed/);
}

/** Sends these bytes through an open WebSocket; resolves once the server has read them, or has hung up. */
function sendFrames(url: string, bytes: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(url.replace('http', 'ws'));
    socket.on('error', () => undefined).once('close', () => resolve());
    socket.once('unexpected-response', (_, { statusCode }) =>
      reject(new Error(`refused with ${statusCode}`)),
    );
    socket.once('open', () => {
      const { _socket: raw } = socket as unknown as { _socket: Socket };
      raw.write(bytes);
      socket.ping();
      socket.once('pong', () => raw.resetAndDestroy());
    });
  });
}

/** A masked text frame, as a client sends it. */
function frame(text: string): Buffer {
  const payload = Buffer.from(text);
  const head = Buffer.alloc(14);
  head[0] = 0x81;
  head[1] = 0x80 | 127;
  head.writeBigUInt64BE(BigInt(payload.length), 2);
  return Buffer.concat([head, payload]);
}

const FRAMES: readonly (readonly [string, Buffer])[] = [
  ['reserved bits and no mask', Buffer.from([0xff, 0x05, 1, 2, 3, 4, 5])],
  ['a length beyond all measure', Buffer.from([0x81, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff])],
  ['larger than is taken', frame('x'.repeat(1_100_000))],
  ['no UTF-8', Buffer.from([0x81, 0x82, 0, 0, 0, 0, 0xc3, 0x28])],
  ['a close frame with a code that there is not', Buffer.from([0x88, 0x82, 0, 0, 0, 0, 0, 1])],
  ['no JSON', frame('{"id":1,')],
  ['null', frame('null')],
  [
    'a prototype',
    frame('{"id":1,"act":"submit","viewId":"__proto__","values":{"__proto__":{"a":{"type":"x"}}}}'),
  ],
  ['brackets without end', frame(`{"id":1,"act":"submit","viewId":"V","values":${'['.repeat(300_000)}`)],
  [
    'very deep values',
    frame(
      `{"id":1,"act":"press","container":{"type":"home"},"blockId":"b","actionId":"a","element":{"type":"x","value":${'['.repeat(200_000)}${']'.repeat(200_000)}},"values":{}}`,
    ),
  ],
  ['an acknowledgement of nothing', frame('{"envelope_id":"none","payload":{"a":1}}')],
  ['a clock that is no time', frame('{"id":1,"act":"clock","to":1e999}')],
];

test('whatever is sent to its port, the practice workspace stays and answers', async () => {
  const { url, port } = await startWorkspace();
  await sendHostileRequests(port);
  await expectUnharmed(url);
}, 120_000);

test('a page that is refused its socket and hangs up at once does not end the practice workspace', async () => {
  const { url, port } = await startWorkspace();
  const handshake = `GET /page/live HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nOrigin: https://evil.example\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n`;
  await Promise.all(Array.from({ length: 100 }, () => sendRaw(port, handshake, 'resets at once')));
  await expectUnharmed(url);
}, 60_000);

test('whatever is sent through an open socket, the practice workspace stays and answers', async () => {
  const { url, openLink } = await startWorkspace();
  for (const [, bytes] of FRAMES) {
    await sendFrames(`${url}page/live`, bytes);
    await sendFrames(await openLink(), bytes);
  }
  await expectUnharmed(url);
}, 60_000);

test('an app that opens more sockets than Slack allows, and writes nonsense, does not end the practice workspace', async () => {
  const { url, openLink } = await startWorkspace();
  const sockets: WebSocket[] = [];
  for (let count = 0; count < 10; count += 1) {
    const socket = new WebSocket(await openLink());
    sockets.push(socket);
    await once(socket, 'message');
  }
  for (const [, bytes] of FRAMES) await sendFrames(await openLink(), bytes);
  await expectUnharmed(url);
  for (const socket of sockets) socket.terminate();
}, 60_000);

test('an app that acknowledges an event with what nobody can pass on does not end the practice workspace', async () => {
  const { url, openLink } = await startWorkspace();
  const app = new WebSocket(await openLink());
  await once(app, 'message');
  app.on('message', (data) => {
    const { envelope_id: id } = JSON.parse(String(data));
    app.send(`{"envelope_id":"${id}","payload":{"deep":${'['.repeat(200_000)}${']'.repeat(200_000)}}}`);
  });
  const page = new WebSocket(`${url.replace('http', 'ws')}page/live`);
  await once(page, 'open');
  page.send(JSON.stringify({ id: 1, act: 'home-opened' }));
  await command?.prints(/could not tell a page/);
  const asked = await fetch(`${url}api/api.test`, { method: 'POST' });
  expect(await asked.json()).toEqual({ ok: true });
  for (const socket of [app, page]) socket.terminate();
}, 60_000);

test('whatever is sent to its port, the practice service stays and answers', async () => {
  const env = { DATA_DIR: folder, SERVICE_PORT: '0' };
  command = startCommand('cli/service.ts', { env });
  const [, address = ''] = await command.prints(/(http:\/\/127\.0\.0\.1:\d+)/);
  await sendHostileRequests(Number(new URL(address).port));
  const asked = await fetch(`${address}/api/v1/projects`).catch(() => undefined);
  expect(asked?.status, command.output()).toBe(401);
  expect(command.output()).not.toMatch(/Error|failed/);
}, 120_000);

test('whatever is sent to its port, the app stays live', async () => {
  const uncaught: unknown[] = [];
  const record = (error: unknown) => void uncaught.push(error);
  process.on('uncaughtExceptionMonitor', record).on('unhandledRejection', record);
  const server = await startHttpServer({
    host: '127.0.0.1',
    port: 0,
    health: { metrics: createMetrics(), isReady: async () => true },
    publicUrl: 'https://upnext.example.com',
    requestTimeoutMs: 500,
  });
  try {
    await sendHostileRequests(server.port);
    expect((await fetch(`http://127.0.0.1:${server.port}/health/live`)).status).toBe(200);
    expect(uncaught).toEqual([]);
  } finally {
    process.off('uncaughtExceptionMonitor', record).off('unhandledRejection', record);
    await server.close();
  }
}, 120_000);
