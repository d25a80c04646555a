import type { IncomingMessage, ServerResponse } from 'node:http';
import { describe, expect, test } from 'vitest';
import { getWithHost, startTestServer } from './running-server.ts';

describe('a hostile page whose host name resolves to this server (DNS rebinding)', () => {
  test.each([
    ['evil.example', 421],
    ['evil.example:3000', 421],
    ['127.0.0.1.evil.example', 421],
    ['localhost.evil.example', 421],
    ['ana@127.0.0.1', 421],
    ['127.0.0.1', 200],
    ['10.1.2.3:9090', 200],
    ['[::1]:3000', 200],
    ['localhost:3000', 200],
    ['upnext', 200],
    ['upnext.default.svc.cluster.local', 421],
    ['upnext.local', 421],
    ['upnext.internal', 200],
    ['upnext.example.com', 200],
  ])(
    'a hostile page can’t read the health checks: a request for the host %s gets status %d',
    async (host, status) => {
      const { port } = await startTestServer({ publicUrl: 'https://upnext.example.com/below' });
      expect((await getWithHost(port, host)).status).toBe(status);
    },
  );

  test.each([
    ['upnext.default.svc.cluster.local', 200],
    ['printer.local', 200],
    ['other.local', 421],
    ['svc.cluster.local', 421],
    ['svc.cluster.local.evil.example', 421],
  ])(
    'a name under .local, which any machine can claim, is served only if the settings allow it: %s gets status %d',
    async (host, status) => {
      const { port } = await startTestServer({ allowedHosts: ['*.svc.cluster.local', 'printer.local'] });
      expect((await getWithHost(port, host)).status).toBe(status);
    },
  );

  test('a hostile page can’t read the app’s own pages if the public name of the app is known', async () => {
    const handleSlackRequest = (_request: IncomingMessage, response: ServerResponse) => void response.end();
    const serverWithPublicName = await startTestServer({
      handleSlackRequest,
      publicUrl: 'https://upnext.example.com',
    });
    expect((await getWithHost(serverWithPublicName.port, 'evil.example', '/slack/install')).status).toBe(421);
    expect(
      (await getWithHost(serverWithPublicName.port, 'upnext.example.com', '/slack/install')).status,
    ).toBe(200);
    // With one workspace over HTTP the public name is unknown, and Slack’s requests are signed.
    const serverWithoutPublicName = await startTestServer({ handleSlackRequest });
    expect(
      (await getWithHost(serverWithoutPublicName.port, 'upnext.example.com', '/slack/events')).status,
    ).toBe(200);
  });
});

test.each(['/health/live', '/health/ready', '/metrics', '/nothing-here'])(
  'the page %s runs no script, and can be neither framed nor cached',
  async (path) => {
    const { port } = await startTestServer();
    const { headers } = await getWithHost(port, 'localhost', path);
    expect(headers).toMatchObject({
      'content-security-policy': expect.stringMatching(/default-src 'none'.*frame-ancestors 'none'/),
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-store',
    });
  },
);

test('responses to Slack have the same headers, and HSTS if the public address is https', async () => {
  const handleSlackRequest = (_request: IncomingMessage, response: ServerResponse) => void response.end();
  const { port } = await startTestServer({ handleSlackRequest, publicUrl: 'https://upnext.example.com' });
  expect((await getWithHost(port, 'upnext.example.com', '/slack/events', 'POST')).headers).toMatchObject({
    'content-security-policy': expect.stringContaining("frame-ancestors 'none'"),
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'strict-transport-security': 'max-age=31536000',
  });
  const serverWithoutPublicUrl = await startTestServer({ handleSlackRequest });
  const { headers } = await getWithHost(serverWithoutPublicUrl.port, 'localhost', '/slack/events', 'POST');
  expect(headers).not.toHaveProperty('strict-transport-security');
});

test('a page refuses methods other than GET and HEAD', async () => {
  const { port } = await startTestServer();
  expect(await getWithHost(port, 'localhost', '/metrics', 'POST')).toMatchObject({
    status: 405,
    headers: { allow: 'GET, HEAD' },
  });
  expect((await getWithHost(port, 'localhost', '/metrics', 'HEAD')).status).toBe(200);
});
