import { z } from 'zod';
import { onTop } from '../slack/bolt/interactions.ts';
import { respond } from '../slack/bolt/response-url.ts';
import { inert } from '../slack/message.ts';
import { APP_NAME } from '../slack/name.ts';

const asked = z.looseObject({
  type: z.string().optional(),
  command: z.string().optional(),
  response_url: z.string().optional(),
});

type Ack = (payload?: unknown) => Promise<void>;

/**
 * Somebody asks from a workspace that the app is not, or no longer, installed in. Without a token nothing can be said
 * but what answers the request itself.
 */
export async function answerStranger(
  body: unknown,
  ack: Ack,
  at: { installUrl: string | undefined; apiUrl: string | undefined },
): Promise<void> {
  const { data = {} } = asked.safeParse(body);
  const text = strangerWords(at.installUrl);
  if (data.command !== undefined) return ack({ ...inert({ text }), response_type: 'ephemeral' });
  if (data.type === 'view_submission') return ack(onTop(text));
  if (data.type?.endsWith('_suggestion')) return ack({ options: [] });
  await ack();
  if (data.response_url !== undefined) {
    await respond(data.response_url, { text }, { replace: false, apiUrl: at.apiUrl });
  }
}

function strangerWords(installUrl: string | undefined): string {
  const there = `${APP_NAME} is not installed in this workspace.`;
  return installUrl === undefined
    ? `${there} It serves another one alone.`
    : `${there} Somebody who may install apps here can do it: <${installUrl}>`;
}
