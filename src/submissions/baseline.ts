import type { ApiClient } from '../api/client.ts';
import type { Outcome } from '../api/outcome.ts';
import type { AnyKind } from './kind.ts';
import type { SubmissionRow } from './sql/submissions.ts';
import type { SubmissionContext } from './submission-context.ts';

/**
 * Baseline of a submission whose equal posts couldn't be counted. After an unknown outcome the author decides whether
 * to send again.
 */
export const UNKNOWN_COUNT = -1;

/**
 * `transitionedRow`: the row isn't sent, because equal posts were found. `refusal`: the service didn't list its posts.
 */
type BaselineResult =
  | { baseline: number | null }
  | { transitionedRow: SubmissionRow | undefined }
  | { refusal: Exclude<Outcome<number | 'cannot-tell'>, { kind: 'done' | 'invalid' }> };

/** Counts equal posts before a send. The caller has locked these posts. */
export async function countBaseline(input: {
  context: SubmissionContext;
  row: SubmissionRow;
  kind: AnyKind;
  content: unknown;
  api: ApiClient;
  options: { notifyAfterMs: number };
  report(calls: 'reads', outcome: Outcome<unknown>): void;
  lockKey: string | undefined;
}): Promise<BaselineResult> {
  const { context, row, kind, options, content, lockKey } = input;
  if (kind.unknownOutcome.strategy !== 'reconcile') return { baseline: null };
  const earlyOutcome =
    lockKey === undefined
      ? undefined
      : await context.earlyCounts.findCount(input.api, row, kind, { content, lockKey });
  const outcome = earlyOutcome ?? (await kind.unknownOutcome.countEqual(input.api, input.content));
  if (!earlyOutcome) input.report('reads', outcome);
  if (outcome.kind === 'done') {
    if (outcome.data === 'cannot-tell') return { baseline: UNKNOWN_COUNT };
    const transition = findRepeatedSendTransition(row, outcome.data);
    if (!transition) return { baseline: outcome.data };
    return {
      transitionedRow: await context.delivery.transition(row, transition.to, transition.change, {
        notifyAfterMs: options.notifyAfterMs,
      }),
    };
  }
  // Listing may fail while creating works. After an unknown outcome the author decides whether to send again.
  if (outcome.kind === 'invalid') return { baseline: UNKNOWN_COUNT };
  return { refusal: outcome };
}

/**
 * Finds the transition that replaces a repeated send, if the equal posts may include the post from the first send.
 * Returns undefined if the row can be sent again.
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
