import { randomUUID } from 'node:crypto';
import { addMs } from '../engine/clock.ts';
import { buildEntryColumns } from '../engine/lifecycle.ts';
import { type ProjectPolicy, requiresReview } from '../preferences/project-policy.ts';
import { type HeldPostRow, LIFECYCLE } from './held-post.ts';
import {
  computeNextAt,
  computeReviewDelayMs,
  createContentColumns,
  findStateOfContent,
  type HeldPostContext,
} from './held-post-context.ts';
import { addEvent, addReviewRequest, addVersionContent } from './sql/events.ts';
import { insertHeldPost, type NewHeldPost } from './sql/held-posts.ts';
import { findPostAtOnce, storePostAtOnce } from './sql/posts-at-once.ts';

/** What stores a post, besides its content. */
export interface ReceivedPost {
  workspace: string;
  author: string;
  /** The project's id in the service. */
  project: string;
  /** The id of the form, so that a form that is sent twice is stored once. */
  origin: string;
  /** The channel that the form was opened from. */
  channel?: string | undefined;
  policy: ProjectPolicy;
  /** Set if the post is a row of an import. */
  imported?: object;
}

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
    ? await storePostAtOnce(trx, {
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

/** Creates the row of a new post, which isn't stored yet. */
export async function prepareHeldPost(
  context: HeldPostContext,
  received: ReceivedPost & { series?: string },
  content: unknown,
  item: number,
): Promise<NewHeldPost> {
  const { workspace, author, project, origin, channel = null, policy, imported } = received;
  const now = context.clock.readShared();
  const contentColumns = await createContentColumns(context, workspace, content, policy);
  const in_review = requiresReview(policy);
  const state = findStateOfContent(context, content, in_review);
  const { series = null } = received;
  const reviewDelayMs = computeReviewDelayMs(context, { ...contentColumns, in_review });
  return {
    ...buildEntryColumns(LIFECYCLE, state, now),
    ...{ id: randomUUID(), workspace, author, project, channel, origin, item, series, in_review },
    ...{ ...contentColumns, version: 1, created_at: now },
    endpoint: workspace,
    maybe_sent: false,
    next_at: computeNextAt(context, state, contentColumns),
    ...(series !== null && { notify_at: addMs(now, reviewDelayMs) }),
    // Nobody but reviewers is told of a post that its author imports.
    ...(imported !== undefined && state !== 'awaiting-review' && { notify_at: null }),
  };
}
