import { randomUUID } from 'node:crypto';
import { type ApiClient, withSendPermit } from '../api/client.ts';
import type { Outcome } from '../api/outcome.ts';
import { findHalt, type Permit } from '../delivery/permit.ts';
import { applyRefusal, applySendOutcome, capAtDeadline, reschedule } from './apply-send-outcome.ts';
import { countBaseline } from './baseline.ts';
import { checkStillSendable, findOverdueTransition } from './check-still-sendable.ts';
import type { AnyKind } from './kind.ts';
import type { Machine } from './machine.ts';
import { findPauseMs } from './pause.ts';
import { lockEqualPosts } from './sql/earlier-submissions.ts';
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
  const blockedTransition = await checkStillSendable(machine, row, kind, content);
  if (blockedTransition)
    return machine.delivery.transition(row, blockedTransition.to, blockedTransition.change, {
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
    permit.release();
  }
}

/** Reschedules a row that can't be sent now for a reason other than its content. */
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
  const nextState = row.state === 'saved' || reason ? 'retryable' : undefined;
  if (nextState === undefined) return reschedule(machine, row, delayMs);
  return machine.delivery.transition(row, nextState, {
    next_at: capAtDeadline(machine, row, next_at),
    refusal: row.refusal,
    ...(reason && { reason }),
  });
}

type ReportOutcome = (calls: 'reads' | 'writes', outcome: Outcome<unknown>) => void;

/** Enters the circuit breakers for one count and one send, or returns the wait if a breaker is open. */
function enterBreakers(
  machine: Machine,
  {
    workspace,
    api,
    kind,
    options,
  }: { workspace: string; api: ApiClient; kind: AnyKind; options: AttemptOptions },
): { waitMs: number } | { report: ReportOutcome; release(): void } {
  const service = { workspace, address: api.address };
  const mode = options.mayProbe ? 'probe' : undefined;
  const writePermit = machine.getBreaker(service, 'writes').enter(mode, api.credential);
  if ('waitMs' in writePermit) return writePermit;
  if (kind.whenUnknown.way !== 'reconcile') {
    return { report: (_calls, outcome) => writePermit.report(outcome), release: () => writePermit.release() };
  }
  const readPermit = machine.getBreaker(service, 'reads').enter(mode, api.credential);
  if ('waitMs' in readPermit) {
    writePermit.release();
    return readPermit;
  }
  return {
    report: (calls, outcome) => (calls === 'reads' ? readPermit : writePermit).report(outcome),
    release() {
      readPermit.release();
      writePermit.release();
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
  report: ReportOutcome;
}

/** Locks and counts equal posts, and sends the row if it is still sendable. */
async function send(input: SendInput): Promise<SubmissionRow | undefined> {
  const { machine, row, kind, content, api, options, report } = input;
  const lockKey = await findLockKey(input);
  if (lockKey !== undefined && !row.locked && !(await lockEqualPosts(machine.db, row, lockKey))) {
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
  const lease = await machine.delivery.beginSending(row, 'sending', {
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
  const equalityKey = whenUnknown.computeFingerprint(content);
  return machine.computeLockKey({
    address: api.address,
    kind: kind.name,
    project: row.project ?? '',
    equalityKey,
  });
}

/** Makes the call, unless the lease was granted too late. Another instance might claim the row during a late call. */
async function sendOnce({ kind, content, api }: SendInput, permit: Permit): Promise<Outcome<unknown>> {
  if (!permit.mayBegin()) return { kind: 'not-applied', cause: 'lease-too-short', requestId: randomUUID() };
  return kind.send(withSendPermit(api, permit.mayBegin), content);
}
