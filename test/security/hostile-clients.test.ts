import { on, once } from 'node:events';
import { rm } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { WebSocket } from 'ws';
import { z } from 'zod';
import { startHttpServer } from '../../src/observability/http-server.ts';
import { createMetrics } from '../../src/observability/metrics.ts';
import { startCommand } from '../support/command.ts';
import { createDataFolder } from '../support/database-folder.ts';
import { sendHostileCalls } from '../support/hostile-calls.ts';
import { FRAMES, sendFrames, sendHostileFrames } from '../support/hostile-frames.ts';
import { sendHostileRequests, sendRaw } from '../support/hostile-requests.ts';

/** Starts a program in a separate process, which an uncaught error would end. */
async function start(entry: string, env: Record<string, string>) {
  const folder = await createDataFolder();
  const command = startCommand(entry, { env: { DATA_DIR: folder, ...env } });
  const end = async () => {
    command.kill('SIGKILL');
    await command.exit;
    await rm(folder, { recursive: true });
  };
  return { command, end };
}

describe('the practice workspace', () => {
  let program: Awaited<ReturnType<typeof start>>;
  let [url, botToken, appToken] = ['', '', ''];

  beforeAll(async () => {
    program = await start('cli/workspace.ts', { WORKSPACE_PORT: '0' });
    [, url = '', botToken = '', appToken = ''] = await program.command.waitForOutput(
      /SLACK_API_URL=(\S+)api\/\n\s*SLACK_BOT_TOKEN=(\S+)\n\s*SLACK_APP_TOKEN=(\S+)/,
    );
  });
  afterAll(() => program.end());

  async function openLink(): Promise<string> {
    const headers = { Authorization: `Bearer ${appToken}` };
    const response = await fetch(`${url}api/apps.connections.open`, { method: 'POST', headers });
    return z.object({ url: z.string() }).parse(await response.json()).url;
  }

  /** Expects that the workspace answers, and that it has printed no error. */
  async function expectUnharmed(): Promise<void> {
    const response = await fetch(`${url}api/api.test`, { method: 'POST' }).catch((error: unknown) =>
      String(error),
    );
    const output = program.command.readOutput();
    expect(typeof response === 'string' ? output : await response.json()).toEqual({ ok: true });
    expect(output).not.toMatch(/Error|failed/);
  }

  test('no request can stop it', async () => {
    await sendHostileRequests(Number(new URL(url).port));
    await expectUnharmed();
  });

  test('a page that disconnects on refusal cannot stop it', async () => {
    const { host, port } = new URL(url);
    const handshake = `GET /page/live HTTP/1.1\r\nHost: ${host}\r\nOrigin: https://evil.example\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n`;
    const disconnect = () => sendRaw(Number(port), handshake, 'resets at once');
    await Promise.all(Array.from({ length: 100 }, disconnect));
    await expectUnharmed();
  });

  test('no message over an open socket can stop it', async () => {
    for (const [, bytes] of FRAMES) {
      await sendFrames(`${url}page/live`, bytes);
      await sendFrames(await openLink(), bytes);
    }
    await expectUnharmed();
  });

  test('an app that opens too many sockets and sends invalid messages cannot stop it', async () => {
    const sockets: WebSocket[] = [];
    for (let count = 0; count < 10; count += 1) {
      const socket = new WebSocket(await openLink());
      sockets.push(socket);
      await once(socket, 'message');
    }
    for (const [, bytes] of FRAMES) await sendFrames(await openLink(), bytes);
    await expectUnharmed();
    for (const socket of sockets) socket.terminate();
  });

  test('no random frame or call of the Web API can stop it', async () => {
    const random = { seed: 1, count: 80 };
    await sendHostileFrames(() => `${url}page/live`, random);
    await sendHostileFrames(openLink, random);
    expect(await sendHostileCalls(url, botToken, random)).toEqual([]);
    await expectUnharmed();
  });

  test('an app that acknowledges an event with a deeply nested payload cannot stop it', async () => {
    const app = new WebSocket(await openLink());
    await once(app, 'message');
    app.on('message', (data) => {
      const { envelope_id: id } = JSON.parse(String(data));
      app.send(`{"envelope_id":"${id}","payload":{"deep":${'['.repeat(200_000)}${']'.repeat(200_000)}}}`);
    });
    const page = new WebSocket(`${url.replace('http', 'ws')}page/live`);
    await once(page, 'open');
    page.send(JSON.stringify({ id: 1, act: 'home-opened' }));
    for await (const [data] of on(page, 'message'))
      if (String(data).includes('nested too deeply to store')) break;
    const response = await fetch(`${url}api/api.test`, { method: 'POST' });
    expect(await response.json()).toEqual({ ok: true });
    for (const socket of [app, page]) socket.terminate();
  });
});

test('no request can stop the practice service', async () => {
  const { command, end } = await start('cli/service.ts', { SERVICE_PORT: '0' });
  onTestFinished(end);
  const [, address = ''] = await command.waitForOutput(/(http:\/\/127\.0\.0\.1:\d+)/);
  await sendHostileRequests(Number(new URL(address).port));
  const response = await fetch(`${address}/api/v1/projects`).catch(() => undefined);
  expect(response?.status, command.readOutput()).toBe(401);
  expect(command.readOutput()).not.toMatch(/Error|failed/);
});

test('no request can stop the app', async () => {
  const uncaughtErrors: unknown[] = [];
  const recordError = (error: unknown) => void uncaughtErrors.push(error);
  process.on('uncaughtExceptionMonitor', recordError).on('unhandledRejection', recordError);
  const server = await startHttpServer({
    host: '127.0.0.1',
    port: 0,
    health: { metrics: createMetrics({}), isReady: async () => true },
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
});
