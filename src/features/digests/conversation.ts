import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import type { Call } from '../../app/call.ts';
import { boundProjects } from '../../preferences/bindings.ts';
import { type AudienceAnswer, audience, resolveAudience } from '../../slack/audience.ts';
import { APP_NAME } from '../../slack/name.ts';
import { isTransient, slackErrorCode } from '../../slack/slack-trouble.ts';

/** A channel as a digest would find it. */
export const conversation = z.object({
  channel: z.string(),
  /** `unknown`: Slack refuses to say whether a digest can be posted there; `not-checked`: it didn't answer this time. */
  state: z.enum(['fine', 'not-in', 'archived', 'unknown', 'not-checked']),
  /** Who reads it; absent where Slack does not say. */
  audience: audience.optional(),
  /** Absent where Slack does not say. */
  isPrivate: z.boolean().optional(),
  /** What it is about now: ids in the service. */
  bound: z.array(z.string()),
});
export type Conversation = z.infer<typeof conversation>;

/** Also the answer for a private channel that the bot was not invited to. */
const NOT_IN = ['channel_not_found', 'not_in_channel'];

/** `before`: what was found out earlier, of this channel or another. */
export async function readConversation(
  call: Call,
  channel: string,
  before?: Conversation,
): Promise<Conversation> {
  const { client, context, who, log, reference } = call;
  const bound = await boundProjects(context.db, { workspace: who.workspace, channel });
  const at = { channel, bound };
  const known = before?.channel === channel ? before.audience : undefined;
  try {
    const { channel: found = {} } = await client.conversations.info({ channel });
    const { is_private: isPrivate } = found;
    const audience = await resolveAudience(call, found, known);
    const seen = {
      ...at,
      ...(audience && { audience }),
      ...(isPrivate !== undefined && { isPrivate }),
    };
    if (found.is_archived) return { ...seen, state: 'archived' };
    return { ...seen, state: found.is_member ? 'fine' : 'not-in' };
  } catch (error) {
    const code = slackErrorCode(error) ?? String(error);
    if (NOT_IN.includes(code)) return { ...at, state: 'not-in' };
    log.info({ reference, reason: code }, 'whether a digest can be posted is not known');
    return { ...at, state: isTransient(error) ? 'not-checked' : 'unknown' };
  }
}

/** Who reads it, as `fetchAudience` says it. */
export function audienceAt(conversation: Conversation | undefined): AudienceAnswer {
  return conversation?.state === 'not-checked' ? 'not-checked' : conversation?.audience;
}

/** What keeps a digest from being posted there, and what to do. Plain text; undefined where nothing does. */
export function channelTrouble({ state }: Pick<Conversation, 'state'>): string | undefined {
  switch (state) {
    case 'not-in':
      return `I am not in this channel, so I cannot post there. Type /invite @${APP_NAME} in it, then save again.`;
    case 'archived':
      return 'This channel is archived, so nothing can be posted there. Choose another.';
    default:
      return undefined;
  }
}

/** `unknown`: Slack did not say, or not in time. */
type Membership = 'yes' | 'no' | 'unknown';

/** Slack takes less than 1000: https://docs.slack.dev/reference/methods/conversations.members#pagination */
const PAGE_LIMIT = 999;

/** Why the author may not have a digest posted there. Plain text; undefined where nothing stands in the way. */
export async function authorTrouble(call: Call, conversation: Conversation): Promise<string | undefined> {
  if (conversation.isPrivate === false) return undefined;
  switch (conversation.isPrivate ? await membership(call, conversation.channel) : 'unknown') {
    case 'yes':
      return undefined;
    case 'no':
      return "You're not in this private channel, so only its members can set up a digest there. Nothing was saved. Ask one of them, or choose another channel.";
    case 'unknown':
      return "I couldn't check whether you're in this channel. Nothing was saved. Try again, or choose a public channel.";
  }
}

/** Whether the person is in the channel. A submission is answered within 3 s, and half of that is for the rest. */
async function membership(call: Call, channel: string): Promise<Membership> {
  const { context, log, reference } = call;
  const late = new AbortController();
  const looking = lookThrough(call, channel, late.signal).catch((error: unknown): Membership => {
    log.info(
      { reference, reason: slackErrorCode(error) ?? String(error) },
      'could not check channel membership',
    );
    return 'unknown';
  });
  const found = await Promise.race([looking, delay(context.pace.answerMs / 2, undefined, { ref: false })]);
  late.abort();
  return found ?? 'unknown';
}

async function lookThrough({ client, who }: Call, channel: string, late: AbortSignal): Promise<Membership> {
  let cursor: string | undefined;
  do {
    const page = await client.conversations.members({
      channel,
      limit: PAGE_LIMIT,
      ...(cursor && { cursor }),
    });
    if (!page.members) return 'unknown';
    if (page.members.includes(who.user)) return 'yes';
    cursor = page.response_metadata?.next_cursor;
  } while (cursor && !late.aborted);
  return cursor ? 'unknown' : 'no';
}
