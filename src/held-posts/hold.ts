import { randomUUID } from 'node:crypto';
import { addMs } from '../engine/clock.ts';
import { computeHandOverAt, holdsPosts, type ProjectPolicy } from '../preferences/project-policy.ts';
import { replaceSubmission } from '../submissions/deliveries.ts';
import { findOwnSubmission } from '../submissions/sql/submissions.ts';
import { editHeldPost } from './change.ts';
import { computeNextAt } from './due-times.ts';
import type { HeldPostRow, State } from './held-post.ts';
import { createContentColumns, type HeldPostContext } from './held-post-context.ts';
import { findEndpoint } from './service-binding.ts';
import { addEvent } from './sql/events.ts';
import { findEqualHeldPost, insertHeldPost, listFormHeldPosts, type NewHeldPost } from './sql/held-posts.ts';

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
  return computeHandOverAt(policy, publishAt, now()) > now();
}

/** Stores the posts of a form, all or none, in the order of their contents. */
export async function holdPosts(context: HeldPostContext, received: ReceivedPosts): Promise<HeldPost[]> {
  const newPosts = await Promise.all(
    received.contents.map((content, item) => createPost(context, received, content, item)),
  );
  const since = addMs(context.clock(), -context.pace.samePostMs);
  const equalRows = await Promise.all(newPosts.map((post) => findEqualHeldPost(context.db, post, since)));
  const heldPosts = await context.db.transaction().execute(async (trx) => {
    await replaceEditedSubmission(context, trx, received);
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
  if (heldPosts.some(({ row }) => row.endpoint === '')) context.binding.nextAt = context.clock();
  for (const { row } of heldPosts) if (row.next_at) context.verbs.wake(row.next_at);
  return Promise.all(
    heldPosts.map((post, item) => applyCorrection(context, post, newPosts[item], received.contents[item])),
  );
}

/** The submission that the form edits has reached the service meanwhile, or may have. */
export class SentMeanwhile extends Error {
  override name = 'SentMeanwhile';
}

/** Discards the submission that the form edits, so that only the held post is sent. */
async function replaceEditedSubmission(
  { clock }: HeldPostContext,
  trx: HeldPostContext['db'],
  { workspace, author, origin }: ReceivedPosts,
): Promise<void> {
  const edited = await findOwnSubmission(trx, { id: origin, workspace, author });
  if (edited && !(await replaceSubmission(trx, edited, clock()))) throw new SentMeanwhile();
}

/** The author may have corrected the text after an answer that was lost. The form's second content counts. */
async function applyCorrection(
  context: HeldPostContext,
  post: HeldPost,
  sent: NewHeldPost | undefined,
  content: unknown,
): Promise<HeldPost> {
  const { row } = post;
  if (!sent || post.isEqual || row.content_hash === sent.content_hash) return post;
  const press = { id: row.id, workspace: row.workspace, actor: sent.author, version: row.version };
  const result = await editHeldPost(context, press, content);
  return result.kind === 'changed' ? { ...post, row: result.row } : post;
}

async function findSameItem(db: HeldPostContext['db'], post: NewHeldPost): Promise<HeldPostRow> {
  const rows = await listFormHeldPosts(db, post);
  const row = rows.find(({ item }) => item === post.item);
  if (!row) throw new Error('insert of a held post conflicted, but no row has its key');
  return row;
}

async function createPost(
  context: HeldPostContext,
  { workspace, author, project, origin, channel, policy }: ReceivedPosts,
  content: unknown,
  item: number,
): Promise<NewHeldPost> {
  const { kind, clock } = context;
  const columns = await createContentColumns(context, workspace, content, policy);
  const inReview = policy.review === 'required';
  const state: State =
    kind.holding.isDraft(content) || columns.publish_at === null
      ? 'draft'
      : inReview
        ? 'awaiting-review'
        : 'held';
  const endpoint = await findEndpoint(context, { workspace, project }).catch(() => undefined);
  return {
    id: randomUUID(),
    workspace,
    author,
    project,
    channel: channel ?? null,
    origin,
    item,
    state,
    // `bindToService` stores it later.
    endpoint: endpoint ?? '',
    in_review: inReview,
    ...columns,
    createdAt: clock(),
    nextAt: computeNextAt(context, state, columns),
  };
}
