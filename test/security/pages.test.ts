import { request } from 'node:http';
import { networkInterfaces } from 'node:os';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Workspace } from '../../src/emulators/slack/slack.ts';
import { startHttpServer } from '../../src/observability/http-server.ts';
import { createMetrics } from '../../src/observability/metrics.ts';
import { startTestWorkspace } from '../support/workspace.ts';

let workspace: Workspace;
beforeAll(async () => {
  ({ workspace } = await startTestWorkspace());
});
afterAll(() => workspace.close());

/** Another address of this machine than 127.0.0.1: what listens everywhere answers there too. */
function elsewhere(): string {
  const all = Object.values(networkInterfaces()).flatMap((found) => found ?? []);
  return all.find(({ family, internal }) => family === 'IPv4' && !internal)?.address ?? '127.0.0.2';
}

function statusAs(host: string, path: string): Promise<number> {
  const { port } = new URL(workspace.url);
  return new Promise((resolve, reject) => {
    request({ host: '127.0.0.1', port, path, headers: { host } }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    })
      .once('error', reject)
      .end();
  });
}

const consent = () =>
  `${new URL(workspace.authorizeUrl).pathname}?client_id=${workspace.clientId}&scope=chat:write&state=s`;

describe('every page of the practice workspace', () => {
  test.each([
    ['the page itself', () => '/'],
    ['where an app is installed', consent],
  ])('%s runs nothing foreign, and is framed nowhere', async (_what, path) => {
    const response = await fetch(new URL(path(), workspace.url));
    const policy = response.headers.get('content-security-policy') ?? '';
    for (const rule of ["default-src 'none'", "frame-ancestors 'none'", "base-uri 'none'"]) {
      expect(policy).toContain(rule);
    }
    expect(policy).not.toMatch(/unsafe-inline|unsafe-eval|\*/);
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    // Forms say from where they are sent, and only to the page itself.
    expect(response.headers.get('referrer-policy')).toMatch(/^(no-referrer|same-origin)$/);
  });

  test('has another nonce each time', async () => {
    const policies = await Promise.all(
      [1, 2].map(async () => (await fetch(workspace.url)).headers.get('content-security-policy')),
    );
    expect(policies[0]).toMatch(/'nonce-[\w+/=]{20,}'/);
    expect(policies[0]).not.toBe(policies[1]);
  });

  test.each(['/nothing-here', '/page/nothing.js', '/api/nothing', '/files-pri/nothing'])(
    '%s is sniffed by nobody',
    async (path) => {
      const response = await fetch(new URL(path, workspace.url));
      expect(response.headers.get('x-content-type-options')).toBe('nosniff');
      expect(response.headers.get('referrer-policy')).toBe('no-referrer');
    },
  );

  test.each(['evil.example', 'evil.example:3001', '127.0.0.1.evil.example'])(
    'is not answered under the name %s',
    async (host) => {
      for (const path of ['/', '/api/auth.test', '/page/reset']) expect(await statusAs(host, path)).toBe(403);
    },
  );
});

test('the practice workspace listens on loopback alone; the control listens everywhere', async () => {
  const control = await startHttpServer({
    host: '0.0.0.0',
    port: 0,
    health: { metrics: createMetrics(), isReady: async () => true },
  });
  const there = (port: number | string) => fetch(`http://${elsewhere()}:${port}/health/live`);
  expect((await there(control.port)).status).toBe(200);
  await expect(there(new URL(workspace.url).port)).rejects.toThrow();
  await control.close();
});
