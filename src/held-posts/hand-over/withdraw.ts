import type { Change } from '../../engine/capability.ts';
import type { HeldState } from '../../posts/state-copy.ts';
import { discardSubmission } from '../../submissions/sql/submissions.ts';
import { isGivenUp, readSubmissionRemote, type SubmissionRow } from '../../submissions/submission.ts';
import { type HeldPostRow, listSentPlatforms } from '../held-post.ts';
import { ChangedMeanwhile, commitUnlessChanged, type HeldPostContext } from '../held-post-context.ts';
import { addEvent, addReviewRequest } from '../sql/events.ts';
import { listParts, listPlatforms } from './parts.ts';

/** Lists a submission that the service doesn't have, and the other parts of its post that it doesn't have either. */
export async function listAbsent(
  context: HeldPostContext,
  row: HeldPostRow,
  submission: SubmissionRow,
): Promise<[SubmissionRow, ...SubmissionRow[]]> {
  const parts = await listParts(context, row);
  const isAbsent = (part: SubmissionRow) => readSubmissionRemote(part) === 'absent';
  return [submission, ...parts.filter((part) => part.id !== submission.id && isAbsent(part))];
}

/**
 * Returns submissions that the service certainly doesn't have to their post, as a whole or in parts, and changes the post.
 * They can't be sent again. Resolves with the post, or with undefined, and changes nothing, if the post or a submission has
 * changed meanwhile.
 */
export async function returnToPost(
  context: HeldPostContext,
  row: HeldPostRow,
  submissions: readonly [SubmissionRow, ...SubmissionRow[]],
  to: HeldState,
  change: Change<HeldPostRow>,
): Promise<HeldPostRow | undefined> {
  const wasHandedOver = row.state === 'handed-over';
  const parts = await listParts(context, row);
  const columns = {
    maybe_sent: row.maybe_sent || submissions.some((each) => each.maybe_sent),
    ...buildSentTo(context, row, { parts, returned: submissions }),
    // Its messages say why this one wasn't sent.
    ...(wasHandedOver && row.sent_to !== null && { submission: submissions[0].id }),
    ...change,
  };
  const live = submissions.filter(({ state }) => state !== 'discarded');
  return commitUnlessChanged(context, async (trx) => {
    const now = context.clock.readShared();
    for (const submission of live)
      if (!(await discardSubmission(trx, submission, now, 'returned'))) throw new ChangedMeanwhile();
    const returned = await context.verbs.byPerson(trx, row, to, columns);
    if (!returned) throw new ChangedMeanwhile();
    const at = context.clock.now();
    if (live.length > 0) await addEvent(trx, returned, { kind: 'returned', actor: '', at });
    if (wasHandedOver && to === 'awaiting-review') await addReviewRequest(context, trx, returned);
    return returned;
  });
}

/**
 * The platforms whose part the service has, or may have. The content of an earlier part may be deleted, so its
 * platforms stay. No change for a post that was handed over as a whole.
 */
export function buildSentTo(
  context: HeldPostContext,
  row: HeldPostRow,
  { parts, returned = [] }: { parts: readonly SubmissionRow[]; returned?: readonly SubmissionRow[] },
): Partial<Pick<HeldPostRow, 'sent_to'>> {
  if (row.sent_to === null) return {};
  const unsent = listPlatforms(context, returned);
  const { live = [], gone = [] } = Object.groupBy(parts, (part) => (isGivenUp(part) ? 'gone' : 'live'));
  const givenUp = listPlatforms(context, gone);
  const earlier = listSentPlatforms(row).filter((platform) => !givenUp.includes(platform));
  const platforms = new Set([...earlier, ...listPlatforms(context, live)]);
  return { sent_to: [...platforms].filter((platform) => !unsent.includes(platform)).join() };
}
