import type { FieldProblem } from './problems.ts';
import type { Paging } from './records.ts';

/**
 * Reasons why a call certainly changed nothing, although its input may be valid. The call may be retried, except after
 * `too-large`.
 *
 * - `too-large`: the request exceeds the size limit and wasn't sent.
 * - `not-connected`: the workspace has no service. Retry after somebody has connected one.
 * - `address-not-allowed`: the address of the service is forbidden. Retry after somebody has changed it.
 * - `busy`: other reads used all connections, or all slots for large responses, until the time limit.
 * - `lease-too-short`: the sender's lease was about to expire, so another instance may have claimed the row.
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

/** Reasons why the outcome of a call is unknown. */
const UNKNOWN_CAUSES = [
  'timed-out',
  'connection-lost',
  'unexpected-status',
  'unreadable-response',
  'response-too-large',
  'success-false',
] as const;
export type UnknownCause = (typeof UNKNOWN_CAUSES)[number];

/** An outcome without its request's id. `unknown`: any uncertain result, of reads as well as of writes. */
export type OutcomeDetails<T> =
  | {
      kind: 'done';
      data: T;
      /** True if the list in `data` is incomplete. */
      isTruncated?: boolean;
      /** What the envelope around `data` says about further records. */
      paging?: Paging;
    }
  | { kind: 'invalid'; problems: readonly FieldProblem[] }
  /** With the status 200, the body says that the request failed. `problems`: the reason, if the service gave one. */
  | { kind: 'refused'; status: number; problems?: readonly FieldProblem[] }
  | {
      kind: 'not-applied';
      cause: NotAppliedCause;
      retryAfterMs?: number;
      /** Slack user ids of the people who can fix the cause, if known. */
      contactIds?: readonly string[];
    }
  | {
      kind: 'unknown';
      cause: UnknownCause;
      status?: number;
      /** From the Retry-After header, for example of a 503. */
      retryAfterMs?: number;
      /** The reason of a failure after which the record may exist, if the service gave one. */
      problems?: readonly FieldProblem[];
    };

/** The outcome of a call, with the call's X-Request-Id. */
export type Outcome<T> = OutcomeDetails<T> & { requestId: string };

/** HTTP statuses for invalid tokens and missing rights. */
const ACCESS_REFUSALS: readonly number[] = [401, 403];

export function isAccessRefusal(status: number): boolean {
  return ACCESS_REFUSALS.includes(status);
}

/** Maps the data of a successful outcome. Returns other outcomes unchanged. */
export function mapDone<T, R>(
  outcome: Outcome<T>,
  convert: (data: T, meta: { isTruncated?: boolean; paging?: Paging }) => R,
): Outcome<R> {
  return outcome.kind === 'done' ? { ...outcome, data: convert(outcome.data, outcome) } : outcome;
}

/** Causes on our side: nothing was sent, so the call shows nothing about the state of the service. */
export const NOT_SENT_CAUSES: readonly NotAppliedCause[] = [
  'not-connected',
  'address-not-allowed',
  'too-large',
  'lease-too-short',
];

/**
 * Whether the outcome says nothing about the requested records: the service didn't answer, or refused the token. Cached
 * data is then most likely still valid.
 */
export function isInconclusive(outcome: Outcome<unknown>): boolean {
  if (outcome.kind === 'unknown') return true;
  if (outcome.kind === 'refused') return isAccessRefusal(outcome.status);
  return outcome.kind === 'not-applied' && !NOT_SENT_CAUSES.includes(outcome.cause);
}
