import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createApiClient } from '../../src/api/client.ts';
import { listProjects } from '../../src/api/projects.ts';
import { createPrompt } from '../../src/api/prompts.ts';
import { type ScriptedService, startScriptedService } from '../support/scripted-service.ts';
import { createScriptedLookup, HOST, startTlsFront } from '../support/tls-front.ts';

let service: ScriptedService;
let front: Awaited<ReturnType<typeof startTlsFront>>;

beforeAll(async () => {
  service = await startScriptedService();
  front = await startTlsFront(service.url);
});
afterAll(async () => {
  await front.close();
  await service.stop();
});

/** A client that calls the service by name. The name resolves to each of `answers` in turn. */
function clientTo(
  answers: (readonly string[])[],
  {
    allowPrivate = true,
    baseUrl = front.url,
    ca = front.ca,
  }: { allowPrivate?: boolean; baseUrl?: string; ca?: string } = {},
) {
  const { lookup, asked } = createScriptedLookup(...answers);
  const client = createApiClient({ baseUrl, token: 'a-token', guard: { allowPrivate, lookup, ca } });
  return { client, asked };
}

const HERE = ['127.0.0.1'];

describe('a service whose address was entered in Slack', () => {
  test('is called at the address that its name resolves to', async () => {
    const { client, asked } = clientTo([HERE]);
    expect(await listProjects(client)).toMatchObject({ kind: 'done' });
    expect(asked).toEqual([HOST]);
    await client.close();
  });

  test('is resolved for every call, because reads don’t reuse connections either', async () => {
    const { client, asked } = clientTo([HERE]);
    await listProjects(client);
    await listProjects(client);
    await createPrompt(client, { projectId: 'p1', title: 't', promptText: 'x' });
    expect(asked).toHaveLength(3);
    await client.close();
  });

  test.each([
    ['into a private network', ['10.0.0.8']],
    ['to this machine', ['127.0.0.1']],
    ['to where clouds keep their secrets', ['169.254.169.254']],
    ['to this machine in IPv6 clothes', ['::ffff:127.0.0.1']],
    ['to a public and a private address', ['93.184.216.34', '10.0.0.8']],
    ['nowhere', []],
  ])('is not connected to when its name leads %s', async (_, addresses) => {
    const before = service.calls.length;
    const { client } = clientTo([addresses], { allowPrivate: false });
    expect(await listProjects(client)).toMatchObject({ kind: 'not-applied', cause: 'address-not-allowed' });
    expect(service.calls).toHaveLength(before);
    await client.close();
  });

  test('isn’t called if its name resolves to a forbidden address later', async () => {
    const { client, asked } = clientTo([HERE, ['169.254.169.254']]);
    expect(await listProjects(client)).toMatchObject({ kind: 'done' });
    expect(await listProjects(client)).toMatchObject({ kind: 'not-applied', cause: 'address-not-allowed' });
    expect(asked).toHaveLength(2);
    await client.close();
  });

  test.each(['https://127.0.0.1', 'https://[::1]', 'https://2130706433'])(
    'is not connected to by a number: %s',
    async (address) => {
      const { client, asked } = clientTo([HERE], {
        allowPrivate: false,
        baseUrl: `${address}:${front.port}`,
      });
      expect(await listProjects(client)).toMatchObject({ kind: 'not-applied', cause: 'address-not-allowed' });
      expect(asked).toEqual([]);
      await client.close();
    },
  );

  test('is not trusted with a certificate for another name', async () => {
    const other = await startTlsFront(service.url, ['other.example.com']);
    const { client } = clientTo([HERE], { baseUrl: other.url, ca: other.ca });
    expect(await listProjects(client)).toMatchObject({ kind: 'not-applied', cause: 'tls' });
    await client.close();
    await other.close();
  });

  test('can’t redirect calls', async () => {
    const { client, asked } = clientTo([HERE]);
    service.on('GET /projects', (_call, response) => {
      response.writeHead(302, { location: 'https://evil.example.com/' });
      response.end();
    });
    expect(await listProjects(client)).toMatchObject({ kind: 'unknown', status: 302 });
    expect(asked).toEqual([HOST]);
    await client.close();
  });
});
