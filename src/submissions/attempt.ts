import { randomUUID } from 'node:crypto';
import { type ApiClient, withSendPermit } from '../api/client.ts';
import type { Outcome } from '../api/outcome.ts';
import { findHalt } from '../delivery/halt.ts';
import type { Permit } from '../delivery/permit.ts';
import { applyRefusal, applySendOutcome, capAtDeadline, reschedule } from './apply-send-outcome.ts';
import { countBaseline } from './baseline.ts';
import { checkStillSendable, findOverdueTransition } from './check-still-sendable.ts';
import type { AnyKind } from './kind.ts';
import type { Machine } from './machine.ts';
import { findPauseMs } from './pause.ts';
import { lockEquals } from './sql/earlier-submissions.ts';
import type { SubmissionRow } from './sql/submissions.ts';
import { readContent } from './submission.ts';

/** Options of an attempt. */
export interface AttemptOptions {
  /**
   * Whether the call may probe a service whose circuit breaker is open. False while the author waits for a response.
   */
  mayProbe: boolean;
  /** Delay of the author's notification, ms. 0 if the caller doesn't show the result. */
  notifyAfterMs: number;
}

/**
 * Attempts to send a claimed row in `saved` or `retryable`, or in `unknown` if its kind is safe to repeat. Resolves
 * with the changed row, or with undefined if another instance has changed the row.
 */
export async function attempt(
  machine: Machine,
  row: SubmissionRow,
  options: AttemptOptions,
): Promise<SubmissionRow | undefined> {
  const kind = machine.findKind(row.kind);
  const contentResult = readContent(machine, kind, row);
  if (!kind || !contentResult)
    return reschedule(machine, row, machine.pace.probeMs, { ignoreDeadline: true });
  const { content } = contentResult;
  const blocked = await checkStillSendable(machine, row, kind, content);
  if (blocked)
    return machine.delivery.transition(row, blocked.to, blocked.change, {
      notifyAfterMs: options.notifyAfterMs,
    });

  if (await findHalt(machine.db)) return postpone(machine, row, options, machine.pace.probeMs, 'halted');
  const api = await machine.apiFor(row.workspace, row.project ?? undefined);
  const pausedMs = api ? await findPauseMs(machine, api, row) : machine.pace.probeMs;
  if (!api || pausedMs !== undefined) return postpone(machine, row, options, pausedMs ?? 0, 'paused');
  const permit = enterBreakers(machine, { workspace: row.workspace, api, kind, options });
  if ('waitMs' in permit) return postpone(machine, row, options, permit.waitMs);
  try {
    return await send({ machine, row, kind, content, api, options, report: permit.report });
  } finally {
    permit.leave();
  }
}

/** Reschedules a row that can't be sent now for reasons other than its content. */
function postpone(
  machine: Machine,
  row: SubmissionRow,
  options: AttemptOptions,
  waitMs: number,
  reason?: 'paused' | 'halted',
) {
  // While the author waits for the acknowledgement, the result of a retry must not overtake it.
  const delayMs = options.mayProbe ? waitMs : Math.max(waitMs, machine.pace.afterAcknowledgementMs);
  if (row.state === 'unknown') return reschedule(machine, row, delayMs);
  const next_at = new Date(machine.clock().getTime() + delayMs + machine.random() * machine.pace.lockMs);
  const to = row.state === 'saved' || reason ? 'retryable' : undefined;
  if (to === undefined) return reschedule(machine, row, delayMs);
  return machine.delivery.transition(row, to, {
    next_at: capAtDeadline(machine, row, next_at),
    refusal: row.refusal,
    ...(reason && { reason }),
  });
}

type Report = (calls: 'reads' | 'writes', outcome: Outcome<unknown>) => void;

/** Enters the circuit breakers for one count and one send, or returns the wait if a breaker is open. */
function enterBreakers(
  machine: Machine,
  {
    workspace,
    api,
    kind,
    options,
  }: { workspace: string; api: ApiClient; kind: AnyKind; options: AttemptOptions },
): { waitMs: number } | { report: Report; leave(): void } {
  const service = { workspace, address: api.address };
  const mode = options.mayProbe ? 'probe' : undefined;
  const writes = machine.getBreaker(service, 'writes').enter(mode, api.credential);
  if ('waitMs' in writes) return writes;
  if (kind.whenUnknown.way !== 'reconcile') {
    return { report: (_calls, outcome) => writes.report(outcome), leave: () => writes.leave() };
  }
  const reads = machine.getBreaker(service, 'reads').enter(mode, api.credential);
  if ('waitMs' in reads) {
    writes.leave();
    return reads;
  }
  return {
    report: (calls, outcome) => (calls === 'reads' ? reads : writes).report(outcome),
    leave() {
      reads.leave();
      writes.leave();
    },
  };
}

interface SendInput {
  machine: Machine;
  row: SubmissionRow;
  kind: AnyKind;
  content: unknown;
  api: ApiClient;
  options: AttemptOptions;
  report: Report;
}

/** Locks equal posts, counts them, and sends a row that is still sendable. */
async function send(input: SendInput): Promise<SubmissionRow | undefined> {
  const { machine, row, kind, content, api, options, report } = input;
  const lockKey = await findLockKey(input);
  if (lockKey !== undefined && !row.locked && !(await lockEquals(machine.db, row, lockKey))) {
    return reschedule(machine, row, machine.pace.lockMs * (0.5 + machine.random()));
  }
  const countResult = await countBaseline({ ...input, lockKey });
  if ('transitioned' in countResult) return countResult.transitioned;
  if ('refused' in countResult)
    return applyRefusal(machine, row, {
      api,
      outcome: countResult.refused,
      notifyAfterMs: options.notifyAfterMs,
    });
  // The publishing time may have passed during the count.
  const overdue = findOverdueTransition(machine, row, kind, content);
  if (overdue)
    return machine.delivery.transition(row, overdue.to, overdue.change, {
      notifyAfterMs: options.notifyAfterMs,
    });

  await machine.pace.onCrashPoint?.('before-sending');
  const attempts = row.attempts + 1;
  const lease = await machine.delivery.send(row, 'sending', {
    ...{ attempts, baseline: countResult.baseline, checks: 0 },
  });
  if (!lease) return undefined;
  await machine.pace.onCrashPoint?.('after-sending');
  const outcome = await sendOnce(input, lease.permit);
  report('writes', outcome);
  machine.endpointLimits.report(row.endpoint, outcome);
  await machine.pace.onCrashPoint?.('before-result');
  const wasUnknown = row.state === 'unknown';
  const updatedRow = await applySendOutcome(machine, lease.row, {
    api,
    kind,
    outcome,
    wasUnknown,
    notifyAfterMs: options.notifyAfterMs,
  });
  await machine.pace.onCrashPoint?.('after-result');
  return updatedRow;
}

/**
 * Finds the lock key of a submission. At most one submission with the same key is in flight. Equal posts of all
 * workspaces share a key, because they share the service's list. Keys of other kinds belong to one tenant. Resolves
 * with undefined if the kind needs no lock.
 */
async function findLockKey({ machine, row, kind, content, api }: SendInput): Promise<string | undefined> {
  const { whenUnknown } = kind;
  if (whenUnknown.way === 'repeat') return row.fingerprint ?? undefined;
  if (whenUnknown.way !== 'reconcile') return undefined;
  const equal = whenUnknown.computeFingerprint(content);
  return machine.computeLockKey({ address: api.address, kind: kind.name, project: row.project ?? '', equal });
}

/** Makes the call, unless the lease was granted too late: then another instance may claim the row during the call. */
async function sendOnce({ kind, content, api }: SendInput, permit: Permit): Promise<Outcome<unknown>> {
  if (!permit.mayBegin()) return { kind: 'not-applied', cause: 'lease-too-short', requestId: randomUUID() };
  return kind.send(withSendPermit(api, permit.mayBegin), content);
}
