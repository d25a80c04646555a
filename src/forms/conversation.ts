import { z } from 'zod';
import type { Call } from '../handlers/call.ts';
import { findGuests } from '../handlers/guests.ts';
import { listBoundProjects } from '../preferences/bindings.ts';
import { within } from '../promises.ts';
import {
  type AudienceResult,
  audience as audienceSchema,
  guestsSchema,
  resolveAudience,
} from '../slack/audience.ts';
import { APP_NAME } from '../slack/name.ts';
import { getSlackErrorCode, isTransient } from '../slack/slack-errors.ts';

export const conversationSchema = z.object({
  channel: z.string(),
  /** Whether the app can send messages to the channel. 'unknown': Slack refused. 'not-checked': a temporary failure. */
  state: z.enum(['fine', 'not-in', 'archived', 'unknown', 'not-checked']),
  /** The channel's readers; absent if Slack didn't return them. */
  audience: audienceSchema.optional(),
  /** Absent if Slack didn't return this property. */
  isPrivate: z.boolean().optional(),
  /** The channel's name. Absent if Slack didn't return it. */
  name: z.string().optional(),
  /** Whether guests are in the channel. Absent if nobody asked. */
  guests: guestsSchema.optional(),
  boundProjectIds: z.array(z.string()),
});
export type Conversation = z.infer<typeof conversationSchema>;

/** Slack's errors for a channel without the bot. For a private channel, Slack returns 'channel_not_found'. */
const NOT_IN_CHANNEL_ERRORS = ['channel_not_found', 'not_in_channel'];

/** Reads a channel from Slack. If `previous` is an earlier result for the same channel, its audience is reused. */
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
    const { is_private: isPrivate, name } = info;
    const audience = await resolveAudience(call, info, knownAudience);
    const properties = {
      ...base,
      ...(audience && { audience }),
      ...(isPrivate !== undefined && { isPrivate }),
      ...(name !== undefined && { name }),
    };
    if (info.is_archived) return { ...properties, state: 'archived' };
    return { ...properties, state: info.is_member ? 'fine' : 'not-in' };
  } catch (error) {
    if (NOT_IN_CHANNEL_ERRORS.includes(getSlackErrorCode(error) ?? '')) return { ...base, state: 'not-in' };
    log.info({ reference, err: error }, 'could not check a channel');
    return { ...base, state: isTransient(error) ? 'not-checked' : 'unknown' };
  }
}

/** Reads a channel and whether guests are in it. If `previous` is an earlier result for the channel, reuses both. */
export async function readConversationWithGuests(
  call: Call,
  channel: string,
  previous?: Conversation,
): Promise<Conversation> {
  const knownGuests = previous?.channel === channel ? previous.guests : undefined;
  const [conversation, guests] = await Promise.all([
    readConversation(call, channel, previous),
    knownGuests ?? findGuests(call, channel),
  ]);
  return { ...conversation, guests };
}

/** Returns the readers of a channel. 'not-checked': a temporary failure. Undefined: Slack didn't return them. */
export function getAudience(conversation: Conversation | undefined): AudienceResult {
  return conversation?.state === 'not-checked' ? 'not-checked' : conversation?.audience;
}

/** Renders why the app can't send messages to the channel, and what to do (plain text). Undefined if it can. */
export function renderChannelFault({ state }: Pick<Conversation, 'state'>): string | undefined {
  if (state === 'archived') return 'This channel is archived. Choose another.';
  if (state !== 'not-in') return undefined;
  return `I’m not in this channel, so I can’t post there. Type /invite @${APP_NAME} in it, then save again.`;
}

/** Whether an id is the id of a channel, which begins with C or G. Direct messages and people have other ids. */
export function isChannelId(id: string | undefined): id is string {
  return id !== undefined && /^[CG]/.test(id);
}

/** Whether the actor is in a channel. 'unknown': Slack failed, or was too slow. */
type Membership = 'yes' | 'no' | 'unknown';

/**
 * Members on a page. Slack requires less than 1000:
 * https://docs.slack.dev/reference/methods/conversations.members#pagination
 */
const PAGE_SIZE = 999;

/** Why the actor may not choose the channel (plain text). `ability` completes "only its members can …". */
export async function findMembershipFault(
  call: Call,
  conversation: Conversation,
  ability: string,
): Promise<string | undefined> {
  if (conversation.isPrivate === false) return undefined;
  const membership = conversation.isPrivate ? await checkMembership(call, conversation.channel) : 'unknown';
  if (membership === 'yes') return undefined;
  return membership === 'no'
    ? `You’re not in this private channel, and only its members can ${ability}.\nNothing was saved: ask one of them, or choose another channel.`
    : 'I couldn’t check whether you’re in this channel.\nNothing was saved: try again, or choose a public channel.';
}

/** Checks whether the actor is in the channel, for at most half of the time that Slack allows for a response. */
async function checkMembership(call: Call, channel: string): Promise<Membership> {
  const { context, log, reference } = call;
  const timeout = new AbortController();
  const searchPromise = searchMembers(call, channel, timeout.signal).catch((error: unknown): Membership => {
    log.info({ reference, err: error }, 'could not check channel membership');
    return 'unknown';
  });
  const membership = await within(context.pace.acknowledgementTimeoutMs / 2, searchPromise);
  timeout.abort();
  return membership ?? 'unknown';
}

/** Searches the members of the channel for the actor, page by page, until the signal is aborted. */
async function searchMembers(
  { client, actor }: Call,
  channel: string,
  signal: AbortSignal,
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
  } while (cursor && !signal.aborted);
  return cursor ? 'unknown' : 'no';
}
