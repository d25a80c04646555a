import type { Change } from '../../engine/capability.ts';
import { buildEntryColumns } from '../../engine/lifecycle.ts';
import type { HeldState } from '../../posts/state-copy.ts';
import { findPolicy } from '../../preferences/project-policy.ts';
import { isDirectMessage } from '../../slack/audience.ts';
import { findRowsInMessage } from '../../submissions/shown.ts';
import { discardSubmission } from '../../submissions/sql/submissions.ts';
import { isGivenUp, readSubmissionRemote, type SubmissionRow } from '../../submissions/submission.ts';
import { type HeldPostRow, LIFECYCLE, listSentPlatforms } from '../held-post.ts';
import {
  ChangedMeanwhile,
  commitUnlessChanged,
  type HeldPostContext,
  readHeldContent,
} from '../held-post-context.ts';
import { addEvent, addReviewRequest } from '../sql/events.ts';
import { findHeldPost } from '../sql/held-posts.ts';
import { saveHeldPostMessages } from '../sql/messages.ts';
import { prepareHeldPost, storeNewPost } from '../store-post.ts';
import { listParts, listPlatforms, listSubmissions } from './parts.ts';

/**
 * Takes a post from its submissions, so that it can be changed as one that Upnext keeps: they certainly weren't sent, and
 * aren't sent any more. Resolves with the post as it is otherwise: it has no submission, the service has it or may have it,
 * or somebody has just changed it.
 */
export async function takeFromSubmissions(context: HeldPostContext, row: HeldPostRow): Promise<HeldPostRow> {
  if (!row.at_once && row.state !== 'handed-over') return row;
  const sent = await listSubmissions(context, row);
  const [first, ...others] = sent.filter((each) => readSubmissionRemote(each) === 'absent');
  // One that is being sent may come to wait too, and would then be sent whatever becomes of the post.
  if (!first || sent.some(({ state }) => state === 'sending')) return row;
  const taken = row.at_once
    ? await holdPostAtOnce(context, first, {
        reason: row.state === 'needs-person' ? row.reason : 'taken-back',
      })
    : await returnToPost(context, row, [first, ...others], 'needs-person', { reason: 'taken-back' });
  return taken ?? (await findHeldPost(context.db, row)) ?? row;
}

/**
 * Makes a post that was sent at once a held post, whose submission certainly wasn't sent, and isn't sent any more. `to`: why
 * it needs a person. Defaults to a new post under the present policy of its project, of whose review Upnext tells people.
 * Resolves with undefined if another request has the submission.
 */
export async function holdPostAtOnce(
  context: HeldPostContext,
  submission: SubmissionRow,
  to?: Pick<HeldPostRow, 'reason'>,
): Promise<HeldPostRow | undefined> {
  const { workspace, author, origin, channel, project, item } = submission;
  const held = readHeldContent(context, submission);
  if (!held || project === null) return undefined;
  const policy = await findPolicy(context.db, { workspace, project });
  const received = { workspace, author, project, origin, channel: channel ?? undefined, policy };
  const prepared = await prepareHeldPost(context, received, held.content, item);
  const now = context.clock.readShared();
  // Whoever presses a button of it knows what has become of it.
  const asked = to && { ...buildEntryColumns(LIFECYCLE, 'needs-person', now), ...to, notify_at: null };
  const { reader, rows: shownRows } = await findRowsInMessage(context.submissions.context, submission);
  return commitUnlessChanged(context, async (trx) => {
    if (!(await discardSubmission(trx, submission, now, 'returned'))) throw new ChangedMeanwhile();
    const how = { delivery: submission.id, isRecalled: !to };
    const stored = await storeNewPost(context, trx, { ...prepared, ...asked }, how);
    if (!stored) throw new Error('the post of a submission that was taken back exists already');
    // A message about several submissions goes on showing the others.
    if (shownRows.length === 1) await takeMessage(trx, submission, { post: stored, reader, at: now });
    return stored;
  });
}

/** Makes the message that shows a submission the card of its post. `reader`: the Slack id of whoever got it. */
async function takeMessage(
  trx: HeldPostContext['db'],
  { id, message_channel: channel, message_ts: ts }: SubmissionRow,
  { post, reader, at }: { post: HeldPostRow; reader: string; at: Date },
): Promise<void> {
  if (channel === null || ts === null) return;
  await trx
    .updateTable('submission')
    .set({ message_channel: null, message_ts: null })
    .where('id', '=', id)
    .execute();
  await saveHeldPostMessages(trx, {
    ...{ workspace: post.workspace, held_post: post.id, channel, ts, purpose: 'card' },
    recipient: isDirectMessage(channel) ? reader : null,
    sent_at: at,
  });
}

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
