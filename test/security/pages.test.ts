import { networkInterfaces } from 'node:os';
import type { Workspace } from 'slack-workspace-emulator';
import { startTestWorkspace } from 'slack-workspace-emulator/test-support/workspace';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startHttpServer } from '../../src/observability/http-server.ts';
import { createMetrics } from '../../src/observability/metrics.ts';

let workspace: Workspace;
beforeAll(async () => {
  ({ workspace } = await startTestWorkspace());
});
afterAll(() => workspace.close());

/** Finds an address of this machine other than 127.0.0.1. A server that listens on all addresses is reachable there. */
function findOtherAddress(): string {
  const addresses = Object.values(networkInterfaces()).flatMap((foundAddress) => foundAddress ?? []);
  return addresses.find(({ family, internal }) => family === 'IPv4' && !internal)?.address ?? '127.0.0.2';
}

// The package’s own tests are about the main page and other host names.
describe('every page of the practice workspace', () => {
  test('the installation page runs no foreign code and can’t be framed', async () => {
    const path = `${new URL(workspace.authorizeUrl).pathname}?client_id=${workspace.clientId}&scope=chat:write&state=s`;
    const response = await fetch(new URL(path, workspace.url));
    const policy = response.headers.get('content-security-policy') ?? '';
    for (const rule of ["default-src 'none'", "frame-ancestors 'none'", "base-uri 'none'"]) {
      expect(policy).toContain(rule);
    }
    // Pictures of an app may come from any port of this computer.
    expect(policy).not.toMatch(/unsafe-inline|unsafe-eval|(?<!:)\*/);
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    // The sending page learns only its own address.
    expect(response.headers.get('referrer-policy')).toMatch(/^(no-referrer|same-origin)$/);
  });

  test.each(['/nothing-here', '/page/nothing.js', '/api/nothing', '/files-pri/nothing'])(
    '%s has headers against content sniffing and referrers',
    async (path) => {
      const response = await fetch(new URL(path, workspace.url));
      expect(response.headers.get('x-content-type-options')).toBe('nosniff');
      expect(response.headers.get('referrer-policy')).toBe('no-referrer');
    },
  );
});

test('the practice workspace listens only on the loopback address, unlike a control server', async () => {
  const control = await startHttpServer({
    host: '0.0.0.0',
    port: 0,
    health: { metrics: createMetrics({}), isReady: async () => true },
  });
  const fetchHealth = (port: number | string) => fetch(`http://${findOtherAddress()}:${port}/health/live`);
  expect((await fetchHealth(control.port)).status).toBe(200);
  await expect(fetchHealth(new URL(workspace.url).port)).rejects.toThrow();
  await control.close();
});
