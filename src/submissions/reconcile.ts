import type { ApiClient } from '../api/client.ts';
import type { Outcome } from '../api/outcome.ts';
import { computeFullJitterMs } from '../delivery/backoff.ts';
import { reschedule } from './apply-send-outcome.ts';
import type { AnyKind } from './kind.ts';
import type { Machine } from './machine.ts';
import { isAccessRefusal, pauseAfterRefusal } from './pause.ts';
import type { SubmissionRow } from './sql/submissions.ts';
import { readContent } from './submission.ts';

/**
 * Reconciles a row whose outcome is unknown: counts equal posts in the service's list. If the count is the baseline
 * plus one, the service has the post. A failed count is repeated later. Reconciling never sends anything.
 */
export async function reconcile(
  machine: Machine,
  row: SubmissionRow,
  kind: AnyKind,
): Promise<SubmissionRow | undefined> {
  const { baseline } = row;
  const contentResult = readContent(machine, kind, row);
  if (kind.whenUnknown.way !== 'reconcile' || !contentResult || baseline === null) {
    return reschedule(machine, row, machine.pace.probeMs);
  }
  const { content } = contentResult;
  const api = await machine.apiFor(row.workspace, row.project ?? undefined);
  const service = api && { workspace: row.workspace, address: api.address };
  const permit = service && machine.getBreaker(service, 'reads').enter('probe', api.credential);
  if (!api || !permit) return reconcileLater(machine, row, machine.pace.probeMs);
  if ('waitMs' in permit) return reconcileLater(machine, row, permit.waitMs);
  try {
    return await countAndDecide({ machine, row, kind, content, baseline, api, report: permit.report });
  } finally {
    permit.release();
  }
}

interface CountInput {
  machine: Machine;
  row: SubmissionRow;
  kind: AnyKind;
  content: unknown;
  baseline: number;
  api: ApiClient;
  report(outcome: Outcome<unknown>): void;
}

/** Counts equal posts once and transitions the row, or schedules the next count. */
async function countAndDecide(input: CountInput): Promise<SubmissionRow | undefined> {
  const { machine, row, kind, api, baseline } = input;
  const reconcilingRow =
    row.state === 'reconciling'
      ? row
      : await machine.delivery.transition(row, 'reconciling', {}, { keepClaim: true });
  if (!reconcilingRow || kind.whenUnknown.way !== 'reconcile') return undefined;
  await machine.pace.onCrashPoint?.('reconciling');
  const outcome = await kind.whenUnknown.count(api, input.content);
  input.report(outcome);
  if (outcome.kind !== 'done') {
    if (outcome.kind === 'refused' && isAccessRefusal(outcome.status)) {
      await pauseAfterRefusal(machine, api, row, outcome.status);
      return reconcileLater(machine, reconcilingRow, machine.pace.probeMs * (1 + 0.1 * machine.random()));
    }
    return reconcileLater(machine, reconcilingRow);
  }
  if (outcome.data === 'cannot-tell')
    return machine.delivery.transition(reconcilingRow, 'needs-person', { reason: 'cannot-tell' });
  if (outcome.data === baseline + 1) return machine.delivery.transition(reconcilingRow, 'confirmed');
  if (outcome.data > baseline)
    return machine.delivery.transition(reconcilingRow, 'needs-person', { reason: 'several-found' });
  const checks = reconcilingRow.checks + 1;
  const waitMs = machine.pace.checkWaitsMs[checks];
  if (waitMs === undefined)
    return machine.delivery.transition(reconcilingRow, 'needs-person', { reason: 'not-found', checks });
  return reschedule(machine, reconcilingRow, waitMs, { checks });
}

/**
 * Schedules the next count with backoff after a failed count. After `giveUpMs` in the row's state, the author decides
 * whether to send again.
 */
async function reconcileLater(
  machine: Machine,
  row: SubmissionRow,
  waitMs = computeFullJitterMs(row.checks + 3, machine.pace.retryMs, machine.random),
): Promise<SubmissionRow | undefined> {
  const remainingMs = row.changed_at.getTime() + machine.pace.giveUpMs - machine.clock().getTime();
  if (remainingMs < 0) return machine.delivery.transition(row, 'needs-person', { reason: 'cannot-tell' });
  return reschedule(machine, row, Math.min(waitMs, remainingMs + 1));
}
