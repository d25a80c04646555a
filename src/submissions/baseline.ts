import type { ApiClient } from '../api/client.ts';
import type { Outcome } from '../api/outcome.ts';
import type { AnyKind } from './kind.ts';
import type { SubmissionRow } from './submission.ts';
import type { SubmissionContext } from './submission-context.ts';

/**
 * Baseline after a failed count. If the send then has an unknown outcome, it can't be reconciled, and the author
 * decides whether to send again.
 */
export const UNKNOWN_COUNT = -1;

/**
 * Result of the count. `transitionedRow`: the row after its transition, because an earlier send may have created the
 * post. `refusal`: the count failed.
 */
type BaselineResult =
  | { baseline: number | null }
  | { transitionedRow: SubmissionRow | undefined }
  | { refusal: Exclude<Outcome<number | 'cannot-tell'>, { kind: 'done' | 'invalid' }> };

/** Counts equal posts before a send. The row must have the lock. */
export async function countBaseline(input: {
  context: SubmissionContext;
  row: SubmissionRow;
  kind: AnyKind;
  content: unknown;
  api: ApiClient;
  options: { notifyAfterMs: number };
  report(calls: 'reads', outcome: Outcome<unknown>): void;
}): Promise<BaselineResult> {
  const { context, row, kind, options } = input;
  if (kind.unknownOutcome.strategy !== 'reconcile') return { baseline: null };
  const outcome = await kind.unknownOutcome.countEqual(input.api, input.content);
  input.report('reads', outcome);
  if (outcome.kind === 'done') {
    if (outcome.data === 'cannot-tell') return { baseline: UNKNOWN_COUNT };
    const transition = findRepeatedSendTransition(row, outcome.data);
    if (!transition) return { baseline: outcome.data };
    return {
      transitionedRow: await context.verbs.settle(row, transition.to, transition.change, {
        notifyAfterMs: options.notifyAfterMs,
      }),
    };
  }
  // Creating a post may work even if listing posts fails.
  if (outcome.kind === 'invalid') return { baseline: UNKNOWN_COUNT };
  return { refusal: outcome };
}

/**
 * Finds the transition of a row if an earlier send may have created the post. Returns undefined if the row can be sent
 * again.
 */
function findRepeatedSendTransition(row: SubmissionRow, count: number) {
  if (!row.maybe_sent) return undefined;
  // Without a baseline, the author decides whether an equal post is this post.
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
