import { requestNotification } from '../../engine/sql/notifications.ts';
import { findPolicy, type ProjectPolicy, reviewsSeriesOnce } from '../../preferences/project-policy.ts';
import { throwIfEveryRaceLost } from '../change.ts';
import { DECISIONS } from '../event-kinds.ts';
import type { HeldPostRow } from '../held-post.ts';
import { describeWithoutTime, type HeldPostContext, readHeldContent } from '../held-post-context.ts';
import type { SeriesKey } from '../series/change-series.ts';
import { listOccurrences } from '../series/occurrences.ts';
import type { HeldPostEventRow } from '../sql/events.ts';
import { listHeldPostMessages } from '../sql/messages.ts';
import { approvePost } from './decide.ts';

/**
 * The posts of a series that are reviewed once, if the policy of their project says so: an approval of a post counts for
 * the others whose request to the service differs only in its time. So another text, picture or platform needs another
 * approval. Each post gets the approval as an event of its own, which its hand-over checks like any other.
 *
 * Reviewers are asked about the first post only. If it leaves its review without an approval, they are asked about the
 * next. A post that they returned needs an approval of its own, unless it is edited, because the reason may have been its
 * time.
 */
export async function reviewSeriesOnce(
  context: HeldPostContext,
  series: SeriesKey,
  policy: ProjectPolicy,
): Promise<void> {
  if (!reviewsSeriesOnce(policy)) return;
  const { approvals, returnedIds } = await listSeriesApprovals(context, series);
  const waiting = await listInReview(context, series, returnedIds);
  const asked = new Set<string>();
  for (const { row, request } of waiting) {
    const own = approvals.filter(({ post }) => post.id === row.id);
    const isMissing = ({ event }: Approval) =>
      !own.some((each) => each.event.actor === event.actor && each.event.step === event.step);
    const others = approvals.filter((each) => each.request === request && isMissing(each));
    // Each post has a copy of the same approval.
    const distinct = new Map(others.map((each) => [`${each.event.step} ${each.event.actor}`, each]));
    const isApproved = await approve(context, row, [...distinct.values()]);
    if (isApproved || asked.has(request)) continue;
    asked.add(request);
    await askLater(context, row);
  }
}

/** Whether the reviewers of a post are asked about an earlier one of its series, for which the approval counts. */
export async function isReviewedWithAnother(context: HeldPostContext, row: HeldPostRow): Promise<boolean> {
  if (row.series === null || row.state !== 'awaiting-review') return false;
  if (!reviewsSeriesOnce(await findPolicy(context.db, row))) return false;
  const series = { id: row.series, workspace: row.workspace };
  const { returnedIds } = await listSeriesApprovals(context, series);
  if (returnedIds.has(row.id)) return false;
  const waiting = await listInReview(context, series, returnedIds);
  const request = describeRequest(context, row);
  return waiting.find((each) => each.request === request)?.row.id !== row.id;
}

/** Lists the other posts for which an approval of a post counts at present, the first one first. */
export async function listReachedPosts(
  context: HeldPostContext,
  row: HeldPostRow,
  policy: ProjectPolicy,
): Promise<HeldPostRow[]> {
  if (row.series === null || !reviewsSeriesOnce(policy)) return [];
  const series = { id: row.series, workspace: row.workspace };
  const { returnedIds } = await listSeriesApprovals(context, series);
  const waiting = await listInReview(context, series, returnedIds);
  const request = describeRequest(context, row);
  return waiting.flatMap((each) => (each.row.id !== row.id && each.request === request ? [each.row] : []));
}

/** Lists the other posts to come that are in review, the first one first, each with its request apart from the time. */
async function listInReview(context: HeldPostContext, series: SeriesKey, returnedIds: ReadonlySet<string>) {
  const rows = await listOccurrences(context.db, series, { now: context.clock.now() });
  const waiting = rows
    .filter(
      ({ id, state, content }) => state === 'awaiting-review' && content !== null && !returnedIds.has(id),
    )
    .toSorted((one, other) => Number(one.publish_at) - Number(other.publish_at));
  return waiting.map((row) => ({ row, request: describeRequest(context, row) ?? row.id }));
}

/** Describes the request for a post without its time. Undefined if its content is unreadable. */
function describeRequest(
  context: HeldPostContext,
  row: Pick<HeldPostRow, 'id' | 'content' | 'workspace'>,
): string | undefined {
  const held = readHeldContent(context, row);
  return held && describeWithoutTime(context, held.content);
}

interface Approval {
  post: HeldPostRow;
  event: Pick<HeldPostEventRow, 'actor' | 'step'>;
  request: string | undefined;
}

/**
 * Lists the approvals of the current versions of the posts of a series, oldest first, and the ids of the posts whose
 * current version a reviewer has returned. The approvals of those count for others only once they are approved after all.
 */
async function listSeriesApprovals(
  context: HeldPostContext,
  { id, workspace }: SeriesKey,
): Promise<{ approvals: Approval[]; returnedIds: ReadonlySet<string> }> {
  const rows = await context.db
    .selectFrom('held_post_event')
    .innerJoin('held_post', (join) =>
      join
        .onRef('held_post.id', '=', 'held_post_event.held_post')
        .onRef('held_post.version', '=', 'held_post_event.version')
        .onRef('held_post.content_hash', '=', 'held_post_event.content_hash'),
    )
    .selectAll('held_post')
    .select(['held_post_event.kind', 'held_post_event.actor', 'held_post_event.step'])
    .where('held_post.workspace', '=', workspace)
    .where('held_post.origin', '=', id)
    .where('held_post.content', 'is not', null)
    .where('held_post_event.kind', 'in', DECISIONS)
    .orderBy('held_post_event.position')
    .execute();
  const lastKinds = new Map(rows.map((row) => [row.id, row.kind]));
  const approved = rows.filter((row) => row.kind === 'approved' && lastKinds.get(row.id) === 'approved');
  return {
    returnedIds: new Set(rows.filter(({ kind }) => kind !== 'approved').map((row) => row.id)),
    approvals: approved.map(({ kind: _, actor, step, ...post }) => ({
      ...{ post, event: { actor, step } },
      request: describeRequest(context, post),
    })),
  };
}

/** Approves a post for those who approved another of its series and still may. Resolves with whether that is enough. */
async function approve(context: HeldPostContext, row: HeldPostRow, approvals: readonly Approval[]) {
  const { id, workspace, version, content_hash: hash } = row;
  for (const { actor, step } of approvals.map(({ event }) => event)) {
    if (step === null) continue;
    const press = { id, workspace, version, hash, actor, bySeries: true };
    const result = await approvePost(context, press, { step });
    throwIfEveryRaceLost(result);
    if (result.kind === 'changed' && result.row.state === 'held') return true;
  }
  return false;
}

/** Asks the reviewers of a post who weren't asked because of an earlier one, when it is time. */
async function askLater(context: HeldPostContext, row: HeldPostRow): Promise<void> {
  const { clock, db, pace } = context;
  const isDue = row.hand_over_at && row.hand_over_at.getTime() - clock.now().getTime() <= pace.seriesReviewMs;
  if (!isDue || row.notify_at !== null) return;
  const messages = await listHeldPostMessages(db, row);
  if (messages.some(({ purpose }) => purpose === 'review')) return;
  await requestNotification(db, 'held_post', { ...row, notifyAt: clock.readShared() });
  context.verbs.wake();
}
