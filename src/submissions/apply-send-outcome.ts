import type { ApiClient } from '../api/client.ts';
import type { Outcome } from '../api/outcome.ts';
import { computeFullJitterMs } from '../delivery/backoff.ts';
import type { Change } from '../delivery/definition.ts';
import { addMs } from '../delivery/shared-clock.ts';
import { UNKNOWN_COUNT } from './baseline.ts';
import type { AnyKind } from './kind.ts';
import type { Machine } from './machine.ts';
import { isAccessRefusal, pauseAfterRefusal, resumeAfterSuccess } from './pause.ts';
import type { SubmissionRow } from './sql/submissions.ts';
import { parseRefusal, sealRefusal } from './submission.ts';

/** Transitions a `sending` row after its call. Resolves with undefined if another instance has changed the row. */
export async function applySendOutcome(
  machine: Machine,
  row: SubmissionRow,
  send: {
    api: ApiClient;
    kind: AnyKind;
    outcome: Outcome<unknown>;
    wasUnknown: boolean;
    notifyAfterMs: number;
  },
): Promise<SubmissionRow | undefined> {
  const { api, kind, outcome, notifyAfterMs } = send;
  const isAlreadyGone =
    outcome.kind === 'refused' && outcome.status === 404 && send.wasUnknown && kind.isDoneWhenGone;
  if (outcome.kind === 'done' || isAlreadyGone) {
    const result = outcome.kind === 'done' ? kind.parseResult?.(outcome.data) : undefined;
    const change = result === undefined ? {} : { result };
    const confirmedRow = await machine.delivery.transition(row, 'confirmed', change, { notifyAfterMs });
    await resumeAfterSuccess(machine, api, row);
    return confirmedRow;
  }
  if (outcome.kind !== 'unknown') return applyRefusal(machine, row, { api, outcome, notifyAfterMs });
  return handleUnknownOutcome(machine, row, kind, notifyAfterMs);
}

/** Transitions a row that was certainly not applied: back to its author, or to a retry. */
export async function applyRefusal(
  machine: Machine,
  row: SubmissionRow,
  call: { api: ApiClient; outcome: Exclude<Outcome<unknown>, { kind: 'done' }>; notifyAfterMs: number },
): Promise<SubmissionRow | undefined> {
  const { api, outcome, notifyAfterMs } = call;
  const serviceRefusal = parseRefusal(outcome);
  const refusal = serviceRefusal ? sealRefusal(machine, row.workspace, serviceRefusal) : null;
  if (outcome.kind === 'refused' && isAccessRefusal(outcome.status)) {
    await pauseAfterRefusal(machine, api, row, outcome.status);
    const next_at = addMs(machine.clock(), machine.pace.probeMs * (1 + 0.1 * machine.random()));
    return machine.delivery.transition(row, 'retryable', {
      reason: 'paused',
      next_at: capAtDeadline(machine, row, next_at),
      refusal,
    });
  }
  const isFinal =
    outcome.kind === 'invalid' ||
    outcome.kind === 'refused' ||
    (outcome.kind === 'not-applied' && outcome.cause === 'too-large');
  if (isFinal) return machine.delivery.transition(row, 'refused', { refusal }, { notifyAfterMs });
  const retryAfterMs = outcome.kind === 'not-applied' ? (outcome.retryAfterMs ?? 0) : 0;
  const waitMs = retryAfterMs + computeFullJitterMs(row.attempts + 1, machine.pace.retryMs, machine.random);
  // While the author waits for the acknowledgement, the result of a retry must not overtake it.
  const minWaitMs = notifyAfterMs > 0 ? machine.pace.afterAcknowledgementMs : 0;
  const next_at = addMs(machine.clock(), Math.max(waitMs, minWaitMs));
  return machine.delivery.transition(row, 'retryable', {
    next_at: capAtDeadline(machine, row, next_at),
    refusal,
  });
}

/** Transitions a row after an unknown outcome. The kind decides: reconcile, repeat, or ask the author. */
export async function handleUnknownOutcome(
  machine: Machine,
  row: SubmissionRow,
  kind: AnyKind,
  notifyAfterMs: number,
): Promise<SubmissionRow | undefined> {
  const { way } = kind.whenUnknown;
  const hasBaseline = row.baseline !== null && row.baseline !== UNKNOWN_COUNT;
  const isRestored = row.reason === 'restored';
  if (way === 'reconcile' && hasBaseline) {
    return machine.delivery.transition(row, 'unknown', {
      maybe_sent: true,
      next_at: addMs(machine.clock(), machine.pace.checkWaitsMs[0] ?? 0),
    });
  }
  if (way === 'repeat' && !isRestored) {
    const waitMs = computeFullJitterMs(row.attempts, machine.pace.retryMs, machine.random);
    const next_at = addMs(machine.clock(), waitMs);
    return machine.delivery.transition(row, 'unknown', { reason: 'repeated', maybe_sent: true, next_at });
  }
  const unknownRow =
    row.state === 'unknown' ? row : await machine.delivery.transition(row, 'unknown', { maybe_sent: true });
  if (!unknownRow) return undefined;
  const reason = isRestored ? 'restored' : way === 'reconcile' ? 'cannot-tell' : 'cannot-reconcile';
  return machine.delivery.transition(unknownRow, 'needs-person', { reason }, { notifyAfterMs });
}

/** State reasons that rescheduling doesn't change. */
const PRESERVED_REASONS = ['paused', 'halted', 'repeated', 'repeat-not-checked', 'restored'] as const;

/** Changes a row's due time, keeps its state and ends its claim. `ignoreDeadline`: for rows with unreadable content. */
export function reschedule(
  machine: Machine,
  row: SubmissionRow,
  waitMs: number,
  { ignoreDeadline = false, ...change }: Change<SubmissionRow> & { ignoreDeadline?: boolean } = {},
): Promise<SubmissionRow | undefined> {
  const reason = change.reason ?? PRESERVED_REASONS.find((preserved) => preserved === row.reason) ?? null;
  const nextAt = addMs(machine.clock(), waitMs);
  const next_at = row.state === 'retryable' && !ignoreDeadline ? capAtDeadline(machine, row, nextAt) : nextAt;
  // A row in `sending` keeps its lease until the call has ended.
  if (row.state === 'sending') throw new Error('a submission in `sending` cannot be rescheduled');
  return machine.delivery.transition(row, row.state, { ...change, reason, next_at });
}

/**
 * Returns the earlier of `nextAt` and the row's deadline, so that the author is notified in time. At the deadline the
 * row is overdue, or Upnext gives up.
 */
export function capAtDeadline(machine: Machine, row: SubmissionRow, nextAt: Date): Date {
  const now = machine.clock().getTime();
  const untilPublishingMs = row.publish_at
    ? row.publish_at.getTime() - machine.now().getTime()
    : Number.POSITIVE_INFINITY;
  const retriedMs = now - (row.retrying_since ?? row.created_at).getTime();
  const remainingMs = Math.max(0, Math.min(untilPublishingMs, machine.pace.giveUpMs - retriedMs));
  return new Date(Math.min(nextAt.getTime(), now + remainingMs + 1));
}
