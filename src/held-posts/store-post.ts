import type { HeldPostRow } from './held-post.ts';
import type { HeldPostContext } from './held-post-context.ts';
import { addEvent, addReviewRequest, addVersionContent } from './sql/events.ts';
import { insertHeldPost, type NewHeldPost } from './sql/held-posts.ts';
import { findPostAtOnce, holdPostAtOnce } from './sql/posts-at-once.ts';

/**
 * Stores a new post with the first event of its history. Undefined if its form, series or import has stored it already.
 * `delivery`: the discarded submission of the same post, which was sent at once. It keeps its id and its history, and is a new
 * version if its content is another one. `isRecalled`: Upnext asks for its review.
 */
export async function storeNewPost(
  context: Pick<HeldPostContext, 'clock'>,
  trx: HeldPostContext['db'],
  post: NewHeldPost,
  { delivery, isRecalled = false }: { delivery?: string | undefined; isRecalled?: boolean } = {},
): Promise<HeldPostRow | undefined> {
  const sent = delivery === undefined ? undefined : await findPostAtOnce(trx, delivery);
  const isSameVersion = sent !== undefined && (isRecalled || sent.content_hash === post.content_hash);
  const row = sent
    ? await holdPostAtOnce(trx, {
        ...post,
        id: sent.id,
        version: sent.version + (isSameVersion ? 0 : 1),
        // An earlier request may arrive late, so equal posts are counted before the next one.
        maybe_sent: sent.was_maybe_sent,
      })
    : await insertHeldPost(trx, post);
  if (!row) return undefined;
  const event = { actor: row.author, at: context.clock.now(), content: row.content };
  if (isSameVersion) await addVersionContent(trx, row);
  if (row.state === 'awaiting-review' && !isRecalled)
    await addEvent(trx, row, { ...event, kind: 'sent-for-review' });
  else if (!isSameVersion) await addEvent(trx, row, { ...event, kind: sent ? 'edited' : 'created' });
  if (isRecalled) await addReviewRequest(context, trx, row);
  return row;
}
