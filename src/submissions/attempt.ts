import { randomUUID } from 'node:crypto';
import { type ApiClient, withSendPermit } from '../api/client.ts';
import type { Outcome } from '../api/outcome.ts';
import { haltOf } from '../delivery/halt.ts';
import type { Permit } from '../delivery/permit.ts';
import { afterRefusal, afterSending } from './after-sending.ts';
import { countEquals } from './baseline.ts';
import { heldFor } from './hold.ts';
import type { AnyKind } from './kind.ts';
import type { Machine } from './machine.ts';
import { readContent } from './read-content.ts';
import { lockEquals } from './sql/lock-equals.ts';
import type { SubmissionRow } from './sql/submissions.ts';
import { inTime, wait } from './waiting.ts';
import { pastIts, whyNot } from './why-not.ts';

/** Who brings it on its way. */
export interface By {
  /** In the background one call may try out whether the service is back; a person who waits for an answer does not. */
  probe: boolean;
  /** When its person is told by somebody else of what they should learn here; 0 at once. */
  notifyAfterMs: number;
}

/**
 * One try to send what is in the caller's hands, in `saved` or `retryable` (or `unknown`, where repeating is safe).
 * Resolves with the row as it stands; undefined where it was taken from the caller meanwhile.
 */
export async function attempt(
  machine: Machine,
  row: SubmissionRow,
  by: By,
): Promise<SubmissionRow | undefined> {
  const kind = machine.kindOf(row.kind);
  const read = readContent(machine, kind, row);
  if (!kind || !read) return wait(machine, row, machine.pace.holdMs, { evenPast: true });
  const { content } = read;
  const stopped = await whyNot(machine, row, kind, content);
  if (stopped)
    return machine.delivery.transition(row, stopped.to, stopped.change, { notifyAfterMs: by.notifyAfterMs });

  if (await haltOf(machine.db)) return putOff(machine, row, by, machine.pace.holdMs, 'halted');
  const api = await machine.apiFor(row.workspace, row.project ?? undefined);
  const heldMs = api ? await heldFor(machine, api, row) : machine.pace.holdMs;
  if (!api || heldMs !== undefined) return putOff(machine, row, by, heldMs ?? 0, 'held');
  const entered = enter(machine, { workspace: row.workspace, api, kind, by });
  if ('waitMs' in entered) return putOff(machine, row, by, entered.waitMs);
  try {
    return await send({ machine, row, kind, content, api, by, report: entered.report });
  } finally {
    entered.leave();
  }
}

/** Not now, and through no fault of its own. */
function putOff(machine: Machine, row: SubmissionRow, by: By, waitMs: number, why?: 'held' | 'halted') {
  // Who waits for it is answered first: what the next try shows is not to be overtaken by that.
  const ms = by.probe ? waitMs : Math.max(waitMs, machine.pace.afterAcknowledgementMs);
  if (row.state === 'unknown') return wait(machine, row, ms);
  const next_at = new Date(machine.clock().getTime() + ms + machine.random() * machine.pace.lockMs);
  const to = row.state === 'saved' || why ? 'retryable' : undefined;
  if (to === undefined) return wait(machine, row, ms);
  return machine.delivery.transition(row, to, {
    next_at: inTime(machine, row, next_at),
    reason: row.reason,
    ...(why && { why }),
  });
}

type Report = (calls: 'reads' | 'writes', outcome: Outcome<unknown>) => void;

/** A permit for a count and a send, or how long there is none. */
function enter(
  machine: Machine,
  { workspace, api, kind, by }: { workspace: string; api: ApiClient; kind: AnyKind; by: By },
): { waitMs: number } | { report: Report; leave(): void } {
  const at = { workspace, address: api.address };
  const as = by.probe ? 'probe' : undefined;
  const writes = machine.breakerOf(at, 'writes').enter(as, api.credential);
  if ('waitMs' in writes) return writes;
  if (kind.whenUnknown.way !== 'look') {
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
  // A service that is slow to list may take its time past that.
  const past = pastIts(machine, row, kind, content);
  if (past)
    return machine.delivery.transition(row, past.to, past.change, { notifyAfterMs: by.notifyAfterMs });

  await machine.pace.at?.('before-sending');
  const attempts = row.attempts + 1;
  const sending = await machine.delivery.send(row, 'sending', {
    ...{ attempts, baseline: counted.baseline, looks: 0 },
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
 * What only one submission may have in flight: equal posts share the service's list, whichever workspace sends them;
 * everything else is a tenant's own. Undefined where nothing stands in another's way.
 */
async function lockKeyFor({ machine, row, kind, content, api }: Sending): Promise<string | undefined> {
  const { whenUnknown } = kind;
  if (whenUnknown.way === 'repeat') return row.fingerprint ?? undefined;
  if (whenUnknown.way !== 'look') return undefined;
  const equal = whenUnknown.fingerprint(content);
  return machine.lockKeyOf({ address: api.address, kind: kind.name, project: row.project ?? '', equal });
}

/** Whoever got the lease too late sends nothing: by now the row may be somebody else's. */
async function sendOnce({ kind, content, api }: Sending, permit: Permit): Promise<Outcome<unknown>> {
  if (!permit.mayBegin()) return { kind: 'not-applied', cause: 'lease-too-short', requestId: randomUUID() };
  return kind.send(withSendPermit(api, permit.mayBegin), content);
}
