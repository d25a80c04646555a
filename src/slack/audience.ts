import { z } from 'zod';
import { limitText } from '../text-limits.ts';
import { joinWithAnd } from '../words.ts';
import type { Actor } from './actor.ts';
import { clipLine } from './blocks.ts';
import type { SlackCall } from './fetch-people.ts';
import { isTransient } from './slack-errors.ts';

/** The outsiders who read a channel, with their names. Outsiders are organisations other than the workspace's own. */
export const audience = z.object({
  /** True if another organisation is in the channel, or has been invited to it. */
  isShared: z.boolean(),
  /** Slack ids of the other organisations and workspaces, sorted. May be empty even if the channel is shared. */
  outsiders: z.array(z.string()),
  /** Names of the first outsiders. Contains only the names that Slack returns. */
  names: z.array(z.string()),
});
export type Audience = z.infer<typeof audience>;

/**
 * The result of looking up the audience of a channel. `not-checked`: the lookup failed for a transient reason, so a
 * later call may succeed. Undefined: Slack doesn't show the channel to the bot, for example a private channel without
 * the bot.
 */
export type AudienceResult = Audience | 'not-checked' | undefined;

/**
 * Whether single-channel or multi-channel guests of the workspace are in a channel. `not-checked`: the lookup failed for a
 * transient reason, so a later call may succeed. `unknown`: Slack doesn't say so, or the channel has too many people to
 * look them up.
 */
export const guestsSchema = z.enum(['yes', 'no', 'not-checked', 'unknown']);
export type Guests = z.infer<typeof guestsSchema>;

/**
 * Says that everyone in a channel reads posts, and whether guests are among them (plain text). `reads` completes "Everyone
 * in this channel …". `areKeptOut`: a policy keeps guests out of what is posted there.
 */
export function renderEveryone(
  channel: string,
  reads: string,
  { guests, areKeptOut }: { guests: Guests; areKeptOut: boolean },
): string {
  const everyone = `Everyone in ${channel}`;
  if (guests === 'no') return `${everyone} ${reads}.`;
  if (areKeptOut)
    return guests === 'yes'
      ? `${everyone} ${reads} as soon as its guests have left, because a policy keeps guests out.`
      : `${everyone} ${reads}, unless guests are in it, whom a policy keeps out (I couldn’t check).`;
  return guests === 'yes'
    ? `${everyone}, including its guests, ${reads}.`
    : `${everyone}, including any guests (I couldn’t check), ${reads}.`;
}

/**
 * Says why something isn't posted in a channel whose guests the policy of a project keeps out (plain text, no full stop).
 * Undefined if no guests are in it.
 */
export function renderGuestFault(guests: Guests): string | undefined {
  if (guests === 'no') return undefined;
  if (guests === 'yes') return 'Guests are in this channel, and the project’s policy keeps them out';
  return guests === 'unknown'
    ? 'I can’t find out whether guests are in this channel, and the project’s policy keeps them out'
    : 'I couldn’t find out just now whether guests are in this channel, and the project’s policy keeps them out';
}

/** The outsiders who read a channel, without their names. */
export type Readers = Pick<Audience, 'isShared' | 'outsiders'>;
export const INTERNAL_READERS: Readers = { isShared: false, outsiders: [] };

type LookupCall = SlackCall & { actor: Pick<Actor, 'workspace'> };

type ChannelInfo = NonNullable<Awaited<ReturnType<LookupCall['client']['conversations']['info']>>['channel']>;
/** The fields of `conversations.info` that list the workspaces in a channel. */
type SharingInfo = Pick<
  ChannelInfo,
  | 'is_ext_shared'
  | 'is_pending_ext_shared'
  | 'context_team_id'
  | 'internal_team_ids'
  | 'connected_team_ids'
  | 'shared_team_ids'
  | 'pending_connected_team_ids'
  | 'pending_shared'
>;

/** Maximum number of outsiders whose names are looked up. `team.info` is limited to 50 calls per minute. */
const MAX_NAME_LOOKUPS = 5;

/** Looks up the audience of a channel. If the outsiders are the same as in `known`, reuses the names of `known`. */
export async function fetchAudience(
  call: LookupCall,
  channel: string,
  known?: Audience,
): Promise<AudienceResult> {
  // Direct messages can't be shared with another organisation.
  if (isDirectMessage(channel)) return { isShared: false, outsiders: [], names: [] };
  return inspectChannel(call, channel, (info) => resolveAudience(call, info, known));
}

/** Looks up the readers of a channel as `fetchAudience` does, without their names. */
export function fetchReaders(
  call: LookupCall,
  channel: string,
): Promise<Readers | 'not-checked' | undefined> {
  return inspectChannel(call, channel, async (info) => parseReaders(info, call.actor.workspace));
}

async function inspectChannel<Result>(
  { client, log, reference }: LookupCall,
  channel: string,
  read: (info: SharingInfo) => Promise<Result>,
): Promise<Result | 'not-checked' | undefined> {
  try {
    const { channel: info = {} } = await client.conversations.info({ channel });
    return await read(info);
  } catch (error) {
    log.info({ reference, err: error }, 'could not find out who reads the channel');
    return isTransient(error) ? 'not-checked' : undefined;
  }
}

/**
 * Whether nobody reads a channel but members of the workspace and the outsiders for whom an owner has confirmed it.
 * `confirmed`: their ids; empty if Slack named none of them, and null if nothing was confirmed.
 */
export function areConfirmed(
  { isShared, outsiders }: { isShared: boolean; outsiders: readonly string[] },
  confirmed: readonly string[] | null,
): boolean {
  if (!isShared) return true;
  if (!confirmed) return false;
  return outsiders.length > 0 ? outsiders.every((id) => confirmed.includes(id)) : confirmed.length === 0;
}

/** True if it is certain that only members of the workspace read the channel. */
export function isInternal(result: AudienceResult): result is Audience {
  return result !== undefined && result !== 'not-checked' && !result.isShared;
}

/** Parses the response of `conversations.info`. Undefined if the response doesn't say whether the channel is shared. */
export function parseReaders(channel: SharingInfo, workspace: string): Readers | undefined {
  const { is_ext_shared: isShared, is_pending_ext_shared: isPending } = channel;
  if (isShared !== true && isPending !== true) return isShared === undefined ? undefined : INTERNAL_READERS;
  const ownIds = [workspace, channel.context_team_id, ...(channel.internal_team_ids ?? [])];
  const memberIds = [
    ...(channel.connected_team_ids ?? []),
    ...(channel.shared_team_ids ?? []),
    ...(channel.pending_connected_team_ids ?? []),
    ...(channel.pending_shared ?? []),
  ];
  const outsiders = [...new Set(memberIds)].filter((id) => !ownIds.includes(id)).toSorted();
  return { isShared: true, outsiders };
}

/** Parses the readers and looks up their names. If the outsiders are the same as in `known`, returns `known`. */
export async function resolveAudience(
  call: LookupCall,
  channel: SharingInfo,
  known: Audience | undefined,
): Promise<Audience | undefined> {
  const readers = parseReaders(channel, call.actor.workspace);
  if (!readers) return undefined;
  const { isShared, outsiders } = readers;
  const isKnown = known?.isShared === isShared && known.outsiders.join() === outsiders.join();
  if (isKnown) return known;
  const names = await Promise.all(outsiders.slice(0, MAX_NAME_LOOKUPS).map((id) => fetchTeamName(call, id)));
  return { isShared, outsiders: [...outsiders], names: names.filter((name) => name !== undefined) };
}

/**
 * Fetches the name of an organisation. Slack returns only names of organisations that share a channel with the app:
 * https://docs.slack.dev/reference/methods/team.info
 */
async function fetchTeamName(
  { client, log, reference }: LookupCall,
  id: string,
): Promise<string | undefined> {
  try {
    const { team } = await client.team.info({ team: id });
    const name = clipLine(limitText(team?.name ?? '', 'name') ?? '');
    return name === '' ? undefined : name;
  } catch (error) {
    log.info({ reference, err: error }, 'could not look up the name of an organisation');
    return undefined;
  }
}

/** Renders the names of the outsiders as plain text: "Roaster Supplies and one more organisation". */
export function renderOutsiderNames({ outsiders, names }: Audience): string {
  const unnamedCount = outsiders.length - names.length;
  if (names.length === 0) {
    const unnamed = unnamedCount > 1 ? `${unnamedCount} other organisations` : 'another organisation';
    return `${unnamed} (I couldn’t find out ${unnamedCount > 1 ? 'their names' : 'its name'})`;
  }
  const others = unnamedCount === 1 ? 'one more organisation' : `${unnamedCount} more organisations`;
  return joinWithAnd(unnamedCount > 0 ? [...names, others] : names);
}

/** Renders in plain text who will see the posts of `count` projects that are chosen for the channel. */
export function renderAudience(
  audience: AudienceResult,
  count: number,
  guests: { guests: Guests; areKeptOut: boolean },
): string {
  const posts = count === 1 ? 'the project’s' : 'these projects’';
  const everyone = renderEveryone('this channel', `can see ${posts} posts`, guests);
  if (!audience || audience === 'not-checked') return `${everyone} If it’s shared, people outside too.`;
  if (!audience.isShared) return everyone;
  const people = audience.outsiders.length > 1 ? 'their people' : 'its people';
  return `${everyone} ⚠️ It is shared with ${renderOutsiderNames(audience)}, and ${people} are members too.`;
}

/** Whether a channel is a direct message, whose id begins with D. Only its two people read it. */
export function isDirectMessage(channel: string): boolean {
  return channel.startsWith('D');
}
