import { expect, test } from 'vitest';
import { type ApiClient, createUnavailableClient } from '../../src/api/client.ts';
import { createDigestCache, createDigestReads } from '../../src/digests/digest-context.ts';

test('a read that failed is repeated a few seconds later', async () => {
  let now = 0;
  let lookupCount = 0;
  const api = createUnavailableClient('not-connected', async () => {
    lookupCount += 1;
    if (lookupCount === 1) throw new Error('the database does not answer');
    return ['U1'];
  });
  const reads = createDigestReads(api, createDigestCache({ now: () => now }));
  await expect(reads.listProjects()).rejects.toThrow('the database does not answer');
  now += 6_000;
  expect(await reads.listProjects()).toMatchObject({ kind: 'not-applied', contactIds: ['U1'] });
});

test('a list of posts is incomplete if a page was truncated', async () => {
  const api: ApiClient = {
    address: '',
    credential: {},
    call: async () => ({
      kind: 'done',
      data: [{ Id: 'a', Content: 'Hi' }],
      isTruncated: true,
      requestId: 'r',
    }),
    close: async () => undefined,
  };
  const reads = createDigestReads(api, createDigestCache({ now: () => 0 }));
  const query = { project: 'p1', from: new Date(0), to: new Date(1) };
  expect(await reads.listPosts(query)).toMatchObject({ kind: 'done', data: { isComplete: false } });
});
