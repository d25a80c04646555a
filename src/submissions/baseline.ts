import type { ApiClient } from '../api/client.ts';
import type { Outcome } from '../api/outcome.ts';
import type { AnyKind } from './kind.ts';
import type { Machine } from './machine.ts';
import type { SubmissionRow } from './sql/submissions.ts';

/** Baseline of a submission that couldn't be counted. After an unknown outcome its author decides. */
export const UNKNOWN_COUNT = -1;

/** `stopped`: the row isn't sent, because equal posts were found. `refused`: the service couldn't be asked. */
type Counted =
  | { baseline: number | null }
  | { stopped: SubmissionRow | undefined }
  | { refused: Exclude<Outcome<number | 'cannot-tell'>, { kind: 'done' | 'invalid' }> };

/** Counts the equal posts before a send. The caller has the lock on them. */
export async function countEquals(at: {
  machine: Machine;
  row: SubmissionRow;
  kind: AnyKind;
  content: unknown;
  api: ApiClient;
  by: { notifyAfterMs: number };
  report(calls: 'reads', outcome: Outcome<unknown>): void;
  lockKey: string | undefined;
}): Promise<Counted> {
  const { machine, row, kind, by, content, lockKey } = at;
  if (kind.whenUnknown.way !== 'reconcile') return { baseline: null };
  const early =
    lockKey === undefined ? undefined : await machine.early.take(at.api, row, kind, { content, lockKey });
  const outcome = early ?? (await kind.whenUnknown.count(at.api, at.content));
  if (!early) at.report('reads', outcome);
  if (outcome.kind === 'done') {
    if (outcome.data === 'cannot-tell') return { baseline: UNKNOWN_COUNT };
    const found = recountTransition(row, outcome.data);
    if (!found) return { baseline: outcome.data };
    return {
      stopped: await machine.delivery.transition(row, found.to, found.change, {
        notifyAfterMs: by.notifyAfterMs,
      }),
    };
  }
  // Listing may be broken while creating works. After an unknown outcome the author will be asked.
  if (outcome.kind === 'invalid') return { baseline: UNKNOWN_COUNT };
  return { refused: outcome };
}

/** The transition of a row that is sent again at the author's request, if its first send has turned up since. */
function recountTransition(row: SubmissionRow, count: number) {
  if (!row.maybe_sent) return undefined;
  // Without a count before the first send, an equal post may be that one. The author is told so and decides.
  if (row.baseline === null || row.baseline === UNKNOWN_COUNT) {
    return count === 0
      ? undefined
      : { to: 'needs-person' as const, change: { reason: 'alike' as const, baseline: count } };
  }
  if (count === row.baseline + 1) return { to: 'confirmed' as const, change: {} };
  return count > row.baseline
    ? { to: 'needs-person' as const, change: { reason: 'more' as const } }
    : undefined;
}
