import { randomUUID } from 'node:crypto';
import { addMs } from '../delivery/shared-clock.ts';
import { holdsPosts, type ProjectPolicy } from '../preferences/project-policy.ts';
import { createContentColumns, type HeldPostContext, toSharedClock } from './held-post-context.ts';
import type { State } from './lifecycle.ts';
import { computeNextReviewAt } from './review/reminders.ts';
import { addEvent } from './sql/events.ts';
import {
  findEqualHeldPost,
  type HeldPostRow,
  insertHeldPost,
  listFormHeldPosts,
  type NewHeldPost,
} from './sql/held-posts.ts';

/** The posts of one form. */
interface ReceivedPosts {
  workspace: string;
  author: string;
  /** The project's id in the service. */
  project: string;
  /** The id of the form, so that a form that is sent twice is stored once. */
  origin: string;
  /** The channel that the form was opened from. */
  channel?: string | undefined;
  /** The content for each publishing time. */
  contents: readonly unknown[];
  policy: ProjectPolicy;
  /** Whether somebody who can't schedule sends the posts for review. */
  forReview?: boolean;
}

/** The stored row of a post. `isEqual`: the author stored the same post from another form a moment ago. */
export interface HeldPost {
  row: HeldPostRow;
  isEqual: boolean;
}

/**
 * Whether a post is held: its project holds posts and there is time to change it, or it is a draft of such a project, or
 * it has to be reviewed.
 */
export function shouldHold(
  { kind, now }: Pick<HeldPostContext, 'kind' | 'now'>,
  policy: ProjectPolicy,
  content: unknown,
): boolean {
  if (!holdsPosts(policy)) return false;
  const publishAt = kind.holding.getTime(content);
  if (kind.holding.isDraft(content) || publishAt === undefined || policy.review === 'required') return true;
  return addMs(publishAt, -(policy.leadMinutes ?? 0) * 60_000) > now();
}

/** Stores the posts of a form, all or none, in the order of their contents. */
export async function holdPosts(context: HeldPostContext, received: ReceivedPosts): Promise<HeldPost[]> {
  const newPosts = await Promise.all(
    received.contents.map((content, item) => createPost(context, received, content, item)),
  );
  const since = addMs(context.clock(), -context.pace.samePostMs);
  const equalRows = await Promise.all(newPosts.map((post) => findEqualHeldPost(context.db, post, since)));
  const heldPosts = await context.db.transaction().execute(async (trx) => {
    const saved: HeldPost[] = [];
    for (const [index, post] of newPosts.entries()) {
      const equalRow = equalRows[index];
      const insertedRow = equalRow ? undefined : await insertHeldPost(trx, post);
      if (insertedRow)
        await addEvent(trx, insertedRow, {
          kind: insertedRow.state === 'awaiting-review' ? 'sent-for-review' : 'created',
          actor: received.author,
          at: context.now(),
          content: insertedRow.content,
        });
      const row = equalRow ?? insertedRow ?? (await findSameItem(trx, post));
      saved.push({ row, isEqual: equalRow !== undefined });
    }
    return saved;
  });
  for (const { row } of heldPosts) if (row.next_at) context.delivery.poll.wake(row.next_at);
  return heldPosts;
}

async function findSameItem(db: HeldPostContext['db'], post: NewHeldPost): Promise<HeldPostRow> {
  const rows = await listFormHeldPosts(db, post);
  const row = rows.find(({ item }) => item === post.item);
  if (!row) throw new Error('insert of a held post conflicted, but no row has its key');
  return row;
}

async function createPost(
  context: HeldPostContext,
  { workspace, author, project, origin, channel, policy, forReview = false }: ReceivedPosts,
  content: unknown,
  item: number,
): Promise<NewHeldPost> {
  const { submissions, kind, clock } = context;
  const columns = await createContentColumns(context, workspace, content, policy.leadMinutes ?? 0);
  const inReview = policy.review === 'required' || forReview;
  const state: State =
    kind.holding.isDraft(content) || columns.publish_at === null
      ? 'draft'
      : inReview
        ? 'awaiting-review'
        : 'held';
  const address = await submissions.context.findAddress(workspace, project).catch(() => '');
  return {
    id: randomUUID(),
    workspace,
    author,
    project,
    channel: channel ?? null,
    origin,
    item,
    state,
    // Without an address, the service is compared only with the one that gets the post.
    endpoint: address === '' ? '' : await submissions.context.computeEndpointKey(address),
    in_review: inReview,
    ...columns,
    createdAt: clock(),
    nextAt: computeNextAt(context, state, columns),
  };
}

/** Computes when a post's next step is due, on the shared clock. Null if it waits for a person. */
export function computeNextAt(
  context: Pick<HeldPostContext, 'now' | 'clock' | 'pace'>,
  state: State,
  { hand_over_at: handOverAt }: Pick<HeldPostRow, 'hand_over_at'>,
): Date | null {
  if (handOverAt === null || (state !== 'held' && state !== 'awaiting-review')) return null;
  const dueAt =
    state === 'held' ? computeNextCheckAt(context, handOverAt) : computeNextReviewAt(context, handOverAt);
  return toSharedClock(context, dueAt > context.now() ? dueAt : context.now());
}

/** Computes the time of the next check whether somebody may still schedule the post, or of the hand-over. */
export function computeNextCheckAt(
  { now, pace }: Pick<HeldPostContext, 'now' | 'pace'>,
  handOverAt: Date,
): Date {
  const checkAt = addMs(now(), pace.authorityCheckMs);
  return checkAt < handOverAt ? checkAt : handOverAt;
}
