import type { WebClient } from '@slack/web-api';
import { expect, test } from 'vitest';
import { createOwnerLookup } from '../../src/access/role-holders.ts';

/** Creates a client whose `users.list` returns the pages that the test sends, one for each call. */
function createClient() {
  const calls: PromiseWithResolvers<object>[] = [];
  const list = () => {
    const call = Promise.withResolvers<object>();
    calls.push(call);
    return call.promise;
  };
  const sendPage = async (owners: readonly string[], nextCursor = '') => {
    await expect.poll(() => calls.length).toBeGreaterThan(0);
    calls.shift()?.resolve({
      members: [{ id: 'U0MEMBER' }, ...owners.map((id) => ({ id, is_owner: true }))],
      response_metadata: { next_cursor: nextCursor },
    });
  };
  const fail = async () => {
    await expect.poll(() => calls.length).toBeGreaterThan(0);
    calls.shift()?.reject(new Error('no answer'));
  };
  return { client: { users: { list } } as unknown as WebClient, sendPage, fail };
}

function createOwners(maxWaitMs: number) {
  const errors: unknown[] = [];
  return {
    owners: createOwnerLookup({ clock: () => 0, onError: (error) => errors.push(error), maxWaitMs }),
    errors,
  };
}

test('the owners of a small workspace are read at once', async () => {
  const { client, sendPage } = createClient();
  const { owners } = createOwners(10_000);
  const list = owners(client, 'T1');
  await sendPage(['U1', 'U2']);
  expect(await list).toEqual(['U1', 'U2']);
});

test('nobody waits for a long list, and the owners are found when it has been read', async () => {
  const { client, sendPage } = createClient();
  const { owners } = createOwners(1);
  expect(await owners(client, 'T1')).toBeUndefined();
  await sendPage([], 'next');
  expect(await owners(client, 'T1')).toBeUndefined();
  await sendPage(['U1']);
  await expect.poll(() => owners(client, 'T1')).toEqual(['U1']);
});

test('after a failed reading, the earlier list is used', async () => {
  const { client, sendPage, fail } = createClient();
  const { owners, errors } = createOwners(10_000);
  const first = owners(client, 'T1');
  await sendPage(['U1']);
  await first;
  const second = owners(client, 'T1');
  await fail();
  expect(await second).toEqual(['U1']);
  const ofAnother = owners(client, 'T2');
  await fail();
  expect(await ofAnother).toBeUndefined();
  expect(errors).toHaveLength(2);
});
