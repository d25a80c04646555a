import { z } from 'zod';
import { inert } from '../message.ts';
import { onTop } from './interactions.ts';
import { respond } from './response-url.ts';
import { kindOf } from './unknown-request.ts';

const asked = z.looseObject({
  type: z.string().optional().catch(undefined),
  command: z.string().optional().catch(undefined),
  response_url: z.string().optional().catch(undefined),
});

/**
 * Answers a request by what the request itself allows, in the form that its kind takes. A submission's form stays
 * underneath with every word; a mention or another event gets no answer.
 */
export async function answerWithoutToken(
  body: unknown,
  ack: (payload?: unknown) => Promise<void>,
  { text, apiUrl }: { text: string; apiUrl: string | undefined },
): Promise<void> {
  const { data = {} } = asked.safeParse(body);
  if (data.command !== undefined) return ack({ ...inert({ text }), response_type: 'ephemeral' });
  if (isSubmission(body)) return ack(onTop(text));
  if (data.type?.endsWith('_suggestion')) return ack({ options: [] });
  await ack();
  if (data.response_url !== undefined) await respond(data.response_url, { text }, { replace: false, apiUrl });
}

export function isSubmission(body: unknown): boolean {
  return kindOf(body) === 'view_submission';
}

/** What people read where nothing was done about their request. `problem` is the beginning of a sentence. */
export function nothingDone(problem: string, body: unknown, reference: string): string {
  return isSubmission(body)
    ? `${problem}, so nothing was sent. Your form is still here: go back and submit it again in a minute. Reference: ${reference}`
    : `${problem}, so nothing was done. Please try again in a minute. Reference: ${reference}`;
}
