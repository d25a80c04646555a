import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { z } from 'zod';
import { startHttpServer } from '../../src/observability/http-server.ts';
import { createMetrics } from '../../src/observability/metrics.ts';
import { type RunningCommand, startCommand } from '../support/command.ts';
import { createDataFolder } from '../support/data-folder.ts';
import { sendHostileRequests, sendRaw } from '../support/hostile-requests.ts';

let folder: string;
let command: RunningCommand | undefined;

beforeEach(async () => {
  folder = await createDataFolder();
});

afterEach(async () => {
  command?.kill('SIGKILL');
  await command?.exit;
  command = undefined;
  await rm(folder, { recursive: true });
});

/** Starts the practice workspace in a separate process, which an uncaught error would end. */
async function startWorkspace() {
  command = startCommand('cli/workspace.ts', { env: { DATA_DIR: folder, WORKSPACE_PORT: '0' } });
  const [, url = '', token = ''] = await command.waitForOutput(
    /SLACK_API_URL=(\S+)api\/\n[\s\S]*SLACK_APP_TOKEN=(\S+)/,
  );
  const openLink = async (): Promise<string> => {
    const headers = { Authorization: `Bearer ${token}` };
    const response = await fetch(`${url}api/apps.connections.open`, { method: 'POST', headers });
    return z.object({ url: z.string() }).parse(await response.json()).url;
  };
  return { url, port: Number(new URL(url).port), openLink };
}

/** Expects that the practice workspace answers, and that it has printed no error. */
async function expectUnharmed(url: string): Promise<void> {
  const response = await fetch(`${url}api/api.test`, { method: 'POST' }).catch((error: unknown) =>
    String(error),
  );
  expect(typeof response === 'string' ? command?.readOutput() : await response.json()).toEqual({ ok: true });
  expect(command?.readOutput()).not.toMatch(/Error|failed/);
}

/** Sends bytes through an open WebSocket. Resolves after the server has read them or has disconnected. */
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

/** A masked text frame, like a client's. */
function makeFrame(text: string): Buffer {
  const payload = Buffer.from(text);
  const head = Buffer.alloc(14);
  head[0] = 0x81;
  head[1] = 0x80 | 127;
  head.writeBigUInt64BE(BigInt(payload.length), 2);
  return Buffer.concat([head, payload]);
}

const FRAMES: readonly (readonly [string, Buffer])[] = [
  ['reserved bits and no mask', Buffer.from([0xff, 0x05, 1, 2, 3, 4, 5])],
  ['an impossibly large length', Buffer.from([0x81, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff])],
  ['a frame over the size limit', makeFrame('x'.repeat(1_100_000))],
  ['invalid UTF-8', Buffer.from([0x81, 0x82, 0, 0, 0, 0, 0xc3, 0x28])],
  ['a close frame with an unknown code', Buffer.from([0x88, 0x82, 0, 0, 0, 0, 0, 1])],
  ['invalid JSON', makeFrame('{"id":1,')],
  ['null', makeFrame('null')],
  [
    'a prototype',
    makeFrame('{"id":1,"act":"submit","viewId":"__proto__","values":{"__proto__":{"a":{"type":"x"}}}}'),
  ],
  ['endless brackets', makeFrame(`{"id":1,"act":"submit","viewId":"V","values":${'['.repeat(300_000)}`)],
  [
    'deeply nested values',
    makeFrame(
      `{"id":1,"act":"press","container":{"type":"home"},"blockId":"b","actionId":"a","element":{"type":"x","value":${'['.repeat(200_000)}${']'.repeat(200_000)}},"values":{}}`,
    ),
  ],
  ['an acknowledgement without a request', makeFrame('{"envelope_id":"none","payload":{"a":1}}')],
  ['a clock with an invalid time', makeFrame('{"id":1,"act":"clock","to":1e999}')],
];

test('no request can stop the practice workspace', async () => {
  const { url, port } = await startWorkspace();
  await sendHostileRequests(port);
  await expectUnharmed(url);
}, 120_000);

test('a page that disconnects on refusal cannot stop the practice workspace', async () => {
  const { url, port } = await startWorkspace();
  const handshake = `GET /page/live HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nOrigin: https://evil.example\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n`;
  await Promise.all(Array.from({ length: 100 }, () => sendRaw(port, handshake, 'resets at once')));
  await expectUnharmed(url);
}, 60_000);

test('no message over an open socket can stop the practice workspace', async () => {
  const { url, openLink } = await startWorkspace();
  for (const [, bytes] of FRAMES) {
    await sendFrames(`${url}page/live`, bytes);
    await sendFrames(await openLink(), bytes);
  }
  await expectUnharmed(url);
}, 60_000);

test('an app that opens too many sockets and sends invalid messages cannot stop the practice workspace', async () => {
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

test('an app that acknowledges an event with a deeply nested payload cannot stop the practice workspace', async () => {
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
  await command?.waitForOutput(/could not tell a page/);
  const response = await fetch(`${url}api/api.test`, { method: 'POST' });
  expect(await response.json()).toEqual({ ok: true });
  for (const socket of [app, page]) socket.terminate();
}, 60_000);

test('no request can stop the practice service', async () => {
  const env = { DATA_DIR: folder, SERVICE_PORT: '0' };
  command = startCommand('cli/service.ts', { env });
  const [, address = ''] = await command.waitForOutput(/(http:\/\/127\.0\.0\.1:\d+)/);
  await sendHostileRequests(Number(new URL(address).port));
  const response = await fetch(`${address}/api/v1/projects`).catch(() => undefined);
  expect(response?.status, command.readOutput()).toBe(401);
  expect(command.readOutput()).not.toMatch(/Error|failed/);
}, 120_000);

test('no request can stop the app', async () => {
  const uncaughtErrors: unknown[] = [];
  const recordError = (error: unknown) => void uncaughtErrors.push(error);
  process.on('uncaughtExceptionMonitor', recordError).on('unhandledRejection', recordError);
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
    expect(uncaughtErrors).toEqual([]);
  } finally {
    process.off('uncaughtExceptionMonitor', recordError).off('unhandledRejection', recordError);
    await server.close();
  }
}, 120_000);
