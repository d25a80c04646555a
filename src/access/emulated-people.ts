import type { WebClient } from '@slack/web-api';
import { createLookupCache } from '../cache/cache.ts';
import type { Role } from './roles.ts';

/** The people who have a role in a new emulated workspace, by Slack's id. */
type EmulatedPeople = readonly { user: string; role: Role }[];

/** Returns a lookup of the first two full members in the emulator's user list. Its result is cached for a minute. */
export function createEmulatedPeopleLookup(
  clock: () => number,
): (client: WebClient) => Promise<EmulatedPeople> {
  const cache = createLookupCache<EmulatedPeople>({ maxAgeMs: 60_000, max: 1, now: clock });
  return (client) => cache.get('people', () => fetchPeople(client));
}

/** The roles of the first two full members. */
const EMULATED_ROLES: readonly Role[] = ['owner', 'publisher'];

async function fetchPeople(client: WebClient): Promise<EmulatedPeople> {
  const { members = [] } = await client.users.list({ limit: 200 });
  const fullMembers = members.flatMap((user) =>
    user.id === undefined || user.is_bot || user.deleted || user.is_restricted || user.is_ultra_restricted
      ? []
      : [user.id],
  );
  return EMULATED_ROLES.flatMap((role, index) => {
    const user = fullMembers[index];
    return user === undefined ? [] : [{ user, role }];
  });
}
