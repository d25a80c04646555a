import { afterAll, expect, test } from 'vitest';
import type { ActionCall } from '../../../src/app/call.ts';
import { RESUME } from '../../../src/digests/action-ids.ts';
import { noticeHandlers } from '../../../src/features/digests/digest-buttons.ts';
import { openDigestDatabase, settings, startDigests } from '../../support/digest-machine.ts';

const database = await openDigestDatabase();
afterAll(() => database.close());

/** Presses [Resume] in a notification. `meanwhile` runs after the digest was read and the press was permitted. */
async function pressResume(meanwhile: (change: { id: string }) => Promise<unknown>) {
  const running = await startDigests(database.db, { from: '2026-12-01T06:00:00Z' });
  const digest = await running.digests.save(settings(), 'UANA');
  if (!digest) throw new Error('the digest was not saved');
  const { id } = digest;
  await running.digests.pause({ workspace: 'T1', id });
  const messages: string[] = [];
  const info = async () => {
    await meanwhile(digest);
    return { channel: { is_member: true, is_ext_shared: false } };
  };
  const call = {
    ...{ context: { db: database.db, digests: running.digests }, actor: { workspace: 'T1', user: 'UANA' } },
    ...{ action: { id: RESUME, value: id }, client: { conversations: { info } } },
    permit: async () => undefined,
    reply: async ({ text }: { text: string }) => void messages.push(text),
  } as unknown as ActionCall;
  await noticeHandlers[RESUME]?.(call);
  return { messages: messages.join(), state: (await running.digests.find({ workspace: 'T1', id }))?.state };
}

test('an unchanged digest is resumed', async () => {
  expect(await pressResume(async () => undefined)).toMatchObject({
    ...{ messages: expect.stringContaining('Resumed:'), state: 'on' },
  });
});

test.each([
  ['projects', { projects: JSON.stringify(['p2']) }],
  ['channel', { channel: 'C2' }],
])('a digest whose %s changes during the press stays paused', async (_what, change) => {
  const resumed = await pressResume(({ id }) =>
    database.db.updateTable('digest').set(change).where('id', '=', id).execute(),
  );
  expect(resumed).toEqual({
    messages: 'Not resumed: somebody changed or deleted this digest just now.',
    state: 'paused',
  });
});
