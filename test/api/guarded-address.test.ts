import { setImmediate } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createApiClient } from '../../src/api/client.ts';
import { listProjects } from '../../src/api/projects.ts';
import { createPrompt } from '../../src/features/prompts/prompts.ts';
import { type ScriptedService, startScriptedService } from '../support/scripted-service.ts';
import { createScriptedLookup, HOST, startTlsFront } from '../support/tls-front.ts';

let service: ScriptedService;
let tlsProxy: Awaited<ReturnType<typeof startTlsFront>>;

beforeAll(async () => {
  service = await startScriptedService();
  tlsProxy = await startTlsFront(service.url);
});
afterAll(async () => {
  await tlsProxy.close();
  await service.stop();
});

/** Creates a client that calls the service by name. The name resolves to each of `resolutions` in turn. */
function createGuardedClient(
  resolutions: (readonly string[])[],
  {
    allowPrivate = true,
    baseUrl = tlsProxy.url,
    ca = tlsProxy.ca,
  }: { allowPrivate?: boolean; baseUrl?: string; ca?: string } = {},
) {
  const { lookup, lookedUpNames } = createScriptedLookup(...resolutions);
  const client = createApiClient({ baseUrl, token: 'a-token', guard: { allowPrivate, lookup, ca } });
  return { client, lookedUpNames };
}

const LOOPBACK = ['127.0.0.1'];

describe('a service whose address was entered in Slack', () => {
  test('the service is called at the address that its name resolves to', async () => {
    const { client, lookedUpNames } = createGuardedClient([LOOPBACK]);
    expect(await listProjects(client)).toMatchObject({ kind: 'done' });
    expect(lookedUpNames).toEqual([HOST]);
    await client.close();
  });

  test('reads share a connection, and each new connection resolves the name again', async () => {
    const { client, lookedUpNames } = createGuardedClient([LOOPBACK]);
    const connectionCountBefore = tlsProxy.countConnections();
    for (let read = 0; read < 3; read += 1) {
      expect(await listProjects(client)).toMatchObject({ kind: 'done' });
      // undici frees a connection one turn of the event loop after the last byte of the response.
      await setImmediate();
    }
    expect(tlsProxy.countConnections() - connectionCountBefore).toBe(1);
    expect(lookedUpNames).toHaveLength(1);
    await createPrompt(client, { projectId: 'p1', title: 't', promptText: 'x' });
    expect(tlsProxy.countConnections() - connectionCountBefore).toBe(2);
    expect(lookedUpNames).toHaveLength(2);
    await client.close();
  });

  test.each([
    ['in a private network', ['10.0.0.8']],
    ['to this machine', ['127.0.0.1']],
    ['to a cloud’s metadata address', ['169.254.169.254']],
    ['to this machine as an IPv4 address within IPv6', ['::ffff:127.0.0.1']],
    ['to a public and a private address', ['93.184.216.34', '10.0.0.8']],
    ['to no address', []],
  ])('the service is not called if its name resolves %s', async (_, addresses) => {
    const callCountBefore = service.calls.length;
    const { client } = createGuardedClient([addresses], { allowPrivate: false });
    expect(await listProjects(client)).toMatchObject({ kind: 'not-applied', cause: 'address-not-allowed' });
    expect(service.calls).toHaveLength(callCountBefore);
    await client.close();
  });

  test('no new connection is opened if the name of the service later resolves to a forbidden address', async () => {
    const { client, lookedUpNames } = createGuardedClient([LOOPBACK, ['169.254.169.254']]);
    expect(await listProjects(client)).toMatchObject({ kind: 'done' });
    const prompt = { projectId: 'p1', title: 't', promptText: 'x' };
    const forbidden = { kind: 'not-applied', cause: 'address-not-allowed' };
    expect(await createPrompt(client, prompt)).toMatchObject(forbidden);
    // Two reads at once need a second connection.
    const reads = await Promise.all([listProjects(client), listProjects(client)]);
    expect(reads).toContainEqual(expect.objectContaining(forbidden));
    tlsProxy.closeConnections();
    await expect.poll(() => listProjects(client)).toMatchObject(forbidden);
    expect(lookedUpNames.length).toBeGreaterThan(3);
    await client.close();
  });

  test.each([
    ['to a metadata address outside of private networks', ['168.63.129.16']],
    ['to a metadata address within IPv6', ['64:ff9b::a9fe:a9fe']],
    ['to this machine and to a metadata address', ['127.0.0.1', 'fd20:ce::254']],
  ])(
    'where private addresses are allowed, the service is not called if its name resolves %s',
    async (_, addresses) => {
      const callCountBefore = service.calls.length;
      const { client } = createGuardedClient([addresses]);
      expect(await listProjects(client)).toMatchObject({ kind: 'not-applied', cause: 'address-not-allowed' });
      expect(service.calls).toHaveLength(callCountBefore);
      await client.close();
    },
  );

  test.each(['https://127.0.0.1', 'https://[::1]', 'https://2130706433'])(
    'the service is not called at a private address given as a number: %s',
    async (address) => {
      const { client, lookedUpNames } = createGuardedClient([LOOPBACK], {
        allowPrivate: false,
        baseUrl: `${address}:${tlsProxy.port}`,
      });
      expect(await listProjects(client)).toMatchObject({ kind: 'not-applied', cause: 'address-not-allowed' });
      expect(lookedUpNames).toEqual([]);
      await client.close();
    },
  );

  test('a service with a certificate for another name is not called', async () => {
    const otherTlsFront = await startTlsFront(service.url, ['other.example.com']);
    const { client } = createGuardedClient([LOOPBACK], { baseUrl: otherTlsFront.url, ca: otherTlsFront.ca });
    expect(await listProjects(client)).toMatchObject({ kind: 'not-applied', cause: 'tls' });
    await client.close();
    await otherTlsFront.close();
  });

  test('the service can’t redirect calls', async () => {
    const { client, lookedUpNames } = createGuardedClient([LOOPBACK]);
    service.on('GET /projects', (_call, response) => {
      response.writeHead(302, { location: 'https://evil.example.com/' });
      response.end();
    });
    expect(await listProjects(client)).toMatchObject({ kind: 'unknown', status: 302 });
    expect(lookedUpNames).toEqual([HOST]);
    await client.close();
  });
});
