import type { WebClient } from '@slack/web-api';
import { createLookupCache } from '../cache/cache.ts';
import type { Role } from './roles.ts';

/** Slack's ids of the people who have a role in a new emulated workspace. */
export interface EmulatedPeople {
  owner?: string;
  publisher?: string;
}

/** Returns a lookup of the first two full members in the emulator's user list. Its result is cached for a minute. */
export function createEmulatedPeopleLookup(
  clock: () => number,
): (client: WebClient) => Promise<EmulatedPeople> {
  const cache = createLookupCache<EmulatedPeople>({ maxAgeMs: 60_000, max: 1, now: clock });
  return (client) => cache.get('people', () => fetchPeople(client));
}

async function fetchPeople(client: WebClient): Promise<EmulatedPeople> {
  const { members = [] } = await client.users.list({ limit: 200 });
  const fullMembers = members.flatMap((user) =>
    user.id === undefined || user.is_bot || user.deleted || user.is_restricted || user.is_ultra_restricted
      ? []
      : [user.id],
  );
  const [owner, publisher] = fullMembers;
  return { ...(owner !== undefined && { owner }), ...(publisher !== undefined && { publisher }) };
}

/** The role of a person without grants in the emulated workspace. */
export function getEmulatedRole({ owner, publisher }: EmulatedPeople, user: string): Role | undefined {
  if (user === owner) return 'owner';
  return user === publisher ? 'publisher' : undefined;
}
