import type { Permission } from '../access/access.ts';
import type { SentButton } from '../posts/state-copy.ts';
import type { Actor } from '../slack/actor.ts';
import { escapeFormatting, renderDateForReaders } from '../slack/blocks.ts';
import { renderServiceFailure } from '../slack/service-failure.ts';
import { attempt, retryNow } from './attempt.ts';
import { parseRefusal, readContent } from './content.ts';
import { discardSubmission } from './deliveries.ts';
import { saveAndSend } from './save-and-send.ts';
import { findNewestSubmission, findRowsById, findSubmission } from './sql/submissions.ts';
import type { SubmissionRow } from './submission.ts';
import { getStateCopy, UNKNOWN_COUNT } from './submission.ts';
import type { SubmissionContext } from './submission-context.ts';
import { renderProblemLines } from './text/render-submission.ts';

/** An actor with a check for managed projects. */
interface ActorWithProjects extends Actor {
  /** Whether the actor manages the project. `project` is an id in the service. */
  managesProject(project: string | undefined): boolean;
}

/** The result of a button press. `note` describes the result (mrkdwn). */
type PressResult =
  /** The actor may not see the submission. */
  | { kind: 'not-visible' }
  /** The permission check failed, so nothing was changed. */
  | { kind: 'not-checked' }
  | { kind: 'current'; row: SubmissionRow; note?: string };

/** Buttons with a decision. The other buttons open the feature's form. */
type Decision = Exclude<SentButton, 'edit' | 'new-time'>;

/** Finds the current row for a button. Resolves with undefined if the actor may not see the row. */
export async function findPressedRow(
  context: SubmissionContext,
  actor: ActorWithProjects,
  id: string,
  button: SentButton,
): Promise<{ row: SubmissionRow; hasButton: boolean } | undefined> {
  const maySee = ({ author, project }: SubmissionRow) =>
    author === actor.user || actor.managesProject(project ?? undefined);
  const pressedRow = await findSubmission(context.db, { id, workspace: actor.workspace });
  if (!pressedRow || !maySee(pressedRow)) return undefined;
  const row = await findLatestReplacement(context, pressedRow);
  // The author may have changed the project.
  if (!maySee(row)) return undefined;
  return { row, hasButton: row.content !== null && getStateCopy(row).buttons.includes(button) };
}

/** Finds the latest replacement of a row. Defaults to the row itself. */
export async function findLatestReplacement(
  context: SubmissionContext,
  pressedRow: SubmissionRow,
): Promise<SubmissionRow> {
  const { workspace } = pressedRow;
  let row = pressedRow;
  while (row.state === 'discarded' && row.reason === 'replaced') {
    const edit = await findNewestSubmission(context.db, { workspace, origin: row.id, item: 0 });
    const replacement = edit ?? (await findNewestSubmission(context.db, row));
    if (!replacement || replacement.id === row.id) return row;
    row = replacement;
  }
  return row;
}

/** Applies a decision, if the current row still has the button. `probe`: see `retryNow`. */
export async function applyDecision(
  context: SubmissionContext,
  actor: ActorWithProjects,
  id: string,
  decision: Decision,
  probe: 'by-person' | 'now' = 'by-person',
): Promise<PressResult> {
  const match = await findPressedRow(context, actor, id, decision);
  if (!match) return { kind: 'not-visible' };
  const { row, hasButton } = match;
  if (!hasButton) return { kind: 'current', row, note: OUTDATED_BUTTON_TEXT };
  switch (decision) {
    case 'check':
      return checkService(context, actor, row);
    case 'retry':
    case 'send-again':
      return sendAgain(context, row, probe);
    case 'discard':
      return discard(context, row);
    case 'draft':
      return saveAsDraft(context, row);
  }
}

export const OUTDATED_BUTTON_TEXT = 'This has changed since.';
const NO_ROLE_TEXT = 'I didn’t check, because you no longer have a role in this project.';

/** Counts equal posts in the service's list. Requires the role viewer, and never sends anything. */
async function checkService(
  context: SubmissionContext,
  actor: ActorWithProjects,
  row: SubmissionRow,
): Promise<PressResult> {
  const subject = { project: row.project ?? undefined, kind: row.kind };
  const permission = await context.checkPermission(
    { workspace: actor.workspace, user: actor.user },
    'viewer',
    subject,
  );
  if (permission === 'unknown') return { kind: 'not-checked' };
  if (permission === 'no') return { kind: 'current', row, note: NO_ROLE_TEXT };
  const kind = context.findKind(row.kind);
  const api = await context.findApiClient(row.workspace, row.project ?? undefined);
  const contentResult = readContent(context, kind, row);
  if (kind?.unknownOutcome.strategy !== 'reconcile' || !contentResult || !api) {
    return { kind: 'current', row, note: 'I have no way to check this.' };
  }
  const outcome = await kind.unknownOutcome.countEqual(api, contentResult.content);
  const time = renderDateForReaders(context.clock.now(), '{time_secs}');
  if (outcome.kind !== 'done') {
    const reason = escapeFormatting(renderProblemLines({ refusal: parseRefusal(outcome) }));
    const note = `I couldn’t check at ${time}. ${renderServiceFailure(outcome)}\n${reason}`.trim();
    return { kind: 'current', row, note };
  }
  if (outcome.data === 'cannot-tell') {
    return { kind: 'current', row, note: `As of ${time}, I can’t tell from the service’s list.` };
  }
  // With the reason `equal-found`, the baseline may include the post itself.
  const baseline = row.reason === 'equal-found' ? UNKNOWN_COUNT : (row.baseline ?? UNKNOWN_COUNT);
  if (baseline !== UNKNOWN_COUNT && outcome.data === baseline + 1) {
    const confirmedRow = await context.verbs.settle(
      row,
      'confirmed',
      {},
      { notifyAfterMs: context.pace.notificationDelayMs },
    );
    return readCurrentResult(context, confirmedRow ?? row);
  }
  if (outcome.data === 0 || outcome.data === baseline)
    return { kind: 'current', row, note: `Not there as of ${time}.` };
  const baselineText = baseline === UNKNOWN_COUNT ? '' : `, and there were ${baseline} before`;
  const note = `The service lists ${outcome.data} like it as of ${time}${baselineText}.`;
  return { kind: 'current', row, note };
}

/** Sends a submission again at the author's request. */
async function sendAgain(
  context: SubmissionContext,
  row: SubmissionRow,
  probe: 'by-person' | 'now',
): Promise<PressResult> {
  if ((await checkAuthorPermission(context, row)) === 'unknown') return { kind: 'not-checked' };
  if (row.state === 'retryable') return { kind: 'current', ...(await retryNow(context, row, probe)) };
  const change = { retrying_since: context.clock.readShared(), refusal: null, attempts: 0 };
  const claimedRow = await context.verbs.claim(row, 'saved', change);
  if (!claimedRow) return readCurrentResult(context, row, OUTDATED_BUTTON_TEXT);
  await attempt(context, claimedRow, { probe, notifyAfterMs: context.pace.notificationDelayMs });
  return readCurrentResult(context, row);
}

/** Checks the author's permission. If the result is `no`, the attempt notifies the author. */
async function checkAuthorPermission(context: SubmissionContext, row: SubmissionRow): Promise<Permission> {
  const kind = context.findKind(row.kind);
  const contentResult = readContent(context, kind, row);
  if (!kind || !contentResult) return 'yes';
  const { workspace, author: user } = row;
  const subject = { project: kind.getProject(contentResult.content)?.id, kind: kind.name };
  return context.checkPermission({ workspace, user }, kind.getRole(contentResult.content), subject);
}

async function discard(context: SubmissionContext, row: SubmissionRow): Promise<PressResult> {
  const isDiscarded = await discardSubmission(context.db, row, context.clock.readShared(), null);
  const result = await readCurrentResult(context, row, isDiscarded ? undefined : OUTDATED_BUTTON_TEXT);
  // A held post that was handed over hears of it at once.
  if (isDiscarded && result.kind === 'current') await context.takeOutcome?.(result.row);
  return result;
}

/** Replaces an overdue post with a draft. */
async function saveAsDraft(context: SubmissionContext, row: SubmissionRow): Promise<PressResult> {
  const kind = context.findKind(row.kind);
  const contentResult = readContent(context, kind, row);
  if (!kind?.removePublishAt || !contentResult) return { kind: 'current', row };
  const { workspace, author } = row;
  const inFlight = await saveAndSend(context, kind, [
    {
      workspace,
      author,
      origin: row.id,
      item: 0,
      ...(row.channel !== null && { channel: row.channel }),
      content: kind.removePublishAt(contentResult.content),
    },
  ]);
  if (inFlight === 'not-saved') return { kind: 'current', row, note: 'Not saved. Please try again.' };
  if (inFlight === 'uncertain')
    return { kind: 'current', row, note: 'I’m not sure this was saved. I’ll DM you as soon as I know.' };
  const [draft] = await inFlight.attemptedRows;
  return draft ? { kind: 'current', row: draft } : { kind: 'current', row };
}

async function readCurrentResult(
  context: SubmissionContext,
  row: SubmissionRow,
  note?: string,
): Promise<PressResult> {
  const [currentRow = row] = await findRowsById(context.db, [row.id]);
  return { kind: 'current', row: currentRow, ...(note !== undefined && { note }) };
}
