import type { WebClient } from '@slack/web-api';
import { createLookupCache } from '../cache/cache.ts';

/** Who begins with a role in the practice workspace. */
export interface FirstPeople {
  owner?: string;
  publisher?: string;
}

/** The first two full members in the order in which the practice workspace lists them; asked for once a minute. */
export function firstPeople(clock: () => number): (client: WebClient) => Promise<FirstPeople> {
  const cache = createLookupCache<FirstPeople>({ maxAgeMs: 60_000, max: 1, now: clock });
  return (client) => cache.get('practice workspace', () => listFirst(client));
}

async function listFirst(client: WebClient): Promise<FirstPeople> {
  const { members = [] } = await client.users.list({ limit: 200 });
  const full = members.flatMap((one) =>
    one.id === undefined || one.is_bot || one.deleted || one.is_restricted || one.is_ultra_restricted
      ? []
      : [one.id],
  );
  const [owner, publisher] = full;
  return { ...(owner !== undefined && { owner }), ...(publisher !== undefined && { publisher }) };
}
