import type { Selectable } from 'kysely';
import type { Queryable } from '../../store/database.ts';
import type { HeldPostTables } from '../held-post.ts';
import type { HeldPostKey } from './held-posts.ts';

export type HeldPostMessageRow = Selectable<HeldPostTables['held_post_message']>;

/** A message that was sent. See the table for what is optional. */
type SentHeldPostMessage = Omit<HeldPostMessageRow, 'recipient' | 'told' | 'shared_with'> &
  Partial<Pick<HeldPostMessageRow, 'recipient' | 'told' | 'shared_with'>>;

/** Records messages about held posts. Can be repeated. */
export async function saveHeldPostMessages(
  db: Queryable<HeldPostTables>,
  ...messages: readonly [SentHeldPostMessage, ...SentHeldPostMessage[]]
): Promise<void> {
  await db
    .insertInto('held_post_message')
    .values(
      messages.map(({ told = [], shared_with: sharedWith = null, ...message }) => ({
        ...message,
        told: JSON.stringify(told),
        shared_with: sharedWith && JSON.stringify(sharedWith),
      })),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Lists the messages that show a held post, oldest first. */
export function listHeldPostMessages(
  db: Queryable<HeldPostTables>,
  { id, workspace }: HeldPostKey,
): Promise<HeldPostMessageRow[]> {
  return db
    .selectFrom('held_post_message')
    .selectAll()
    .where(({ and }) => and({ held_post: id, workspace }))
    .orderBy('sent_at')
    .execute();
}

/** Forgets a message that was deleted in Slack. */
export async function deleteHeldPostMessage(
  db: Queryable<HeldPostTables>,
  message: Pick<HeldPostMessageRow, 'workspace' | 'held_post' | 'channel' | 'ts'>,
): Promise<void> {
  const { workspace, held_post: post, channel, ts } = message;
  await db
    .deleteFrom('held_post_message')
    .where(({ and }) => and({ workspace, held_post: post, channel, ts }))
    .execute();
}

/** Records that a nudge doesn't change any more. */
export async function settleNudge(
  db: Queryable<HeldPostTables>,
  { workspace, held_post: post, channel, ts }: HeldPostMessageRow,
): Promise<void> {
  await db
    .updateTable('held_post_message')
    .set({ purpose: 'reminder' })
    .where(({ and }) => and({ workspace, held_post: post, channel, ts }))
    .execute();
}
