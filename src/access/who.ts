import { WebAPIPlatformError, type WebClient } from '@slack/web-api';
import { createLookupCache } from '../cache/cache.ts';
import type { Actor } from '../slack/actor.ts';

/** Who cannot be given anything, whatever role they have. */
export const OUTSIDERS = ['guest', 'bot', 'deactivated', 'stranger', 'not-checked'] as const;
export type Outsider = (typeof OUTSIDERS)[number];

/** A person as Slack describes them: a full member of the workspace, or why they are none. */
type Person = { kind: 'member'; isOwner: boolean; isAdmin: boolean } | { kind: 'outsider'; why: Outsider };

interface People {
  /** `live`: asked now, and not remembered for a minute. Never rejects. */
  personOf(client: WebClient, who: Actor, live: boolean): Promise<Person>;
}

/** Who was made a guest or deactivated is found out after so long at the latest, ms; an owner's actions ask anew. */
const MAX_AGE_MS = 60_000;
const MAX_PEOPLE = 5_000;

/** Slack's own bot, which is no user to Slack. */
const SLACKBOT = 'USLACKBOT';

export function createPeople(clock: () => number, failed: (error: unknown) => void): People {
  const people = createLookupCache<Person>({ maxAgeMs: MAX_AGE_MS, max: MAX_PEOPLE, now: clock });
  return {
    async personOf(client, who, live) {
      try {
        return await people.get(`${who.workspace} ${who.user}`, () => look(client, who), live);
      } catch (error) {
        failed(error);
        return { kind: 'outsider', why: 'not-checked' };
      }
    },
  };
}

/** Slack knows nobody of this id here. https://docs.slack.dev/reference/methods/users.info#errors */
const NOBODY_HERE: readonly string[] = ['user_not_found', 'user_not_visible'];

function isNobodyHere(error: unknown): boolean {
  return error instanceof WebAPIPlatformError && NOBODY_HERE.includes(error.data.error);
}

async function look(client: WebClient, { workspace, user }: Actor): Promise<Person> {
  if (user === SLACKBOT) return { kind: 'outsider', why: 'bot' };
  const outsider = (why: Outsider): Person => ({ kind: 'outsider', why });
  const { user: found } = await client.users.info({ user }).catch((error: unknown) => {
    if (isNobodyHere(error)) return { user: 'nobody' as const };
    throw error;
  });
  if (!found) throw new Error('Slack describes nobody');
  if (found === 'nobody') return outsider('stranger');
  if (found.is_bot === true) return outsider('bot');
  const teams = found.enterprise_user?.teams ?? [];
  // In an organisation `team_id` is one of the person's workspaces.
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
