import type { FieldProblem } from './problems.ts';

/**
 * Why a call certainly changed nothing, with nobody's input to blame. `too-large` is permanent (the request was over
 * the limit and never sent); the others may be tried again, `not-connected` (there is no service for it yet) and
 * `address-not-allowed` once somebody has changed that. `busy`: other reads left it no connection, or no place for its
 * answer, within its time. `lease-too-short`: whoever wanted to send it had waited so long that somebody else may have
 * taken it over meanwhile.
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

/** Why nobody knows whether a call was applied. */
const UNKNOWN_CAUSES = [
  'timed-out',
  'connection-lost',
  'unexpected-status',
  'unreadable-answer',
  'answer-too-large',
  'success-false',
] as const;
export type UnknownCause = (typeof UNKNOWN_CAUSES)[number];

/** How a call ended. What is not on a list of certain ends is `unknown`; reads and writes are classed alike. */
export type Ending<T> =
  | {
      kind: 'done';
      data: T;
      /** The list in it is not the whole one. */
      isTruncated?: boolean;
    }
  | { kind: 'invalid'; problems: readonly FieldProblem[] }
  | { kind: 'refused'; status: number }
  | {
      kind: 'not-applied';
      cause: NotAppliedCause;
      retryAfterMs?: number;
      /** Those who can mend it, in Slack's ids, where that is known. */
      ask?: readonly string[];
    }
  | {
      kind: 'unknown';
      cause: UnknownCause;
      status?: number;
      /** A 503 may say it too. */
      retryAfterMs?: number;
    };

/** An ending with the X-Request-Id that the call was sent with. */
export type Outcome<T> = Ending<T> & { requestId: string };

/** The same outcome, with what was done read by `read`. */
export function mapDone<T, R>(
  outcome: Outcome<T>,
  read: (data: T, at: { isTruncated?: boolean }) => R,
): Outcome<R> {
  return outcome.kind === 'done' ? { ...outcome, data: read(outcome.data, outcome) } : outcome;
}

/** The service was not asked, and is not to blame. */
export const NOT_ASKED: readonly NotAppliedCause[] = [
  'not-connected',
  'address-not-allowed',
  'too-large',
  'lease-too-short',
];

/** The service said neither yes nor no: what it said last most likely still holds. */
export function isSilent(outcome: Outcome<unknown>): boolean {
  if (outcome.kind === 'unknown') return true;
  return outcome.kind === 'not-applied' && !NOT_ASKED.includes(outcome.cause);
}
