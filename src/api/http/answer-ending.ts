import { z } from 'zod';
import type { Ending } from '../outcome.ts';
import { readProblems } from '../problems.ts';
import { TRUNCATED_HEADER } from './exchange.ts';
import { readRetryAfter } from './retry-after.ts';

/**
 * Statuses that say that the request was refused and nothing was changed. 422 and 429 are handled separately. 408, 409
 * and all other statuses leave the outcome unknown.
 */
const REFUSED: ReadonlySet<number> = new Set([400, 401, 403, 404, 413]);

const envelope = z.object({ success: z.boolean(), data: z.unknown().optional() });

export interface Answer {
  response: Response;
  /** The body of a 2xx response, as text. */
  data?: unknown;
  /** The body of any other response, parsed if it is JSON. */
  error?: unknown;
}

function classifySuccess(text: unknown, { status, headers }: Response): Ending<unknown> {
  try {
    const answer = envelope.safeParse(JSON.parse(typeof text === 'string' ? text : '')).data;
    if (answer?.success === true)
      return { kind: 'done', data: answer.data, ...(headers.has(TRUNCATED_HEADER) && { isTruncated: true }) };
    return { kind: 'unknown', cause: answer ? 'success-false' : 'unreadable-answer', status };
  } catch {
    return { kind: 'unknown', cause: 'unreadable-answer', status };
  }
}

/** The ending that a response means. `now` (ms) is needed for a Retry-After that is a date. */
export function classifyAnswer(answer: Answer, now: number): Ending<unknown> {
  const { status, ok, headers } = answer.response;
  if (ok) return classifySuccess(answer.data, answer.response);
  if (status === 422) return { kind: 'invalid', problems: readProblems(answer.error) };
  if (REFUSED.has(status)) return { kind: 'refused', status };
  const retryAfterMs = readRetryAfter(headers.get('retry-after'), now);
  const retryAfter = retryAfterMs === undefined ? {} : { retryAfterMs };
  if (status !== 429) return { kind: 'unknown', cause: 'unexpected-status', status, ...retryAfter };
  return { kind: 'not-applied', cause: 'rate-limited', ...retryAfter };
}
