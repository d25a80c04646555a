import type { ApiClient } from '../api/client.ts';
import { isAccessRefusal, type Outcome } from '../api/outcome.ts';
import { computeFullJitterMs } from '../engine/backoff.ts';
import { reschedule } from './apply-send-outcome.ts';
import { readContent } from './content.ts';
import { findService } from './fingerprint.ts';
import type { AnyKind } from './kind.ts';
import { pauseAfterRefusal } from './pause.ts';
import { type SubmissionRow, UNKNOWN_COUNT } from './submission.ts';
import type { SubmissionContext } from './submission-context.ts';

/**
 * Reconciles a row after an unknown outcome: counts equal posts in the service's list. If there is exactly one more
 * than before the send, the service has the post. Never sends anything.
 */
export async function reconcile(
  context: SubmissionContext,
  row: SubmissionRow,
  kind: AnyKind,
): Promise<SubmissionRow | undefined> {
  const { baseline } = row;
  const contentResult = readContent(context, kind, row);
  if (kind.unknownOutcome.strategy !== 'reconcile' || !contentResult || baseline === null) {
    return reschedule(context, row, context.pace.probeIntervalMs);
  }
  const { content } = contentResult;
  const { api, isOther } = await findService(context, row);
  if (isOther) return context.verbs.settle(row, 'unsure', { reason: 'other-service-uncertain' });
  const service = api && { workspace: row.workspace, address: api.address };
  const permit = service && context.getBreaker(service, 'reads').enter('when-due', api.credential);
  if (!api || !permit) return reconcileLater(context, row, context.pace.probeIntervalMs);
  if ('waitMs' in permit) return reconcileLater(context, row, permit.waitMs);
  try {
    return await countAndTransition({ context, row, kind, content, baseline, api, report: permit.report });
  } finally {
    permit.release();
  }
}

/** Counts equal posts once. Transitions the row, or schedules the next count. */
async function countAndTransition(input: {
  context: SubmissionContext;
  row: SubmissionRow;
  kind: AnyKind;
  content: unknown;
  baseline: number;
  api: ApiClient;
  report(outcome: Outcome<unknown>): void;
}): Promise<SubmissionRow | undefined> {
  const { context, row, kind, api, baseline } = input;
  const reconcilingRow = row.state === 'reconciling' ? row : await context.verbs.goOn(row, 'reconciling');
  if (!reconcilingRow || kind.unknownOutcome.strategy !== 'reconcile') return undefined;
  await context.pace.onCrashPoint?.('reconciling');
  const outcome = await kind.unknownOutcome.countEqual(api, input.content);
  input.report(outcome);
  if (outcome.kind !== 'done') {
    const isAccessRefused = outcome.kind === 'refused' && isAccessRefusal(outcome.status);
    const isPaused = isAccessRefused && (await pauseAfterRefusal(context, api, row, outcome.status));
    const waitMs = context.pace.probeIntervalMs * (1 + 0.1 * context.random());
    return reconcileLater(context, reconcilingRow, isPaused ? waitMs : undefined);
  }
  if (outcome.data === 'cannot-tell')
    return context.verbs.settle(reconcilingRow, 'unsure', { reason: 'cannot-tell' });
  if (outcome.data === baseline + 1) return context.verbs.settle(reconcilingRow, 'confirmed');
  if (outcome.data > baseline)
    return context.verbs.settle(reconcilingRow, 'unsure', { reason: 'several-found' });
  const checks = reconcilingRow.checks + 1;
  const waitMs = context.pace.reconcileDelaysMs[checks];
  if (waitMs === undefined)
    return context.verbs.settle(reconcilingRow, 'unsure', { reason: 'not-found', checks });
  return reschedule(context, reconcilingRow, waitMs, { checks });
}

/** Schedules the next count after a failed one. After `giveUpMs` in the same state, the author decides. */
async function reconcileLater(
  context: SubmissionContext,
  row: SubmissionRow,
  waitMs = computeFullJitterMs(row.checks + 3, context.pace.retryBackoff, context.random),
): Promise<SubmissionRow | undefined> {
  const remainingMs = row.changed_at.getTime() + context.pace.giveUpMs - context.clock.readShared().getTime();
  if (remainingMs < 0) return context.verbs.settle(row, 'unsure', { reason: 'cannot-tell' });
  return reschedule(context, row, Math.min(waitMs, remainingMs + 1));
}

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
  options: { notifyAfterMs?: number };
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

/** Finds the transition of a row whose post an earlier send may have created. Undefined if it can be sent again. */
function findRepeatedSendTransition(row: SubmissionRow, count: number) {
  if (!row.maybe_sent) return undefined;
  // Without a baseline, the author decides whether an equal post is this post.
  if (row.baseline === null || row.baseline === UNKNOWN_COUNT) {
    return count === 0
      ? undefined
      : { to: 'unsure' as const, change: { reason: 'equal-found' as const, baseline: count } };
  }
  if (count === row.baseline + 1) return { to: 'confirmed' as const, change: {} };
  return count > row.baseline
    ? { to: 'unsure' as const, change: { reason: 'several-found' as const } }
    : undefined;
}
