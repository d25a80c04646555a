import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import type { Call } from '../../app/call.ts';
import { boundProjects } from '../../preferences/bindings.ts';
import { type AudienceResult, audience, resolveAudience } from '../../slack/audience.ts';
import { APP_NAME } from '../../slack/name.ts';
import { getSlackErrorCode, isTransient } from '../../slack/slack-errors.ts';

/** A channel, as far as it concerns a digest. */
export const conversation = z.object({
  channel: z.string(),
  /**
   * Whether the app can post in the channel. `unknown`: Slack refused to answer; `not-checked`: the request failed for a
   * passing reason.
   */
  state: z.enum(['fine', 'not-in', 'archived', 'unknown', 'not-checked']),
  /** The channel's readers; absent if Slack didn't return them. */
  audience: audience.optional(),
  /** Absent if Slack didn't return it. */
  isPrivate: z.boolean().optional(),
  /** Ids of the projects that the channel is bound to. */
  bound: z.array(z.string()),
});
export type Conversation = z.infer<typeof conversation>;

/** Slack's errors for a channel without the bot. `channel_not_found` is also the error for private channels. */
const NOT_IN = ['channel_not_found', 'not_in_channel'];

/** `before`: an earlier result. Its audience is reused if it is for the same channel. */
export async function readConversation(
  call: Call,
  channel: string,
  before?: Conversation,
): Promise<Conversation> {
  const { client, context, actor, log, reference } = call;
  const bound = await boundProjects(context.db, { workspace: actor.workspace, channel });
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
    const code = getSlackErrorCode(error) ?? String(error);
    if (NOT_IN.includes(code)) return { ...at, state: 'not-in' };
    log.info({ reference, reason: code }, 'could not check the channel of a digest');
    return { ...at, state: isTransient(error) ? 'not-checked' : 'unknown' };
  }
}

/** The readers of a channel, as `fetchAudience` returns them. */
export function audienceOfChannel(conversation: Conversation | undefined): AudienceResult {
  return conversation?.state === 'not-checked' ? 'not-checked' : conversation?.audience;
}

/** Why the app can't post in the channel, and what to do. Plain text; undefined if nothing is known to prevent it. */
export function channelFaultText({ state }: Pick<Conversation, 'state'>): string | undefined {
  switch (state) {
    case 'not-in':
      return `I am not in this channel, so I cannot post there. Type /invite @${APP_NAME} in it, then save again.`;
    case 'archived':
      return 'This channel is archived, so nothing can be posted there. Choose another.';
    default:
      return undefined;
  }
}

/** `unknown`: Slack failed, or was too slow. */
type Membership = 'yes' | 'no' | 'unknown';

/** Must be less than 1000: https://docs.slack.dev/reference/methods/conversations.members#pagination */
const PAGE_SIZE = 999;

/** Why the author can't set up a digest in the channel. Plain text; undefined if they can. */
export async function authorFaultText(call: Call, conversation: Conversation): Promise<string | undefined> {
  if (conversation.isPrivate === false) return undefined;
  switch (conversation.isPrivate ? await checkMembership(call, conversation.channel) : 'unknown') {
    case 'yes':
      return undefined;
    case 'no':
      return "You're not in this private channel, so only its members can set up a digest there. Nothing was saved. Ask one of them, or choose another channel.";
    case 'unknown':
      return "I couldn't check whether you're in this channel. Nothing was saved. Try again, or choose a public channel.";
  }
}

/** Whether the actor is in the channel. May take half of the time that Slack gives for an answer to a submission. */
async function checkMembership(call: Call, channel: string): Promise<Membership> {
  const { context, log, reference } = call;
  const timeout = new AbortController();
  const search = searchMembers(call, channel, timeout.signal).catch((error: unknown): Membership => {
    log.info(
      { reference, reason: getSlackErrorCode(error) ?? String(error) },
      'could not check channel membership',
    );
    return 'unknown';
  });
  const found = await Promise.race([search, delay(context.pace.answerMs / 2, undefined, { ref: false })]);
  timeout.abort();
  return found ?? 'unknown';
}

async function searchMembers(
  { client, actor }: Call,
  channel: string,
  timeout: AbortSignal,
): Promise<Membership> {
  let cursor: string | undefined;
  do {
    const page = await client.conversations.members({
      channel,
      limit: PAGE_SIZE,
      ...(cursor && { cursor }),
    });
    if (!page.members) return 'unknown';
    if (page.members.includes(actor.user)) return 'yes';
    cursor = page.response_metadata?.next_cursor;
  } while (cursor && !timeout.aborted);
  return cursor ? 'unknown' : 'no';
}
