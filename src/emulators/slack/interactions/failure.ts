import type { Answer } from '../deliver/courier.ts';

/** The error that Slack names to the person when an acknowledgement did not come; undefined when it came. */
export function failure(answer: Answer): string | undefined {
  if (answer.kind === 'acknowledged') return undefined;
  return answer.kind === 'late' ? 'operation_timeout' : 'dispatch_failed';
}
