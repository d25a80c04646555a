import { expect, test } from 'vitest';
import type { ApiClient } from '../../src/api/client.ts';
import { createUnavailableClient } from '../../src/api/no-client.ts';
import { createDigestMemory, createDigestReads } from '../../src/digests/digest-reads.ts';

test('a look-up that breaks is told to whoever asked, and is made again soon after', async () => {
  let now = 0;
  let asked = 0;
  const api = createUnavailableClient('not-connected', async () => {
    asked += 1;
    if (asked === 1) throw new Error('the database does not answer');
    return ['U1'];
  });
  const reads = createDigestReads(api, createDigestMemory({ now: () => now }));
  await expect(reads.projects()).rejects.toThrow('the database does not answer');
  now += 6_000;
  expect(await reads.projects()).toMatchObject({ kind: 'not-applied', ask: ['U1'] });
});

test('posts are not complete where a page was longer than could be read', async () => {
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
  const reads = createDigestReads(api, createDigestMemory({ now: () => 0 }));
  expect(await reads.drafts('p1')).toMatchObject({ kind: 'done', data: { complete: false } });
});
