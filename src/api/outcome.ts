import type { FieldProblem } from './problems.ts';

/**
 * Why a call certainly changed nothing, although its input may be valid. All but `too-large` may be retried.
 *
 * - `too-large`: the request was over the size limit and wasn't sent. Permanent.
 * - `not-connected`, `address-not-allowed`: the workspace has no service, or its address is forbidden. Retry after
 *   somebody has changed that.
 * - `busy`: because of other reads there was no connection, or no memory for the response, within the time limit.
 * - `lease-too-short`: too little of the sender's lease was left, so another instance may have taken over the row.
 */
const NOT_APPLIED_CAUSES = [
  'name-not-resolved',
  'connection-refused',
  'connect-timeout',
  'unreachable',
  'tls',
  'rate-limited',
  'too-large',
  'not-connected',
  'address-not-allowed',
  'lease-too-short',
  'busy',
] as const;
export type NotAppliedCause = (typeof NOT_APPLIED_CAUSES)[number];

/** Why the outcome of a call is unknown. */
const UNKNOWN_CAUSES = [
  'timed-out',
  'connection-lost',
  'unexpected-status',
  'unreadable-answer',
  'answer-too-large',
  'success-false',
] as const;
export type UnknownCause = (typeof UNKNOWN_CAUSES)[number];

/** How a call ended. Every end that isn't certain is `unknown`. Reads and writes are classified alike. */
export type Ending<T> =
  | {
      kind: 'done';
      data: T;
      /** The list in `data` is incomplete. */
      isTruncated?: boolean;
    }
  | { kind: 'invalid'; problems: readonly FieldProblem[] }
  | { kind: 'refused'; status: number }
  | {
      kind: 'not-applied';
      cause: NotAppliedCause;
      retryAfterMs?: number;
      /** Slack user ids of the people who can fix the cause, if known. */
      ask?: readonly string[];
    }
  | {
      kind: 'unknown';
      cause: UnknownCause;
      status?: number;
      /** From the Retry-After header, for instance of a 503. */
      retryAfterMs?: number;
    };

/** An ending with the X-Request-Id that the call was sent with. */
export type Outcome<T> = Ending<T> & { requestId: string };

/** Maps the data of a successful outcome. Other outcomes stay as they are. */
export function mapDone<T, R>(
  outcome: Outcome<T>,
  read: (data: T, at: { isTruncated?: boolean }) => R,
): Outcome<R> {
  return outcome.kind === 'done' ? { ...outcome, data: read(outcome.data, outcome) } : outcome;
}

/** Causes for which nothing was sent and the service isn't to blame. */
export const NOT_SENT_CAUSES: readonly NotAppliedCause[] = [
  'not-connected',
  'address-not-allowed',
  'too-large',
  'lease-too-short',
];

/** Neither a success nor a refusal. The last known answer of the service most likely still holds. */
export function isInconclusive(outcome: Outcome<unknown>): boolean {
  if (outcome.kind === 'unknown') return true;
  return outcome.kind === 'not-applied' && !NOT_SENT_CAUSES.includes(outcome.cause);
}
