import { afterAll, expect, test } from 'vitest';
import type { ActionCall } from '../../../src/app/call.ts';
import { RESUME } from '../../../src/digests/action-ids.ts';
import { toldActions } from '../../../src/features/digests/presses.ts';
import { openDigestDatabase, settings, startDigests } from '../../support/digest-machine.ts';

const database = await openDigestDatabase();
afterAll(() => database.close());

/** Presses [Resume] of the notice; `meanwhile` happens after the digest was read and the press was allowed. */
async function pressResume(meanwhile: (change: { id: string }) => Promise<unknown>) {
  const running = await startDigests(database.db, { from: '2026-12-01T06:00:00Z' });
  const saved = await running.digests.save(settings(), 'UANA');
  if (!saved) throw new Error('the digest was not saved');
  const { id } = saved;
  await running.digests.pause({ workspace: 'T1', id });
  const said: string[] = [];
  const info = async () => {
    await meanwhile(saved);
    return { channel: { is_member: true, is_ext_shared: false } };
  };
  const call = {
    ...{ context: { db: database.db, digests: running.digests }, who: { workspace: 'T1', user: 'UANA' } },
    ...{ action: { id: RESUME, value: id }, client: { conversations: { info } } },
    permit: async () => undefined,
    reply: async ({ text }: { text: string }) => void said.push(text),
  } as unknown as ActionCall;
  await toldActions[RESUME]?.(call);
  return { said: said.join(), state: (await running.digests.find({ workspace: 'T1', id }))?.state };
}

test('a digest is resumed as the person was allowed to resume it', async () => {
  expect(await pressResume(async () => undefined)).toMatchObject({
    ...{ said: expect.stringContaining('Resumed:'), state: 'on' },
  });
});

test.each([
  ['projects', { projects: JSON.stringify(['p2']) }],
  ['channel', { channel: 'C2' }],
])('one whose %s somebody changes meanwhile stays paused', async (_what, change) => {
  const pressed = await pressResume(({ id }) =>
    database.db.updateTable('digest').set(change).where('id', '=', id).execute(),
  );
  expect(pressed).toEqual({
    said: 'Not resumed: somebody changed or deleted this digest just now.',
    state: 'paused',
  });
});
