import { expect, test } from 'vitest';
import type { ApiClient } from '../../src/api/client.ts';
import { createUnavailableClient } from '../../src/api/unavailable-client.ts';
import { createDigestCache, createDigestReads } from '../../src/digests/digest-reads.ts';

test('a read that fails rejects, and is repeated soon after', async () => {
  let now = 0;
  let asked = 0;
  const api = createUnavailableClient('not-connected', async () => {
    asked += 1;
    if (asked === 1) throw new Error('the database does not answer');
    return ['U1'];
  });
  const reads = createDigestReads(api, createDigestCache({ now: () => now }));
  await expect(reads.projects()).rejects.toThrow('the database does not answer');
  now += 6_000;
  expect(await reads.projects()).toMatchObject({ kind: 'not-applied', contactIds: ['U1'] });
});

test('posts are incomplete if a page was truncated', async () => {
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
  expect(await reads.drafts('p1')).toMatchObject({ kind: 'done', data: { complete: false } });
});
