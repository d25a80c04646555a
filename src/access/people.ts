import { WebAPIPlatformError, type WebClient } from '@slack/web-api';
import { createLookupCache } from '../cache/cache.ts';
import { MINUTE_MS } from '../durations.ts';
import type { Actor } from '../slack/actor.ts';

/** Reasons why a person isn't a full member. Grants give such a person no role. */
export const OUTSIDER_REASONS = ['guest', 'bot', 'deactivated', 'stranger', 'not-checked'] as const;
export type OutsiderReason = (typeof OUTSIDER_REASONS)[number];

/** A person as Slack describes them: a full member of the workspace, or an outsider. */
type Person =
  | { kind: 'member'; isOwner: boolean; isAdmin: boolean }
  | { kind: 'outsider'; reason: OutsiderReason };

/** How long a person is cached, also after a deactivation. Actions that need the role Owner skip the cache. */
const MAX_AGE_MS = MINUTE_MS;
/** Maximum number of cached people. */
const MAX_PEOPLE = 5_000;

/** Creates a lookup that never rejects: a person whose lookup failed is an outsider with the reason `not-checked`. */
export function createPersonLookup(clock: () => number, onError: (error: unknown) => void) {
  const cache = createLookupCache<Person>({ maxAgeMs: MAX_AGE_MS, max: MAX_PEOPLE, now: clock });
  return async (client: WebClient, actor: Actor, skipCache: boolean): Promise<Person> => {
    try {
      return await cache.get(`${actor.workspace} ${actor.user}`, () => fetchPerson(client, actor), skipCache);
    } catch (error) {
      onError(error);
      return { kind: 'outsider', reason: 'not-checked' };
    }
  };
}

/** Errors for an unknown id (https://docs.slack.dev/reference/methods/users.info#errors). */
const UNKNOWN_USER_ERRORS: readonly string[] = ['user_not_found', 'user_not_visible'];

async function fetchPerson(client: WebClient, { workspace, user: id }: Actor): Promise<Person> {
  // Slackbot, which users.info doesn't know.
  if (id === 'USLACKBOT') return toOutsider('bot');
  const { user } = await client.users.info({ user: id }).catch((error: unknown) => {
    const isUnknown = error instanceof WebAPIPlatformError && UNKNOWN_USER_ERRORS.includes(error.data.error);
    if (isUnknown) return { user: 'unknown' as const };
    throw error;
  });
  if (!user) throw new Error('users.info returned no user');
  if (user === 'unknown') return toOutsider('stranger');
  if (user.is_bot === true) return toOutsider('bot');
  const teams = user.enterprise_user?.teams ?? [];
  // In an organisation `team_id` is only one of the person's workspaces.
  const isInWorkspace = user.team_id === workspace || teams.includes(workspace);
  if (user.is_stranger === true) return toOutsider('stranger');
  if (user.deleted === true) return toOutsider('deactivated');
  // Also one of another workspace, who reads the channels that both workspaces share.
  if (user.is_restricted === true || user.is_ultra_restricted === true) return toOutsider('guest');
  if (!isInWorkspace) return toOutsider('stranger');
  return {
    kind: 'member',
    isOwner: user.is_owner === true || user.is_primary_owner === true,
    isAdmin: user.is_admin === true || user.is_owner === true || user.is_primary_owner === true,
  };
}

function toOutsider(reason: OutsiderReason): Person {
  return { kind: 'outsider', reason };
}

/**
 * How long a group's members are cached. A person removed from a group keeps the group's roles for up to this time.
 * Actions that need the role Owner skip the cache.
 */
export const GROUP_MAX_AGE_MS = 5 * MINUTE_MS;
const MAX_GROUPS = 1_000;

/** Creates a lookup of a user group's members (Slack's ids). Never rejects; undefined if Slack failed. */
export function createMemberLookup(clock: () => number, onError: (error: unknown) => void) {
  const cache = createLookupCache<readonly string[]>({
    maxAgeMs: GROUP_MAX_AGE_MS,
    max: MAX_GROUPS,
    now: clock,
  });
  return async (
    client: WebClient,
    { workspace, group }: { workspace: string; group: string },
    skipCache: boolean,
  ): Promise<readonly string[] | undefined> => {
    const fetchMembers = async () => {
      // Slack requires the workspace if the token belongs to an organisation.
      const { users } = await client.usergroups.users.list({ usergroup: group, team_id: workspace });
      if (!users) throw new Error('usergroups.users.list returned no users');
      return users;
    };
    try {
      return await cache.get(`${workspace} ${group}`, fetchMembers, skipCache);
    } catch (error) {
      onError(error);
      return undefined;
    }
  };
}
