import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import type { Call } from '../../app/call.ts';
import { listBoundProjects } from '../../preferences/bindings.ts';
import { type AudienceResult, audience, resolveAudience } from '../../slack/audience.ts';
import { APP_NAME } from '../../slack/name.ts';
import { getSlackErrorCode, isTransient } from '../../slack/slack-errors.ts';

/** The properties of a channel that matter to its digests. */
export const conversation = z.object({
  channel: z.string(),
  /**
   * Whether the app can send messages to the channel. `unknown`: Slack refused the request. `not-checked`: the request
   * failed for a temporary reason.
   */
  state: z.enum(['fine', 'not-in', 'archived', 'unknown', 'not-checked']),
  /** The channel's readers; absent if Slack didn't return them. */
  audience: audience.optional(),
  /** Absent if Slack didn't return it. */
  isPrivate: z.boolean().optional(),
  /** Ids of the projects that the channel is bound to. */
  boundProjectIds: z.array(z.string()),
});
export type Conversation = z.infer<typeof conversation>;

/** Slack's errors for a channel without the bot. Slack also returns `channel_not_found` for a private channel. */
const NOT_IN_CHANNEL_ERRORS = ['channel_not_found', 'not_in_channel'];

/** Reads a channel from Slack. The audience of the `previous` result is reused if it is for the same channel. */
export async function readConversation(
  call: Call,
  channel: string,
  previous?: Conversation,
): Promise<Conversation> {
  const { client, context, actor, log, reference } = call;
  const boundProjectIds = await listBoundProjects(context.db, { workspace: actor.workspace, channel });
  const base = { channel, boundProjectIds };
  const knownAudience = previous?.channel === channel ? previous.audience : undefined;
  try {
    const { channel: info = {} } = await client.conversations.info({ channel });
    const { is_private: isPrivate } = info;
    const audience = await resolveAudience(call, info, knownAudience);
    const properties = {
      ...base,
      ...(audience && { audience }),
      ...(isPrivate !== undefined && { isPrivate }),
    };
    if (info.is_archived) return { ...properties, state: 'archived' };
    return { ...properties, state: info.is_member ? 'fine' : 'not-in' };
  } catch (error) {
    const code = getSlackErrorCode(error) ?? String(error);
    if (NOT_IN_CHANNEL_ERRORS.includes(code)) return { ...base, state: 'not-in' };
    log.info({ reference, reason: code }, 'could not check the channel of a digest');
    return { ...base, state: isTransient(error) ? 'not-checked' : 'unknown' };
  }
}

/** Returns the readers of a channel as `fetchAudience` does. */
export function getAudience(conversation: Conversation | undefined): AudienceResult {
  return conversation?.state === 'not-checked' ? 'not-checked' : conversation?.audience;
}

/**
 * Renders why the app can't send messages to the channel, and what to do. Plain text; undefined if nothing is wrong.
 */
export function renderChannelFault({ state }: Pick<Conversation, 'state'>): string | undefined {
  switch (state) {
    case 'not-in':
      return `I am not in this channel, so I cannot post there. Type /invite @${APP_NAME} in it, then save again.`;
    case 'archived':
      return 'This channel is archived, so nothing can be posted there. Choose another.';
    default:
      return undefined;
  }
}

/** Whether the actor is in a channel. `unknown`: Slack failed, or was too slow. */
type Membership = 'yes' | 'no' | 'unknown';

/** Must be less than 1000: https://docs.slack.dev/reference/methods/conversations.members#pagination */
const PAGE_SIZE = 999;

/** Checks that the actor may set up a digest in the channel. Returns why not (plain text); undefined if they may. */
export async function checkAuthorMembership(
  call: Call,
  conversation: Conversation,
): Promise<string | undefined> {
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

/** Checks whether the actor is in the channel, for at most half of the time that Slack allows for a response. */
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
  const membership = await Promise.race([
    search,
    delay(context.pace.answerMs / 2, undefined, { ref: false }),
  ]);
  timeout.abort();
  return membership ?? 'unknown';
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
