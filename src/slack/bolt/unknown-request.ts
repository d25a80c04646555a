import { onTop } from './interactions.ts';
import { outdatedMessage } from './outdated.ts';

/** The acknowledgement that a kind needs, whatever it holds. */
export function answerUnknown(kind: string): object | undefined {
  // An empty one would close a form, and its words would be gone.
  if (kind === 'view_submission') return onTop(outdatedMessage().text);
  return kind.endsWith('_suggestion') ? { options: [] } : undefined;
}

/** Slack's `type`, as far as there is one: what is no text may not even be turned into one. */
export function kindOf(body: unknown): string {
  const type = typeof body === 'object' && body !== null && 'type' in body ? body.type : undefined;
  return typeof type === 'string' ? type : typeof body;
}
