import type { WebClient } from '@slack/web-api';
import { createLookupCache } from '../cache/cache.ts';

/** The people with a role in a new practice workspace. Slack's ids. */
export interface PracticePeople {
  owner?: string;
  publisher?: string;
}

/** The first two full members in the practice workspace's list, cached for a minute. */
export function createPracticePeople(clock: () => number): (client: WebClient) => Promise<PracticePeople> {
  const cache = createLookupCache<PracticePeople>({ maxAgeMs: 60_000, max: 1, now: clock });
  return (client) => cache.get('practice workspace', () => listFirst(client));
}

async function listFirst(client: WebClient): Promise<PracticePeople> {
  const { members = [] } = await client.users.list({ limit: 200 });
  const full = members.flatMap((one) =>
    one.id === undefined || one.is_bot || one.deleted || one.is_restricted || one.is_ultra_restricted
      ? []
      : [one.id],
  );
  const [owner, publisher] = full;
  return { ...(owner !== undefined && { owner }), ...(publisher !== undefined && { publisher }) };
}
