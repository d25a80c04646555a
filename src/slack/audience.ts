import type { WebClient } from '@slack/web-api';
import { z } from 'zod';
import type { Actor } from './actor.ts';
import { clip } from './clip.ts';
import { sanitizeLine } from './escape.ts';
import type { Log } from './log.ts';
import { isTransient, slackErrorCode } from './slack-trouble.ts';

/** Who reads a channel. */
export const audience = z.object({
  /** People of another organisation do, or were invited to. */
  isShared: z.boolean(),
  /** Slack's ids of those organisations and workspaces, sorted. May be empty where it is shared. */
  outsiders: z.array(z.string()),
  /** What some of them are called. */
  names: z.array(z.string()),
});
export type Audience = z.infer<typeof audience>;

/** What Slack says of who reads a channel. */
export type AudienceAnswer = Audience | 'not-checked' | undefined;

/** Who reads a channel beside the workspace's own people, as far as Slack says. */
export type Readers = Pick<Audience, 'isShared' | 'outsiders'>;
export const INTERNAL_READERS: Readers = { isShared: false, outsiders: [] };

interface Look {
  client: WebClient;
  log: Log;
  reference: string;
  who: Actor;
}

type Described = NonNullable<Awaited<ReturnType<Look['client']['conversations']['info']>>['channel']>;
type Shared = Pick<
  Described,
  | 'is_ext_shared'
  | 'is_pending_ext_shared'
  | 'context_team_id'
  | 'internal_team_ids'
  | 'connected_team_ids'
  | 'shared_team_ids'
  | 'pending_connected_team_ids'
  | 'pending_shared'
>;

/** So many are asked for their names: `team.info` answers 50 times a minute. */
const MAX_NAMED = 5;
const NAME = 60;

/**
 * As Slack says it; undefined where it does not let the bot know, as of a private channel that it is not in, and
 * `not-checked` where it may say so another time. Names that are `known` are not asked for again.
 */
export async function fetchAudience(call: Look, channel: string, known?: Audience): Promise<AudienceAnswer> {
  // A direct message, which nobody shares with anybody.
  if (channel.startsWith('D')) return { isShared: false, outsiders: [], names: [] };
  const { client, log, reference } = call;
  try {
    const { channel: found = {} } = await client.conversations.info({ channel });
    return await resolveAudience(call, found, known);
  } catch (error) {
    log.info(
      { reference, reason: slackErrorCode(error) ?? String(error) },
      'who reads a channel is not known',
    );
    return isTransient(error) ? 'not-checked' : undefined;
  }
}

/** From Slack's description of a channel; undefined where that doesn't say whether it is shared. */
export function parseReaders(found: Shared, workspace: string): Readers | undefined {
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

/** The same with their names; those of the same outsiders that are `known` are not asked for again. */
export async function resolveAudience(
  call: Look,
  found: Shared,
  known: Audience | undefined,
): Promise<Audience | undefined> {
  const readers = parseReaders(found, call.who.workspace);
  if (!readers) return undefined;
  const { isShared, outsiders } = readers;
  const isKnown = known?.isShared === isShared && known.outsiders.join() === outsiders.join();
  if (isKnown) return known;
  const named = await Promise.all(outsiders.slice(0, MAX_NAMED).map((id) => nameOf(call, id)));
  return { isShared, outsiders: [...outsiders], names: named.filter((name) => name !== undefined) };
}

/** https://docs.slack.dev/reference/methods/team.info: only of whom the app shares a channel with. */
async function nameOf({ client, log, reference }: Look, id: string): Promise<string | undefined> {
  try {
    const { team } = await client.team.info({ team: id });
    const name = clip(sanitizeLine(team?.name ?? ''), NAME);
    return name === '' ? undefined : name;
  } catch (error) {
    const reason = slackErrorCode(error) ?? String(error);
    log.info({ reference, reason }, 'the name of an organisation is not known');
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

/** Plain text: what choosing projects for a channel means for who reads it. */
export function audienceText(audience: AudienceAnswer, count: number): string {
  const plans = count === 1 ? "the project's plans" : "these projects' plans";
  const all = `Every member of this channel can see ${plans} here.`;
  if (!audience || audience === 'not-checked')
    return `${all} If it is shared with another organisation, its people too.`;
  if (!audience.isShared) return all;
  const people = audience.outsiders.length > 1 ? 'their people' : 'its people';
  return `${all} ⚠️ It is shared with ${outsiderNames(audience)}, and ${people} are members too.`;
}
