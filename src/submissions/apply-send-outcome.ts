import type { ApiClient } from '../api/client.ts';
import { isAccessRefusal, type Outcome } from '../api/outcome.ts';
import { computeFullJitterMs } from '../engine/backoff.ts';
import { addMs } from '../engine/clock.ts';
import { parseRefusal } from './content.ts';
import type { AnyKind } from './kind.ts';
import { pauseAfterRefusal, resumeAfterSuccess } from './pause.ts';
import { type SubmissionRow, UNKNOWN_COUNT } from './submission.ts';
import type { SubmissionContext } from './submission-context.ts';

/** Transitions a row after the call. Resolves with undefined if another instance has changed the row. */
export async function applySendOutcome(
  context: SubmissionContext,
  row: SubmissionRow,
  call: {
    api: ApiClient;
    kind: AnyKind;
    outcome: Outcome<string | undefined>;
    isProbe: boolean;
    notifyAfterMs: number | undefined;
  },
): Promise<SubmissionRow | undefined> {
  const { api, kind, outcome, notifyAfterMs } = call;
  const isAlreadyGone =
    outcome.kind === 'refused' && outcome.status === 404 && row.maybe_sent && kind.isDoneWhenNotFound;
  if (outcome.kind === 'done' || isAlreadyGone) {
    const serviceId = outcome.kind === 'done' ? outcome.data : undefined;
    const change = serviceId === undefined ? {} : { service_id: serviceId };
    const confirmedRow = await context.verbs.settle(row, 'confirmed', change, {
      notifyAfterMs,
    });
    if (call.isProbe) await resumeAfterSuccess(context, api, row);
    return confirmedRow;
  }
  // The refusal of a later send doesn't tell whether the service has an earlier one.
  const mayHaveArrived = outcome.kind === 'unknown' || (row.maybe_sent && isFinalRefusal(outcome));
  if (!mayHaveArrived) return applyRefusal(context, row, { api, outcome, notifyAfterMs });
  return handleUnknownOutcome(context, row, kind, { notifyAfterMs, outcome });
}

/** Whether the service would refuse the same request again. */
function isFinalRefusal(outcome: Outcome<unknown>): boolean {
  return (
    outcome.kind === 'invalid' ||
    (outcome.kind === 'refused' && !isAccessRefusal(outcome.status)) ||
    (outcome.kind === 'not-applied' && outcome.cause === 'too-large')
  );
}

function encryptAnswer(context: SubmissionContext, { workspace }: SubmissionRow, outcome: Outcome<unknown>) {
  const refusal = parseRefusal(outcome);
  return refusal ? context.encryption.encrypt(JSON.stringify(refusal), workspace) : null;
}

/** Transitions a row after a refusal of the send, or of the list before it. `row.attempts` includes the attempt. */
export async function applyRefusal(
  context: SubmissionContext,
  row: SubmissionRow,
  call: {
    api: ApiClient;
    outcome: Exclude<Outcome<unknown>, { kind: 'done' }>;
    notifyAfterMs: number | undefined;
  },
): Promise<SubmissionRow | undefined> {
  const { api, outcome, notifyAfterMs } = call;
  const { attempts } = row;
  const refusal = encryptAnswer(context, row, outcome);
  const isAccessRefused = outcome.kind === 'refused' && isAccessRefusal(outcome.status);
  if (isAccessRefused && (await pauseAfterRefusal(context, api, row, outcome.status))) {
    const next_at = computeNextAt(context, row, context.pace.probeIntervalMs * (1 + 0.1 * context.random()));
    return context.verbs.settle(row, 'retryable', { reason: 'paused', next_at, refusal, attempts });
  }
  if (isFinalRefusal(outcome)) {
    if (row.state === 'sending') return context.verbs.settle(row, 'refused', { refusal }, { notifyAfterMs });
    // Only the list was refused. It may work later, but doesn't tell whether the service has an earlier send.
    const change = { reason: 'cannot-tell' as const, refusal, attempts };
    if (row.maybe_sent) return context.verbs.settle(row, 'unsure', change, { notifyAfterMs });
  }
  const retryAfterMs = outcome.kind === 'not-applied' ? (outcome.retryAfterMs ?? 0) : 0;
  const waitMs = retryAfterMs + computeFullJitterMs(attempts + 1, context.pace.retryBackoff, context.random);
  // The author must see the response to their form before the result of a retry.
  const minWaitMs = notifyAfterMs === undefined ? 0 : context.pace.afterAcknowledgementMs;
  const next_at = computeNextAt(context, row, Math.max(waitMs, minWaitMs));
  const change = { next_at, refusal, attempts };
  return row.state === 'retryable'
    ? context.verbs.retry(row, change)
    : context.verbs.settle(row, 'retryable', change);
}

/** Transitions a row after an unknown outcome, as its kind says. `outcome`: the service's answer, if there was one. */
export async function handleUnknownOutcome(
  context: SubmissionContext,
  row: SubmissionRow,
  kind: AnyKind,
  { notifyAfterMs, outcome }: { notifyAfterMs?: number | undefined; outcome?: Outcome<unknown> } = {},
): Promise<SubmissionRow | undefined> {
  const { strategy } = kind.unknownOutcome;
  const refusal = outcome ? encryptAnswer(context, row, outcome) : row.refusal;
  const hasBaseline = row.baseline !== null && row.baseline !== UNKNOWN_COUNT;
  const isRestored = row.reason === 'restored';
  if (strategy === 'reconcile' && hasBaseline) {
    return context.verbs.settle(row, 'unknown', {
      maybe_sent: true,
      refusal,
      next_at: addMs(context.clock.readShared(), context.pace.reconcileDelaysMs[0] ?? 0),
    });
  }
  if (strategy === 'repeat' && !isRestored && !(outcome && isFinalRefusal(outcome))) {
    const waitMs = computeFullJitterMs(row.attempts, context.pace.retryBackoff, context.random);
    const next_at = addMs(context.clock.readShared(), waitMs);
    return context.verbs.settle(row, 'unknown', { reason: 'repeated', maybe_sent: true, refusal, next_at });
  }
  // The claim goes on, so that no other instance repeats the call in between.
  const unknownRow =
    row.state === 'unknown' ? row : await context.verbs.goOn(row, 'unknown', { maybe_sent: true, refusal });
  if (!unknownRow) return undefined;
  const reason = isRestored ? 'restored' : strategy === 'reconcile' ? 'cannot-tell' : 'cannot-reconcile';
  return context.verbs.settle(unknownRow, 'unsure', { reason }, { notifyAfterMs });
}

/** Reschedules a row in the same state, and ends the claim. `ignoreDeadline` is for rows with unreadable content. */
export function reschedule(
  context: SubmissionContext,
  row: SubmissionRow,
  waitMs: number,
  { ignoreDeadline = false, checks = row.checks }: { ignoreDeadline?: boolean; checks?: number } = {},
): Promise<SubmissionRow | undefined> {
  const next_at =
    row.state === 'retryable' && !ignoreDeadline
      ? computeNextAt(context, row, waitMs)
      : addMs(context.clock.readShared(), waitMs);
  // The permissions were checked meanwhile, and nothing is stopped.
  const isOver = row.reason === 'not-checked' || row.reason === 'sending-stopped';
  const reason = isOver ? null : row.reason;
  return context.verbs.wait(row, { reason, checks, next_at });
}

/**
 * Computes when a row is tried again after a wait, on the shared clock: at its deadline at the latest, so that the author
 * is notified in time. The deadline is the publishing time or the end of the retries.
 */
export function computeNextAt(context: SubmissionContext, row: SubmissionRow, waitMs: number): Date {
  const remainingMs = computeRemainingRetryMs(context, row);
  return addMs(context.clock.readShared(), Math.min(waitMs, remainingMs + 1));
}

/** Computes how long a row may be retried from now on, ms. */
export function computeRemainingRetryMs(
  context: Pick<SubmissionContext, 'clock' | 'pace'>,
  row: SubmissionRow,
): number {
  const untilPublishingMs = row.publish_at
    ? row.publish_at.getTime() - context.clock.now().getTime()
    : Number.POSITIVE_INFINITY;
  const retriedMs = context.clock.readShared().getTime() - (row.retrying_since ?? row.created_at).getTime();
  return Math.max(0, Math.min(untilPublishingMs, context.pace.giveUpMs - retriedMs));
}
