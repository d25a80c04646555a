import { z } from 'zod';
import type { Ending } from '../outcome.ts';
import { readProblems } from '../problems.ts';
import { TRUNCATED } from './exchange.ts';
import { readRetryAfter } from './retry-after.ts';

/**
 * The statuses that say the request was looked at and turned down, so nothing was changed. 422 and 429 are told apart
 * from these; 408, 409 and whatever else is not named here is unknown.
 */
const REFUSED: ReadonlySet<number> = new Set([400, 401, 403, 404, 413]);

const envelope = z.object({ success: z.boolean(), data: z.unknown().optional() });

export interface Answer {
  response: Response;
  /** The text of a 2xx. */
  data?: unknown;
  /** The body of anything else, parsed where it is JSON. */
  error?: unknown;
}

function endingOfSuccess(text: unknown, { status, headers }: Response): Ending<unknown> {
  try {
    const answer = envelope.safeParse(JSON.parse(typeof text === 'string' ? text : '')).data;
    if (answer?.success === true)
      return { kind: 'done', data: answer.data, ...(headers.has(TRUNCATED) && { isTruncated: true }) };
    return { kind: 'unknown', cause: answer ? 'success-false' : 'unreadable-answer', status };
  } catch {
    return { kind: 'unknown', cause: 'unreadable-answer', status };
  }
}

/** What an answer says about its request; `now` (ms) is for a Retry-After that is a date. */
export function endingOf(answer: Answer, now: number): Ending<unknown> {
  const { status, ok, headers } = answer.response;
  if (ok) return endingOfSuccess(answer.data, answer.response);
  if (status === 422) return { kind: 'invalid', problems: readProblems(answer.error) };
  if (REFUSED.has(status)) return { kind: 'refused', status };
  const retryAfterMs = readRetryAfter(headers.get('retry-after'), now);
  const asked = retryAfterMs === undefined ? {} : { retryAfterMs };
  if (status !== 429) return { kind: 'unknown', cause: 'unexpected-status', status, ...asked };
  return { kind: 'not-applied', cause: 'rate-limited', ...asked };
}
