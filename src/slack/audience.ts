import type { WebClient } from '@slack/web-api';
import { z } from 'zod';
import type { Actor } from './actor.ts';
import { clip, sanitizeLine } from './escape.ts';
import type { Log } from './log.ts';
import { isTransient, slackErrorCode } from './slack-errors.ts';

/** The readers of a channel outside the workspace, with their names. */
export const audience = z.object({
  /** Another organisation is in the channel, or has been invited. */
  isShared: z.boolean(),
  /** Slack ids of the other organisations and workspaces, sorted. May be empty even if the channel is shared. */
  outsiders: z.array(z.string()),
  /** Names of the first outsiders, as far as Slack gives them. */
  names: z.array(z.string()),
});
export type Audience = z.infer<typeof audience>;

/**
 * `not-checked`: a passing failure, so a later call may succeed. Undefined: Slack doesn't let the bot know, as with a
 * private channel that the bot isn't in.
 */
export type AudienceAnswer = Audience | 'not-checked' | undefined;

/** The readers of a channel outside the workspace, without their names. */
export type Readers = Pick<Audience, 'isShared' | 'outsiders'>;
export const INTERNAL_READERS: Readers = { isShared: false, outsiders: [] };

interface LookUpCall {
  client: WebClient;
  log: Log;
  reference: string;
  actor: Actor;
}

type ChannelInfo = NonNullable<Awaited<ReturnType<LookUpCall['client']['conversations']['info']>>['channel']>;
/** The fields of `conversations.info` that say who shares a channel. */
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

/** Outsiders whose names are looked up. `team.info` is limited to 50 calls a minute. */
const MAX_NAMED = 5;
const MAX_NAME_LENGTH = 60;

/** The audience of a channel. If the outsiders are the same as in `known`, their names aren't looked up again. */
export async function fetchAudience(
  call: LookUpCall,
  channel: string,
  known?: Audience,
): Promise<AudienceAnswer> {
  // Direct messages can't be shared.
  if (channel.startsWith('D')) return { isShared: false, outsiders: [], names: [] };
  const { client, log, reference } = call;
  try {
    const { channel: found = {} } = await client.conversations.info({ channel });
    return await resolveAudience(call, found, known);
  } catch (error) {
    log.info(
      { reference, reason: slackErrorCode(error) ?? String(error) },
      'could not find out who reads the channel',
    );
    return isTransient(error) ? 'not-checked' : undefined;
  }
}

/** Reads Slack's description of a channel. Undefined if the description doesn't say whether the channel is shared. */
export function parseReaders(found: SharingInfo, workspace: string): Readers | undefined {
  const { is_ext_shared: isShared, is_pending_ext_shared: isOffered } = found;
  if (isShared !== true && isOffered !== true) return isShared === undefined ? undefined : INTERNAL_READERS;
  const own = [workspace, found.context_team_id, ...(found.internal_team_ids ?? [])];
  const all = [
    ...(found.connected_team_ids ?? []),
    ...(found.shared_team_ids ?? []),
    ...(found.pending_connected_team_ids ?? []),
    ...(found.pending_shared ?? []),
  ];
  const outsiders = [...new Set(all)].filter((id) => !own.includes(id)).toSorted();
  return { isShared: true, outsiders };
}

/** Like `parseReaders`, with names. If the outsiders are the same as in `known`, their names aren't looked up again. */
export async function resolveAudience(
  call: LookUpCall,
  found: SharingInfo,
  known: Audience | undefined,
): Promise<Audience | undefined> {
  const readers = parseReaders(found, call.actor.workspace);
  if (!readers) return undefined;
  const { isShared, outsiders } = readers;
  const isKnown = known?.isShared === isShared && known.outsiders.join() === outsiders.join();
  if (isKnown) return known;
  const named = await Promise.all(outsiders.slice(0, MAX_NAMED).map((id) => fetchTeamName(call, id)));
  return { isShared, outsiders: [...outsiders], names: named.filter((name) => name !== undefined) };
}

/**
 * Slack names only the organisations that the app shares a channel with:
 * https://docs.slack.dev/reference/methods/team.info
 */
async function fetchTeamName(
  { client, log, reference }: LookUpCall,
  id: string,
): Promise<string | undefined> {
  try {
    const { team } = await client.team.info({ team: id });
    const name = clip(sanitizeLine(team?.name ?? ''), MAX_NAME_LENGTH);
    return name === '' ? undefined : name;
  } catch (error) {
    const reason = slackErrorCode(error) ?? String(error);
    log.info({ reference, reason }, 'could not look up the name of an organisation');
    return undefined;
  }
}

/** Plain text: "Roaster Supplies and one more organisation". */
export function outsiderNames({ outsiders, names }: Audience): string {
  const rest = outsiders.length - names.length;
  if (names.length === 0) {
    const many = rest > 1 ? `${rest} other organisations` : 'another organisation';
    return `${many} (I couldn't find out ${rest > 1 ? 'their names' : 'its name'})`;
  }
  const more = rest === 1 ? 'one more organisation' : `${rest} more organisations`;
  const all = rest > 0 ? [...names, more] : [...names];
  const last = all.pop() ?? '';
  return all.length === 0 ? last : `${all.join(', ')} and ${last}`;
}

/** Plain text: who in the channel will see plans if `count` projects are chosen for it. */
export function audienceText(audience: AudienceAnswer, count: number): string {
  const plans = count === 1 ? "the project's plans" : "these projects' plans";
  const all = `Every member of this channel can see ${plans} here.`;
  if (!audience || audience === 'not-checked')
    return `${all} If it is shared with another organisation, its people too.`;
  if (!audience.isShared) return all;
  const people = audience.outsiders.length > 1 ? 'their people' : 'its people';
  return `${all} ⚠️ It is shared with ${outsiderNames(audience)}, and ${people} are members too.`;
}
