import type { ApiClient } from '../api/client.ts';
import type { Outcome } from '../api/outcome.ts';
import { fullJitter } from '../delivery/backoff.ts';
import { hold, isNoAccess } from './hold.ts';
import type { AnyKind } from './kind.ts';
import type { Machine } from './machine.ts';
import { readContent } from './read-content.ts';
import type { SubmissionRow } from './sql/submissions.ts';
import { wait } from './waiting.ts';

/**
 * One look for what may have arrived: one more than before it was sent, and it is there. A look that fails counts for
 * nothing, the next comes later. Nothing is ever sent by looking.
 */
export async function reconcile(
  machine: Machine,
  found: SubmissionRow,
  kind: AnyKind,
): Promise<SubmissionRow | undefined> {
  const { baseline } = found;
  const read = readContent(machine, kind, found);
  if (kind.whenUnknown.way !== 'look' || !read || baseline === null) {
    return wait(machine, found, machine.pace.holdMs);
  }
  const { content } = read;
  const api = await machine.apiFor(found.workspace, found.project ?? undefined);
  const at = api && { workspace: found.workspace, address: api.address };
  const entered = at && machine.breakerOf(at, 'reads').enter('probe', api.credential);
  if (!api || !entered) return lookLater(machine, found, machine.pace.holdMs);
  if ('waitMs' in entered) return lookLater(machine, found, entered.waitMs);
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
  if (!looking || kind.whenUnknown.way !== 'look') return undefined;
  await machine.pace.at?.('reconciling');
  const outcome = await kind.whenUnknown.count(api, at.content);
  at.report(outcome);
  if (outcome.kind !== 'done') {
    if (outcome.kind === 'refused' && isNoAccess(outcome.status)) {
      await hold(machine, api, found, outcome.status);
      return lookLater(machine, looking, machine.pace.holdMs * (1 + 0.1 * machine.random()));
    }
    return lookLater(machine, looking);
  }
  if (outcome.data === 'cannot-tell')
    return machine.delivery.transition(looking, 'needs-person', { why: 'cannot-tell' });
  if (outcome.data === baseline + 1) return machine.delivery.transition(looking, 'confirmed');
  if (outcome.data > baseline) return machine.delivery.transition(looking, 'needs-person', { why: 'more' });
  const looks = looking.looks + 1;
  const nextMs = machine.pace.looksMs[looks];
  if (nextMs === undefined)
    return machine.delivery.transition(looking, 'needs-person', { why: 'absent', looks });
  return wait(machine, looking, nextMs, { looks });
}

/** The service is out of reach: as long as one tries to send, one tries to look. */
async function lookLater(
  machine: Machine,
  row: SubmissionRow,
  ms = fullJitter(row.looks + 3, machine.pace.retryMs, machine.random),
): Promise<SubmissionRow | undefined> {
  const leftMs = row.changed_at.getTime() + machine.pace.giveUpMs - machine.clock().getTime();
  if (leftMs < 0) return machine.delivery.transition(row, 'needs-person', { why: 'cannot-tell' });
  return wait(machine, row, Math.min(ms, leftMs + 1));
}
