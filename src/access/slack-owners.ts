import { setTimeout as delay } from 'node:timers/promises';
import { WebAPIRateLimitedError, type WebClient } from '@slack/web-api';
import { createCache } from '../cache/cache.ts';
import { HOUR_MS, MINUTE_MS } from '../durations.ts';
import { within } from '../within.ts';

/** Maximum number of owners that are notified or listed. */
export const MAX_OWNERS = 10;
/** Page size of users.list, and the maximum number of pages that are searched: 20,000 members. */
const PAGE_SIZE = 200;
const MAX_PAGES = 100;
/** How long a person waits for the list. Enough for the first pages. A longer list is read in the background. */
const MAX_WAIT_MS = 1_000;
/** How long a list is used while a newer one is being read, or after reading has failed. */
const MAX_AGE_MS = HOUR_MS;
/** Maximum pause that Slack may request between two pages. */
const MAX_PAUSE_MS = MINUTE_MS;

/** The owners of Slack workspaces. */
interface SlackOwners {
  /** Undefined if Slack failed, or if the list takes longer than a person waits. Then a later call finds it. */
  list(client: WebClient, workspace: string): Promise<readonly string[] | undefined>;
}

export function createSlackOwners(options: {
  clock: () => number;
  onError: (error: unknown) => void;
  /** Defaults to MAX_WAIT_MS. */
  maxWaitMs?: number;
}): SlackOwners {
  const { clock, onError, maxWaitMs = MAX_WAIT_MS } = options;
  const cached = createCache<readonly string[]>({ maxAgeMs: MAX_AGE_MS, now: clock });
  const running = new Map<string, Promise<readonly string[] | undefined>>();
  const read = async (client: WebClient, workspace: string) => {
    try {
      const owners = await fetchOwners(client);
      cached.set(workspace, owners);
      return owners;
    } catch (error) {
      onError(error);
      return undefined;
    } finally {
      running.delete(workspace);
    }
  };
  return {
    async list(client, workspace) {
      const reading = running.get(workspace) ?? read(client, workspace);
      running.set(workspace, reading);
      return (await within(maxWaitMs, reading)) ?? cached.get(workspace);
    },
  };
}

/** Reads no further page once MAX_OWNERS are found. If Slack fails, returns the owners that were found before. */
async function fetchOwners(client: WebClient): Promise<readonly string[]> {
  const owners: string[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < MAX_PAGES && owners.length < MAX_OWNERS; page += 1) {
    const response = await fetchPage(client, cursor).catch((error: unknown) => {
      if (owners.length === 0) throw error;
      return undefined;
    });
    for (const { id, is_owner: isOwner, deleted: isDeleted } of response?.members ?? []) {
      if (id !== undefined && isOwner && !isDeleted) owners.push(id);
    }
    cursor = response?.response_metadata?.next_cursor;
    if (!cursor) break;
  }
  return owners;
}

async function fetchPage(client: WebClient, cursor: string | undefined) {
  const query = { limit: PAGE_SIZE, ...(cursor !== undefined && { cursor }) };
  try {
    return await client.users.list(query);
  } catch (error) {
    if (!(error instanceof WebAPIRateLimitedError)) throw error;
    await delay(Math.min(error.retryAfter * 1000, MAX_PAUSE_MS), undefined, { ref: false });
    return client.users.list(query);
  }
}
