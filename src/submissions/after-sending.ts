import type { ApiClient } from '../api/client.ts';
import type { Outcome } from '../api/outcome.ts';
import { fullJitter } from '../delivery/backoff.ts';
import { later } from '../delivery/later.ts';
import { UNTOLD } from './baseline.ts';
import { hold, isNoAccess, lift } from './hold.ts';
import type { AnyKind } from './kind.ts';
import type { Machine } from './machine.ts';
import type { SubmissionRow } from './sql/submissions.ts';
import { reasonOf, sealReason } from './submission.ts';
import { inTime } from './waiting.ts';

/** What the answer to a send means for the row, which is `sending`. */
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
  const isGone = outcome.kind === 'refused' && outcome.status === 404 && sent.wasUnknown && kind.goneIsDone;
  if (outcome.kind === 'done' || isGone) {
    const result = outcome.kind === 'done' ? kind.result?.(outcome.data) : undefined;
    const change = result === undefined ? {} : { result };
    const confirmed = await machine.delivery.transition(row, 'confirmed', change, { notifyAfterMs });
    await lift(machine, api, row);
    return confirmed;
  }
  if (outcome.kind !== 'unknown') return afterRefusal(machine, row, { api, outcome, notifyAfterMs });
  return nobodyKnows(machine, row, kind, notifyAfterMs);
}

/** What is surely not there: to the person, or to another try. The row is `saved`, `retryable` or `sending`. */
export async function afterRefusal(
  machine: Machine,
  row: SubmissionRow,
  refused: { api: ApiClient; outcome: Exclude<Outcome<unknown>, { kind: 'done' }>; notifyAfterMs: number },
): Promise<SubmissionRow | undefined> {
  const { api, outcome, notifyAfterMs } = refused;
  const why = reasonOf(outcome);
  const reason = why ? sealReason(machine, row.workspace, why) : null;
  if (outcome.kind === 'refused' && isNoAccess(outcome.status)) {
    await hold(machine, api, row, outcome.status);
    const next_at = later(machine.clock(), machine.pace.holdMs * (1 + 0.1 * machine.random()));
    return machine.delivery.transition(row, 'retryable', {
      why: 'held',
      next_at: inTime(machine, row, next_at),
      reason,
    });
  }
  const isFinal =
    outcome.kind === 'invalid' ||
    outcome.kind === 'refused' ||
    (outcome.kind === 'not-applied' && outcome.cause === 'too-large');
  if (isFinal) return machine.delivery.transition(row, 'refused', { reason }, { notifyAfterMs });
  const asked = outcome.kind === 'not-applied' ? (outcome.retryAfterMs ?? 0) : 0;
  const waitMs = asked + fullJitter(row.attempts + 1, machine.pace.retryMs, machine.random);
  // Who waits for it is answered first: what the next try shows is not to be overtaken by that.
  const leastMs = notifyAfterMs > 0 ? machine.pace.afterAcknowledgementMs : 0;
  const next_at = later(machine.clock(), Math.max(waitMs, leastMs));
  return machine.delivery.transition(row, 'retryable', { next_at: inTime(machine, row, next_at), reason });
}

/** Looked for, repeated or asked, as its kind says. */
export async function nobodyKnows(
  machine: Machine,
  row: SubmissionRow,
  kind: AnyKind,
  notifyAfterMs: number,
): Promise<SubmissionRow | undefined> {
  const { way } = kind.whenUnknown;
  const canTell = row.baseline !== null && row.baseline !== UNTOLD;
  const isRestored = row.why === 'restored';
  if (way === 'look' && canTell) {
    return machine.delivery.transition(row, 'unknown', {
      doubted: true,
      next_at: later(machine.clock(), machine.pace.looksMs[0] ?? 0),
    });
  }
  if (way === 'repeat' && !isRestored) {
    const waitMs = fullJitter(row.attempts, machine.pace.retryMs, machine.random);
    const next_at = later(machine.clock(), waitMs);
    return machine.delivery.transition(row, 'unknown', { why: 'repeated', doubted: true, next_at });
  }
  const unknown =
    row.state === 'unknown' ? row : await machine.delivery.transition(row, 'unknown', { doubted: true });
  if (!unknown) return undefined;
  const why = isRestored ? 'restored' : way === 'look' ? 'cannot-tell' : 'cannot-look';
  return machine.delivery.transition(unknown, 'needs-person', { why }, { notifyAfterMs });
}
