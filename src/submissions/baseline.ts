import type { ApiClient } from '../api/client.ts';
import type { Outcome } from '../api/outcome.ts';
import type { AnyKind } from './kind.ts';
import type { Machine } from './machine.ts';
import type { SubmissionRow } from './sql/submissions.ts';

/** What the count could not tell: where nobody knows afterwards, a person decides. */
export const UNTOLD = -1;

/** `stopped`: what is asked to be sent again is there after all. `refused`: the service did not say. */
type Counted =
  | { baseline: number | null }
  | { stopped: SubmissionRow | undefined }
  | { refused: Exclude<Outcome<number | 'cannot-tell'>, { kind: 'done' | 'invalid' }> };

/** How many equal ones there are before it is sent, while nobody else sends one. */
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
  if (kind.whenUnknown.way !== 'look') return { baseline: null };
  const early =
    lockKey === undefined ? undefined : await machine.early.take(at.api, row, kind, { content, lockKey });
  const outcome = early ?? (await kind.whenUnknown.count(at.api, at.content));
  if (!early) at.report('reads', outcome);
  if (outcome.kind === 'done') {
    if (outcome.data === 'cannot-tell') return { baseline: UNTOLD };
    const found = seenAgain(row, outcome.data);
    if (!found) return { baseline: outcome.data };
    return {
      stopped: await machine.delivery.transition(row, found.to, found.change, {
        notifyAfterMs: by.notifyAfterMs,
      }),
    };
  }
  // The list may be out of order where creating is not: what is unknown then is asked of the person.
  if (outcome.kind === 'invalid') return { baseline: UNTOLD };
  return { refused: outcome };
}

/** What is sent again because a person asked for it, and has turned up since. */
function seenAgain(row: SubmissionRow, count: number) {
  if (!row.doubted) return undefined;
  // Nobody counted before the first time: one that is there now may be it. Who presses once more knows that.
  if (row.baseline === null || row.baseline === UNTOLD) {
    return count === 0
      ? undefined
      : { to: 'needs-person' as const, change: { why: 'alike' as const, baseline: count } };
  }
  if (count === row.baseline + 1) return { to: 'confirmed' as const, change: {} };
  return count > row.baseline ? { to: 'needs-person' as const, change: { why: 'more' as const } } : undefined;
}
