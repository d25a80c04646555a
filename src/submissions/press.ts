import { commitWithEntry, type Permission, type PreparedEntry } from '../access/access.ts';
import type { SentButton } from '../posts/state-copy.ts';
import type { Actor } from '../slack/actor.ts';
import { escapeFormatting, renderDateForReaders } from '../slack/blocks.ts';
import { renderServiceFailure } from '../slack/service-failure.ts';
import { type AttemptOptions, attempt, waitUntilSent } from './attempt.ts';
import { parseRefusal, readContent } from './content.ts';
import { findService } from './fingerprint.ts';
import type { AnyKind } from './kind.ts';
import {
  discardSubmission,
  findLatestReplacement,
  findSubmission,
  readCurrentRow,
} from './sql/submissions.ts';
import { hasButton, type SubmissionRow, UNKNOWN_COUNT } from './submission.ts';
import type { SubmissionContext } from './submission-context.ts';
import { renderProblemLines } from './text/render-submission.ts';

interface ActorWithProjects extends Actor {
  /** Whether the actor manages the project. `project` is an id in the service. */
  managesProject(project: string | undefined): boolean;
}

/** The result of a button press. `note` describes the result (mrkdwn). */
type PressResult =
  /** The permission check failed, so nothing was changed. */
  { kind: 'not-checked' } | { kind: 'current'; row: SubmissionRow; note?: string };

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
  return { row, hasButton: hasButton(row, button) };
}

export type Decision = Exclude<SentButton, 'edit'>;

/** Applies a decision, if the current row still has the button. */
export async function applyDecision(
  context: SubmissionContext,
  actor: ActorWithProjects,
  id: string,
  decision: Decision,
  prepareEntry?: DecisionOptions['prepareEntry'],
): Promise<PressResult | { kind: 'not-visible' }> {
  const match = await findPressedRow(context, actor, id, decision);
  if (!match) return { kind: 'not-visible' };
  const { row } = match;
  if (!match.hasButton) return { kind: 'current', row, note: OUTDATED_BUTTON_TEXT };
  const { notificationDelayMs: notifyAfterMs } = context.pace;
  return decide(context, actor, row, decision, { probe: 'by-person', notifyAfterMs, prepareEntry });
}

interface DecisionOptions extends AttemptOptions {
  /** Prepares the audit entry of a discard, which is stored with it. */
  prepareEntry?: ((row: SubmissionRow) => PreparedEntry | undefined) | undefined;
}

/** Applies a decision to a row that has its button. Changes nothing if somebody has changed the row since it was read. */
export async function decide(
  context: SubmissionContext,
  actor: Actor,
  row: SubmissionRow,
  decision: Decision,
  { prepareEntry, ...options }: DecisionOptions,
): Promise<PressResult> {
  if (decision === 'discard') return discard(context, row, prepareEntry?.(row));
  const kind = context.findKind(row.kind);
  const contentResult = readContent(context, kind, row);
  const readable = kind && contentResult && { kind, ...contentResult };
  switch (decision) {
    case 'check':
      return checkService(context, actor, row, readable, options);
    case 'retry':
    case 'send-again':
      return sendAgain(context, row, readable, options);
  }
}

/** The kind and the content of a submission whose content is still stored. */
interface Readable {
  kind: AnyKind;
  content: unknown;
}

export const OUTDATED_BUTTON_TEXT = 'This has changed since.';
const OTHER_SERVICE_TEXT = 'because another scheduling service is connected now.';
const NO_ROLE_TEXT = 'I didn’t check, because you no longer have a role in this project.';

/** Counts equal posts in the service's list. Requires the role viewer, and never sends anything. */
async function checkService(
  context: SubmissionContext,
  actor: Actor,
  row: SubmissionRow,
  readable: Readable | undefined,
  { notifyAfterMs }: AttemptOptions,
): Promise<PressResult> {
  const subject = { project: row.project ?? undefined, kind: row.kind };
  const permission = await context.checkPermission(
    { workspace: actor.workspace, user: actor.user },
    'viewer',
    subject,
  );
  if (permission === 'unknown') return { kind: 'not-checked' };
  const answer = (note: string) => ({ kind: 'current' as const, row, note });
  if (permission === 'no') return answer(NO_ROLE_TEXT);
  const { api, isOther } = await findService(context, row);
  if (isOther) return answer(`I didn’t check, ${OTHER_SERVICE_TEXT}`);
  if (readable?.kind.unknownOutcome.strategy !== 'reconcile' || !api)
    return answer('I have no way to check this.');
  const outcome = await readable.kind.unknownOutcome.countEqual(api, readable.content);
  const time = renderDateForReaders(context.clock.now(), '{time_secs}');
  if (outcome.kind !== 'done') {
    const reason = escapeFormatting(renderProblemLines({ refusal: parseRefusal(outcome) }));
    return answer(`I couldn’t check at ${time}. ${renderServiceFailure(outcome)}\n${reason}`.trim());
  }
  if (outcome.data === 'cannot-tell') return answer(`As of ${time}, I can’t tell from the service’s list.`);
  // With the reason `equal-found`, the baseline may include the post itself.
  const baseline = row.reason === 'equal-found' ? UNKNOWN_COUNT : (row.baseline ?? UNKNOWN_COUNT);
  if (baseline !== UNKNOWN_COUNT && outcome.data === baseline + 1) {
    await context.verbs.settle(row, 'confirmed', {}, { notifyAfterMs });
    return { kind: 'current', row: await readCurrentRow(context.db, row) };
  }
  if (outcome.data === 0 || outcome.data === baseline) return answer(`Not there as of ${time}.`);
  const baselineText = baseline === UNKNOWN_COUNT ? '' : `, and there were ${baseline} before`;
  return answer(`The service lists ${outcome.data} like it as of ${time}${baselineText}.`);
}

const STILL_WAITING_TEXT = 'I’ve just tried again, and it still didn’t work.';
const NOT_TRIED_TEXT = 'Not tried yet. I’ll try as soon as the service lets me.';

/**
 * Sends a submission again at the author's request, or retries a waiting one before its next attempt is due. The retry
 * deadline of a waiting submission doesn't change.
 */
async function sendAgain(
  context: SubmissionContext,
  row: SubmissionRow,
  readable: Readable | undefined,
  options: AttemptOptions,
): Promise<PressResult> {
  const { clock, verbs } = context;
  if ((await checkAuthorPermission(context, row, readable)) === 'unknown') return { kind: 'not-checked' };
  const isWaiting = row.state === 'retryable';
  const isBeingTried = isWaiting && row.lease_until !== null && row.lease_until > clock.readShared();
  const change = isWaiting
    ? { reason: row.reason, refusal: row.refusal }
    : { retrying_since: clock.readShared(), refusal: null, attempts: 0 };
  const claimedRow = isBeingTried
    ? undefined
    : await verbs.claim(row, isWaiting ? 'retryable' : 'saved', change);
  if (claimedRow) await attempt(context, claimedRow, options);
  else if (isWaiting) await waitUntilSent(context, row);
  const current = await readCurrentRow(context.db, row);
  const note = isWaiting
    ? describeRetry(row, current)
    : claimedRow
      ? await describeOtherService(context, current)
      : OUTDATED_BUTTON_TEXT;
  return { kind: 'current', row: current, ...(note !== undefined && { note }) };
}

/** Says why a submission still waits for its author. Undefined if its state says it. */
async function describeOtherService(
  context: SubmissionContext,
  row: SubmissionRow,
): Promise<string | undefined> {
  if (row.state !== 'blocked' && row.state !== 'unsure') return undefined;
  const { isOther } = await findService(context, row);
  return isOther ? `I didn’t send it, ${OTHER_SERVICE_TEXT}` : undefined;
}

/** Says whether a submission that still waits was tried. Undefined if its state says it. */
function describeRetry(before: SubmissionRow, current: SubmissionRow): string | undefined {
  if (current.state !== 'retryable' || current.reason !== null) return undefined;
  return current.changed_at > before.changed_at ? STILL_WAITING_TEXT : NOT_TRIED_TEXT;
}

/** Checks the author's permission. If the result is `no`, the attempt notifies the author. */
async function checkAuthorPermission(
  context: SubmissionContext,
  { workspace, author: user }: SubmissionRow,
  readable: Readable | undefined,
): Promise<Permission> {
  if (!readable) return 'yes';
  const { kind, content } = readable;
  const subject = { project: kind.getProject(content)?.id, kind: kind.name };
  return context.checkPermission({ workspace, user }, kind.getRole(content), subject);
}

async function discard(
  context: SubmissionContext,
  row: SubmissionRow,
  entry: PreparedEntry | undefined,
): Promise<PressResult> {
  const now = context.clock.readShared();
  const isDiscarded = await commitWithEntry(
    context.db,
    entry,
    async (transaction) => (await discardSubmission(transaction, row, now, null)) || undefined,
  );
  const current = await readCurrentRow(context.db, row);
  if (!isDiscarded) return { kind: 'current', row: current, note: OUTDATED_BUTTON_TEXT };
  // A held post that was handed over hears of it at once.
  await context.takeOutcome(current);
  return { kind: 'current', row: current };
}

/** What people read if nothing came of a press. The audit log then says so. */
export const NOTHING_DONE_TEXTS: readonly string[] = [OUTDATED_BUTTON_TEXT];
