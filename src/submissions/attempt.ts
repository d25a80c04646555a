import { randomUUID } from 'node:crypto';
import { type ApiClient, withSendPermit } from '../api/client.ts';
import type { Outcome } from '../api/outcome.ts';
import { currentHalt } from '../delivery/halt.ts';
import type { Permit } from '../delivery/permit.ts';
import { afterRefusal, afterSending } from './after-sending.ts';
import { countEquals } from './baseline.ts';
import { checkStillSendable, overdueTransition } from './check-still-sendable.ts';
import type { AnyKind } from './kind.ts';
import type { Machine } from './machine.ts';
import { pausedForMs } from './pause.ts';
import { readContent } from './read-content.ts';
import { lockEquals } from './sql/lock-equals.ts';
import type { SubmissionRow } from './sql/submissions.ts';
import { capAtDeadline, wait } from './wait.ts';

/** The circumstances of an attempt. */
export interface By {
  /** Whether the call may probe a service behind an open circuit breaker. False while a person waits for the answer. */
  probe: boolean;
  /** Delay of the author's notification, ms. 0 unless the caller shows the result itself. */
  notifyAfterMs: number;
}

/**
 * One attempt to send a claimed row in `saved` or `retryable`, or in `unknown` if its kind is safe to repeat. Resolves
 * with the current row, or with undefined if another instance has changed it.
 */
export async function attempt(
  machine: Machine,
  row: SubmissionRow,
  by: By,
): Promise<SubmissionRow | undefined> {
  const kind = machine.kindOf(row.kind);
  const read = readContent(machine, kind, row);
  if (!kind || !read) return wait(machine, row, machine.pace.probeMs, { ignoreDeadline: true });
  const { content } = read;
  const stopped = await checkStillSendable(machine, row, kind, content);
  if (stopped)
    return machine.delivery.transition(row, stopped.to, stopped.change, { notifyAfterMs: by.notifyAfterMs });

  if (await currentHalt(machine.db)) return postpone(machine, row, by, machine.pace.probeMs, 'halted');
  const api = await machine.apiFor(row.workspace, row.project ?? undefined);
  const heldMs = api ? await pausedForMs(machine, api, row) : machine.pace.probeMs;
  if (!api || heldMs !== undefined) return postpone(machine, row, by, heldMs ?? 0, 'paused');
  const entered = enter(machine, { workspace: row.workspace, api, kind, by });
  if ('waitMs' in entered) return postpone(machine, row, by, entered.waitMs);
  try {
    return await send({ machine, row, kind, content, api, by, report: entered.report });
  } finally {
    entered.leave();
  }
}

/** Reschedules a row that can't be sent now for reasons other than its content. */
function postpone(
  machine: Machine,
  row: SubmissionRow,
  by: By,
  waitMs: number,
  reason?: 'paused' | 'halted',
) {
  // The acknowledgement to a waiting person must not overtake the result of the next attempt.
  const ms = by.probe ? waitMs : Math.max(waitMs, machine.pace.afterAcknowledgementMs);
  if (row.state === 'unknown') return wait(machine, row, ms);
  const next_at = new Date(machine.clock().getTime() + ms + machine.random() * machine.pace.lockMs);
  const to = row.state === 'saved' || reason ? 'retryable' : undefined;
  if (to === undefined) return wait(machine, row, ms);
  return machine.delivery.transition(row, to, {
    next_at: capAtDeadline(machine, row, next_at),
    refusal: row.refusal,
    ...(reason && { reason }),
  });
}

type Report = (calls: 'reads' | 'writes', outcome: Outcome<unknown>) => void;

/** Enters the circuit breakers for one count and one send, or returns how long to wait. */
function enter(
  machine: Machine,
  { workspace, api, kind, by }: { workspace: string; api: ApiClient; kind: AnyKind; by: By },
): { waitMs: number } | { report: Report; leave(): void } {
  const at = { workspace, address: api.address };
  const as = by.probe ? 'probe' : undefined;
  const writes = machine.breakerOf(at, 'writes').enter(as, api.credential);
  if ('waitMs' in writes) return writes;
  if (kind.whenUnknown.way !== 'reconcile') {
    return { report: (_calls, outcome) => writes.report(outcome), leave: () => writes.leave() };
  }
  const reads = machine.breakerOf(at, 'reads').enter(as, api.credential);
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

interface Sending {
  machine: Machine;
  row: SubmissionRow;
  kind: AnyKind;
  content: unknown;
  api: ApiClient;
  by: By;
  report: Report;
}

async function send(at: Sending): Promise<SubmissionRow | undefined> {
  const { machine, row, kind, content, api, by, report } = at;
  const lockKey = await lockKeyFor(at);
  if (lockKey !== undefined && !row.locked && !(await lockEquals(machine.db, row, lockKey))) {
    return wait(machine, row, machine.pace.lockMs * (0.5 + machine.random()));
  }
  const counted = await countEquals({ ...at, lockKey });
  if ('stopped' in counted) return counted.stopped;
  if ('refused' in counted)
    return afterRefusal(machine, row, { api, outcome: counted.refused, notifyAfterMs: by.notifyAfterMs });
  // Counting may have taken until after the publishing time.
  const past = overdueTransition(machine, row, kind, content);
  if (past)
    return machine.delivery.transition(row, past.to, past.change, { notifyAfterMs: by.notifyAfterMs });

  await machine.pace.at?.('before-sending');
  const attempts = row.attempts + 1;
  const sending = await machine.delivery.send(row, 'sending', {
    ...{ attempts, baseline: counted.baseline, checks: 0 },
  });
  if (!sending) return undefined;
  await machine.pace.at?.('after-sending');
  const outcome = await sendOnce(at, sending.permit);
  report('writes', outcome);
  machine.endpoints.report(row.endpoint, outcome);
  await machine.pace.at?.('before-result');
  const wasUnknown = row.state === 'unknown';
  const ended = await afterSending(machine, sending.row, {
    api,
    kind,
    outcome,
    wasUnknown,
    notifyAfterMs: by.notifyAfterMs,
  });
  await machine.pace.at?.('after-result');
  return ended;
}

/**
 * The lock key of a submission; at most one with the same key is in flight. Equal posts of all workspaces share a key,
 * because they share the service's list. Other keys belong to one tenant. Undefined if no lock is needed.
 */
async function lockKeyFor({ machine, row, kind, content, api }: Sending): Promise<string | undefined> {
  const { whenUnknown } = kind;
  if (whenUnknown.way === 'repeat') return row.fingerprint ?? undefined;
  if (whenUnknown.way !== 'reconcile') return undefined;
  const equal = whenUnknown.fingerprint(content);
  return machine.lockKeyOf({ address: api.address, kind: kind.name, project: row.project ?? '', equal });
}

/** Doesn't send if the lease was granted too late, because another instance may claim the row during the call. */
async function sendOnce({ kind, content, api }: Sending, permit: Permit): Promise<Outcome<unknown>> {
  if (!permit.mayBegin()) return { kind: 'not-applied', cause: 'lease-too-short', requestId: randomUUID() };
  return kind.send(withSendPermit(api, permit.mayBegin), content);
}
