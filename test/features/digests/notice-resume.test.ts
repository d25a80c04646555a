import { afterAll, expect, test } from 'vitest';
import { RESUME } from '../../../src/digests/messages/notices.ts';
import { noticeHandlers } from '../../../src/features/digests/digest-buttons.ts';
import type { ActionCall } from '../../../src/handlers/call.ts';
import { openBotDatabase } from '../../support/bot-database.ts';
import { settings, startDigests } from '../../support/start-digests.ts';

const database = await openBotDatabase();
afterAll(() => database.close());

/** Presses [Resume] in a notification. Calls `changeMeanwhile` after the permission check. */
async function pressResume(changeMeanwhile: (digest: { id: string }) => Promise<unknown>) {
  const running = await startDigests(database.db, { from: '2026-12-01T06:00:00Z' });
  const digest = await running.digests.save(settings(), 'UANA');
  if (!digest) throw new Error('the digest was not saved');
  const { id } = digest;
  await running.digests.pause({ workspace: 'T1', id });
  const messages: string[] = [];
  const readChannel = async () => {
    await changeMeanwhile(digest);
    return { channel: { is_member: true, is_ext_shared: false } };
  };
  const call = {
    context: { db: database.db, digests: running.digests, record: { enqueue: () => undefined } },
    actor: { workspace: 'T1', user: 'UANA' },
    ...{ action: { id: RESUME, value: id }, client: { conversations: { info: readChannel } } },
    permit: async () => undefined,
    now: running.now,
    reply: async ({ text }: { text: string }) => void messages.push(text),
  } as unknown as ActionCall;
  await noticeHandlers[RESUME]?.run(call);
  return { messages: messages.join(), state: (await running.digests.find({ workspace: 'T1', id }))?.state };
}

test('a digest that nobody changed in the meantime is resumed', async () =>
  expect(await pressResume(async () => undefined)).toMatchObject({
    ...{ messages: expect.stringContaining('Resumed:'), state: 'on' },
  }));

test.each([
  ['projects', { projects: JSON.stringify(['p2']) }],
  ['channel', { channel: 'C2' }],
])('a digest stays paused if its %s changed while somebody resumed it', async (_field, change) => {
  const result = await pressResume(({ id }) =>
    database.db.updateTable('digest').set(change).where('id', '=', id).execute(),
  );
  expect(result).toEqual({
    messages: 'Not resumed. Somebody just changed or deleted this digest.',
    state: 'paused',
  });
});
