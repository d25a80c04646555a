import type { ApiClient } from '../api/client.ts';
import type { Outcome } from '../api/outcome.ts';
import type { AnyKind } from './kind.ts';
import type { Machine } from './machine.ts';
import type { SubmissionRow } from './sql/submissions.ts';

/**
 * Baseline of a submission whose equal posts couldn't be counted. After an unknown outcome the author decides whether
 * to send again.
 */
export const UNKNOWN_COUNT = -1;

/** `transitioned`: the row isn't sent, because equal posts were found. `refused`: the service couldn't list posts. */
type BaselineResult =
  | { baseline: number | null }
  | { transitioned: SubmissionRow | undefined }
  | { refused: Exclude<Outcome<number | 'cannot-tell'>, { kind: 'done' | 'invalid' }> };

/** Counts equal posts before a send. The caller has locked these posts. */
export async function countBaseline(input: {
  machine: Machine;
  row: SubmissionRow;
  kind: AnyKind;
  content: unknown;
  api: ApiClient;
  options: { notifyAfterMs: number };
  report(calls: 'reads', outcome: Outcome<unknown>): void;
  lockKey: string | undefined;
}): Promise<BaselineResult> {
  const { machine, row, kind, options, content, lockKey } = input;
  if (kind.whenUnknown.way !== 'reconcile') return { baseline: null };
  const earlyOutcome =
    lockKey === undefined
      ? undefined
      : await machine.earlyCounts.findCount(input.api, row, kind, { content, lockKey });
  const outcome = earlyOutcome ?? (await kind.whenUnknown.count(input.api, input.content));
  if (!earlyOutcome) input.report('reads', outcome);
  if (outcome.kind === 'done') {
    if (outcome.data === 'cannot-tell') return { baseline: UNKNOWN_COUNT };
    const transition = findRepeatedSendTransition(row, outcome.data);
    if (!transition) return { baseline: outcome.data };
    return {
      transitioned: await machine.delivery.transition(row, transition.to, transition.change, {
        notifyAfterMs: options.notifyAfterMs,
      }),
    };
  }
  // Listing may fail while creating works. After an unknown outcome the author decides whether to send again.
  if (outcome.kind === 'invalid') return { baseline: UNKNOWN_COUNT };
  return { refused: outcome };
}

/**
 * Before a repeated send: returns the transition to apply instead, if the equal posts may include the post from the
 * first send.
 */
function findRepeatedSendTransition(row: SubmissionRow, count: number) {
  if (!row.maybe_sent) return undefined;
  // Without a count before the first send, an equal post may come from the first send. The author decides whether to
  // send again.
  if (row.baseline === null || row.baseline === UNKNOWN_COUNT) {
    return count === 0
      ? undefined
      : { to: 'needs-person' as const, change: { reason: 'equal-found' as const, baseline: count } };
  }
  if (count === row.baseline + 1) return { to: 'confirmed' as const, change: {} };
  return count > row.baseline
    ? { to: 'needs-person' as const, change: { reason: 'several-found' as const } }
    : undefined;
}
