import type { Answer } from '../deliver/app-connection.ts';

/** The error that Slack shows to the person if the app didn't acknowledge. */
export function getDeliveryError(answer: Answer): string | undefined {
  if (answer.kind === 'acknowledged') return undefined;
  return answer.kind === 'late' ? 'operation_timeout' : 'dispatch_failed';
}
