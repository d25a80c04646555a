import { WebAPIPlatformError, type WebClient } from '@slack/web-api';
import { createLookupCache } from '../cache/cache.ts';
import type { Actor } from '../slack/actor.ts';

/** Why a person is no full member and has no role, whatever was granted to them. */
export const OUTSIDERS = ['guest', 'bot', 'deactivated', 'stranger', 'not-checked'] as const;
export type Outsider = (typeof OUTSIDERS)[number];

/** A person as Slack describes them: a full member of the workspace, or an outsider. */
type Person = { kind: 'member'; isOwner: boolean; isAdmin: boolean } | { kind: 'outsider'; reason: Outsider };

interface People {
  /** `live` skips the cache. Never rejects. */
  personOf(client: WebClient, actor: Actor, live: boolean): Promise<Person>;
}

/** How long a person is cached; a deactivation takes effect within this time. Actions of owners skip the cache. */
const MAX_AGE_MS = 60_000;
const MAX_PEOPLE = 5_000;

/** The id of Slackbot, which users.info doesn't know. */
const SLACKBOT = 'USLACKBOT';

export function createPeople(clock: () => number, onError: (error: unknown) => void): People {
  const people = createLookupCache<Person>({ maxAgeMs: MAX_AGE_MS, max: MAX_PEOPLE, now: clock });
  return {
    async personOf(client, actor, live) {
      try {
        return await people.get(`${actor.workspace} ${actor.user}`, () => fetchPerson(client, actor), live);
      } catch (error) {
        onError(error);
        return { kind: 'outsider', reason: 'not-checked' };
      }
    },
  };
}

/** Errors for an unknown id (https://docs.slack.dev/reference/methods/users.info#errors). */
const UNKNOWN_USER_ERRORS: readonly string[] = ['user_not_found', 'user_not_visible'];

function isUnknownUser(error: unknown): boolean {
  return error instanceof WebAPIPlatformError && UNKNOWN_USER_ERRORS.includes(error.data.error);
}

async function fetchPerson(client: WebClient, { workspace, user }: Actor): Promise<Person> {
  if (user === SLACKBOT) return { kind: 'outsider', reason: 'bot' };
  const outsider = (reason: Outsider): Person => ({ kind: 'outsider', reason });
  const { user: found } = await client.users.info({ user }).catch((error: unknown) => {
    if (isUnknownUser(error)) return { user: 'unknown' as const };
    throw error;
  });
  if (!found) throw new Error('users.info returned no user');
  if (found === 'unknown') return outsider('stranger');
  if (found.is_bot === true) return outsider('bot');
  const teams = found.enterprise_user?.teams ?? [];
  // In an organisation `team_id` is only one of the person's workspaces.
  const isHere = found.team_id === workspace || teams.includes(workspace);
  if (found.is_stranger === true || !isHere) return outsider('stranger');
  if (found.deleted === true) return outsider('deactivated');
  if (found.is_restricted === true || found.is_ultra_restricted === true) return outsider('guest');
  return {
    kind: 'member',
    isOwner: found.is_owner === true || found.is_primary_owner === true,
    isAdmin: found.is_admin === true || found.is_owner === true || found.is_primary_owner === true,
  };
}
