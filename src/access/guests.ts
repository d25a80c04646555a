import type { WebClient } from '@slack/web-api';
import { createLookupCache } from '../cache/cache.ts';
import { MINUTE_MS } from '../durations.ts';
import { mapLimited } from '../promises.ts';
import type { Guests } from '../slack/audience.ts';
import { isTransient } from '../slack/slack-errors.ts';
import type { createPersonLookup } from './people.ts';

/**
 * Maximum number of a channel's people who are looked up one by one. Slack allows about 100 calls of users.info a minute:
 * https://docs.slack.dev/reference/methods/users.info
 */
const MAX_SINGLE_LOOKUPS = 50;

/**
 * The ids of a channel on a page, which Slack wants to be less than 1000, and the maximum number of pages. Slack allows
 * about 100 pages a minute: https://docs.slack.dev/reference/methods/conversations.members
 */
const CHANNEL_PAGE_SIZE = 999;
const MAX_CHANNEL_PAGES = 10;

/**
 * The people of a workspace on a page, and the maximum number of pages: 20,000 people. Slack allows about 20 pages a
 * minute (https://docs.slack.dev/reference/methods/users.list), and these are read once in the time that they are cached.
 */
const WORKSPACE_PAGE_SIZE = 1_000;
const MAX_WORKSPACE_PAGES = 20;

/** How long the list of a workspace's people is cached: so late is it noticed in a large channel that one became a guest. */
const MAX_AGE_MS = 5 * MINUTE_MS;
const MAX_CACHED_WORKSPACES = 20;

/**
 * Creates the lookup whether guests are in a channel. Slack says who is in it (`conversations.members`), and of each person
 * whether they are a guest (`is_restricted`, `is_ultra_restricted`), but has no answer for a channel. So the people of a
 * small channel are looked up one by one, and those of a larger one in the list of all people of the workspace. Whoever
 * isn't in that list, such as somebody who just came, is looked up. Never rejects.
 */
export function createGuestLookup(options: {
  clock: () => number;
  findPerson: ReturnType<typeof createPersonLookup>;
  onError(error: unknown): void;
}) {
  const { clock, findPerson, onError } = options;
  const cache = createLookupCache<ReadonlySet<string>>({
    maxAgeMs: MAX_AGE_MS,
    max: MAX_CACHED_WORKSPACES,
    now: clock,
  });
  const search = async (client: WebClient, workspace: string, channel: string): Promise<Guests> => {
    const people = await listChannelPeople(client, channel);
    if (!people) return 'unknown';
    const known =
      people.length > MAX_SINGLE_LOOKUPS
        ? await cache.get(workspace, () => listOthersThanGuests(client, workspace))
        : new Set<string>();
    const others = people.filter((id) => !known.has(id));
    const found = await mapLimited(others.slice(0, MAX_SINGLE_LOOKUPS), (user) =>
      findPerson(client, { workspace, user }, false),
    );
    const reasons = found.flatMap((person) => (person.kind === 'outsider' ? [person.reason] : []));
    if (reasons.includes('guest')) return 'yes';
    if (reasons.includes('not-checked')) return 'not-checked';
    return others.length > MAX_SINGLE_LOOKUPS ? 'unknown' : 'no';
  };
  return async (
    client: WebClient,
    { workspace, channel }: { workspace: string; channel: string },
  ): Promise<Guests> => {
    try {
      return await search(client, workspace, channel);
    } catch (error) {
      onError(error);
      return isTransient(error) ? 'not-checked' : 'unknown';
    }
  };
}

/** Lists the ids of a channel's people. Undefined if there are too many. */
async function listChannelPeople(client: WebClient, channel: string): Promise<string[] | undefined> {
  const people: string[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < MAX_CHANNEL_PAGES; page += 1) {
    const response = await client.conversations.members({
      channel,
      limit: CHANNEL_PAGE_SIZE,
      ...(cursor && { cursor }),
    });
    if (!response.members) return undefined;
    people.push(...response.members);
    cursor = response.response_metadata?.next_cursor;
    if (!cursor) return people;
  }
  return undefined;
}

/** Lists the people of a workspace who aren't guests. In a larger workspace, those of the first pages. */
async function listOthersThanGuests(client: WebClient, workspace: string): Promise<ReadonlySet<string>> {
  const others = new Set<string>();
  let cursor: string | undefined;
  for (let page = 0; page < MAX_WORKSPACE_PAGES; page += 1) {
    const { members = [], response_metadata: metadata } = await client.users.list({
      limit: WORKSPACE_PAGE_SIZE,
      // Slack requires the workspace if the token belongs to an organisation.
      team_id: workspace,
      ...(cursor && { cursor }),
    });
    for (const { id, deleted, is_restricted: isRestricted, is_ultra_restricted: isUltra } of members)
      if (id !== undefined && (deleted || (isRestricted === false && isUltra === false))) others.add(id);
    cursor = metadata?.next_cursor;
    if (!cursor) break;
  }
  return others;
}
