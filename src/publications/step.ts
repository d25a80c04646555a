import { addMs } from '../engine/shared-clock.ts';
import type { SubmissionRow } from '../submissions/sql/submissions.ts';
import { checkPublication, type Finding, type ReadSlot, type ScheduledPost } from './check-publication.ts';
import type { PublicationContext } from './publication-context.ts';
import type { PublicationRow } from './sql/publications.ts';

/** Checks a post once. Transitions its row, or schedules the next check. */
export async function runStep(
  context: PublicationContext,
  row: PublicationRow,
  submission: SubmissionRow | undefined,
  readSlot: ReadSlot,
): Promise<void> {
  const { delivery, pace } = context;
  const post = submission && toScheduledPost(submission);
  if (!post) return void (await delivery.transition(row, 'dropped'));
  const finding = await findOut(context, post, readSlot);
  const options = { notifyAfterMs: computeGroupDelayMs(context) };
  if (finding === 'published' || finding === 'failed')
    return void (await delivery.transition(row, finding, {}, options));
  const wasLate = row.state === 'late' || row.reason === 'late';
  const clockTime = context.clock();
  const giveUpAt = addMs(row.retrying_since ?? clockTime, pace.giveUpMs);
  if (clockTime >= giveUpAt)
    return void (await delivery.transition(row, wasLate ? 'dropped' : 'unclear', {}, options));
  const waitMs = pace.checkWaitsMs[Math.min(row.checks, pace.checkWaitsMs.length - 1)] ?? 0;
  const change = {
    checks: row.checks + 1,
    next_at: new Date(Math.min(clockTime.getTime() + waitMs, giveUpAt.getTime())),
  };
  if (finding === 'scheduled' && !wasLate && isLate(context, row, post))
    await delivery.transition(row, 'late', change, options);
  else await delivery.transition(row, 'checking', { ...change, reason: wasLate ? 'late' : null });
}

function toScheduledPost(submission: SubmissionRow): ScheduledPost | undefined {
  const { project, publish_at } = submission;
  return project === null || publish_at === null ? undefined : { ...submission, project, publish_at };
}

async function findOut(
  { findApiClient, submissions }: PublicationContext,
  post: ScheduledPost,
  readSlot: ReadSlot,
): Promise<Finding> {
  const api = await findApiClient(post.workspace, post.project);
  // The workspace may have connected another service, which doesn't know the post.
  const endpoint = api && (await submissions.context.computeEndpointKey(api.address));
  if (!api || (post.endpoint !== '' && post.endpoint !== endpoint)) return 'unclear';
  return checkPublication(submissions, api, post, readSlot);
}

/**
 * Whether a post that is still scheduled is late. Not at the first check, because right after a change of the practice
 * clock the service may not know the new time yet.
 */
function isLate(
  { now, pace }: PublicationContext,
  { checks }: PublicationRow,
  { publish_at }: ScheduledPost,
) {
  return checks > 0 && now().getTime() - publish_at.getTime() >= pace.lateMs;
}

/** Delays a notification until the end of the current period, so that outcomes in the period share a message. */
function computeGroupDelayMs({ clock, pace }: PublicationContext): number {
  return pace.groupMs - (clock().getTime() % pace.groupMs);
}
