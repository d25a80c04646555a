import type { ApiClient } from '../api/client.ts';
import type { Outcome } from '../api/outcome.ts';
import { fullJitter } from '../delivery/backoff.ts';
import { later } from '../delivery/later.ts';
import { UNKNOWN_COUNT } from './baseline.ts';
import type { AnyKind } from './kind.ts';
import type { Machine } from './machine.ts';
import { isAccessRefusal, pause, resumeAfterSuccess } from './pause.ts';
import type { SubmissionRow } from './sql/submissions.ts';
import { refusalOf, sealRefusal } from './submission.ts';
import { capAtDeadline } from './wait.ts';

/** The transition of a `sending` row after the outcome of its call. */
export async function afterSending(
  machine: Machine,
  row: SubmissionRow,
  sent: {
    api: ApiClient;
    kind: AnyKind;
    outcome: Outcome<unknown>;
    wasUnknown: boolean;
    notifyAfterMs: number;
  },
): Promise<SubmissionRow | undefined> {
  const { api, kind, outcome, notifyAfterMs } = sent;
  const isGone =
    outcome.kind === 'refused' && outcome.status === 404 && sent.wasUnknown && kind.isDoneWhenGone;
  if (outcome.kind === 'done' || isGone) {
    const result = outcome.kind === 'done' ? kind.result?.(outcome.data) : undefined;
    const change = result === undefined ? {} : { result };
    const confirmed = await machine.delivery.transition(row, 'confirmed', change, { notifyAfterMs });
    await resumeAfterSuccess(machine, api, row);
    return confirmed;
  }
  if (outcome.kind !== 'unknown') return afterRefusal(machine, row, { api, outcome, notifyAfterMs });
  return handleUnknownOutcome(machine, row, kind, notifyAfterMs);
}

/** The transition of a row that was certainly not applied, to its author or to another attempt. */
export async function afterRefusal(
  machine: Machine,
  row: SubmissionRow,
  refused: { api: ApiClient; outcome: Exclude<Outcome<unknown>, { kind: 'done' }>; notifyAfterMs: number },
): Promise<SubmissionRow | undefined> {
  const { api, outcome, notifyAfterMs } = refused;
  const reason = refusalOf(outcome);
  const refusal = reason ? sealRefusal(machine, row.workspace, reason) : null;
  if (outcome.kind === 'refused' && isAccessRefusal(outcome.status)) {
    await pause(machine, api, row, outcome.status);
    const next_at = later(machine.clock(), machine.pace.probeMs * (1 + 0.1 * machine.random()));
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
  const asked = outcome.kind === 'not-applied' ? (outcome.retryAfterMs ?? 0) : 0;
  const waitMs = asked + fullJitter(row.attempts + 1, machine.pace.retryMs, machine.random);
  // The acknowledgement to a waiting person must not overtake the result of the next attempt.
  const leastMs = notifyAfterMs > 0 ? machine.pace.afterAcknowledgementMs : 0;
  const next_at = later(machine.clock(), Math.max(waitMs, leastMs));
  return machine.delivery.transition(row, 'retryable', {
    next_at: capAtDeadline(machine, row, next_at),
    refusal,
  });
}

/** The transition after an unknown outcome: reconcile, repeat, or ask the author, as the kind says. */
export async function handleUnknownOutcome(
  machine: Machine,
  row: SubmissionRow,
  kind: AnyKind,
  notifyAfterMs: number,
): Promise<SubmissionRow | undefined> {
  const { way } = kind.whenUnknown;
  const canTell = row.baseline !== null && row.baseline !== UNKNOWN_COUNT;
  const isRestored = row.reason === 'restored';
  if (way === 'reconcile' && canTell) {
    return machine.delivery.transition(row, 'unknown', {
      maybe_sent: true,
      next_at: later(machine.clock(), machine.pace.checkWaitsMs[0] ?? 0),
    });
  }
  if (way === 'repeat' && !isRestored) {
    const waitMs = fullJitter(row.attempts, machine.pace.retryMs, machine.random);
    const next_at = later(machine.clock(), waitMs);
    return machine.delivery.transition(row, 'unknown', { reason: 'repeated', maybe_sent: true, next_at });
  }
  const unknown =
    row.state === 'unknown' ? row : await machine.delivery.transition(row, 'unknown', { maybe_sent: true });
  if (!unknown) return undefined;
  const reason = isRestored ? 'restored' : way === 'reconcile' ? 'cannot-tell' : 'cannot-look';
  return machine.delivery.transition(unknown, 'needs-person', { reason }, { notifyAfterMs });
}
