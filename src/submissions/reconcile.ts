import type { ApiClient } from '../api/client.ts';
import type { Outcome } from '../api/outcome.ts';
import { fullJitter } from '../delivery/backoff.ts';
import type { AnyKind } from './kind.ts';
import type { Machine } from './machine.ts';
import { isAccessRefusal, pause } from './pause.ts';
import { readContent } from './read-content.ts';
import type { SubmissionRow } from './sql/submissions.ts';
import { wait } from './wait.ts';

/**
 * Reconciles a row of unknown outcome: counts equal posts in the service's list. One more than the baseline means that
 * the service has it. A count that fails is repeated later. Reconciling never sends anything.
 */
export async function reconcile(
  machine: Machine,
  found: SubmissionRow,
  kind: AnyKind,
): Promise<SubmissionRow | undefined> {
  const { baseline } = found;
  const read = readContent(machine, kind, found);
  if (kind.whenUnknown.way !== 'reconcile' || !read || baseline === null) {
    return wait(machine, found, machine.pace.probeMs);
  }
  const { content } = read;
  const api = await machine.apiFor(found.workspace, found.project ?? undefined);
  const at = api && { workspace: found.workspace, address: api.address };
  const entered = at && machine.breakerOf(at, 'reads').enter('probe', api.credential);
  if (!api || !entered) return reconcileLater(machine, found, machine.pace.probeMs);
  if ('waitMs' in entered) return reconcileLater(machine, found, entered.waitMs);
  try {
    return await look({ machine, found, kind, content, baseline, api, report: entered.report });
  } finally {
    entered.leave();
  }
}

interface Looking {
  machine: Machine;
  found: SubmissionRow;
  kind: AnyKind;
  content: unknown;
  baseline: number;
  api: ApiClient;
  report(outcome: Outcome<unknown>): void;
}

async function look(at: Looking): Promise<SubmissionRow | undefined> {
  const { machine, found, kind, api, baseline } = at;
  const looking =
    found.state === 'reconciling'
      ? found
      : await machine.delivery.transition(found, 'reconciling', {}, { keep: true });
  if (!looking || kind.whenUnknown.way !== 'reconcile') return undefined;
  await machine.pace.at?.('reconciling');
  const outcome = await kind.whenUnknown.count(api, at.content);
  at.report(outcome);
  if (outcome.kind !== 'done') {
    if (outcome.kind === 'refused' && isAccessRefusal(outcome.status)) {
      await pause(machine, api, found, outcome.status);
      return reconcileLater(machine, looking, machine.pace.probeMs * (1 + 0.1 * machine.random()));
    }
    return reconcileLater(machine, looking);
  }
  if (outcome.data === 'cannot-tell')
    return machine.delivery.transition(looking, 'needs-person', { reason: 'cannot-tell' });
  if (outcome.data === baseline + 1) return machine.delivery.transition(looking, 'confirmed');
  if (outcome.data > baseline)
    return machine.delivery.transition(looking, 'needs-person', { reason: 'more' });
  const checks = looking.checks + 1;
  const nextMs = machine.pace.checkWaitsMs[checks];
  if (nextMs === undefined)
    return machine.delivery.transition(looking, 'needs-person', { reason: 'absent', checks });
  return wait(machine, looking, nextMs, { checks });
}

/** Repeats a failed count with backoff, for as long as sending would be retried. */
async function reconcileLater(
  machine: Machine,
  row: SubmissionRow,
  ms = fullJitter(row.checks + 3, machine.pace.retryMs, machine.random),
): Promise<SubmissionRow | undefined> {
  const leftMs = row.changed_at.getTime() + machine.pace.giveUpMs - machine.clock().getTime();
  if (leftMs < 0) return machine.delivery.transition(row, 'needs-person', { reason: 'cannot-tell' });
  return wait(machine, row, Math.min(ms, leftMs + 1));
}
