import type { WebClient } from '@slack/web-api';

/** Maximum number of owners that are notified or listed. */
export const MAX_OWNERS = 10;
/** Page size of users.list. */
const PAGE_SIZE = 200;
/** Maximum number of pages that are searched. Owners on later pages are not found. */
const MAX_PAGES = 25;

/**
 * Owners of a Slack workspace. Reads no further page once MAX_OWNERS are found. Undefined if Slack failed before it
 * returned an owner.
 */
export async function listSlackOwners(
  client: WebClient,
  onError: (error: unknown) => void,
): Promise<string[] | undefined> {
  const owners: string[] = [];
  let cursor: string | undefined;
  try {
    for (let page = 0; page < MAX_PAGES && owners.length < MAX_OWNERS; page += 1) {
      const response = await client.users.list({ limit: PAGE_SIZE, ...(cursor !== undefined && { cursor }) });
      for (const { id, is_owner: isOwner, deleted: isDeleted } of response.members ?? []) {
        if (id !== undefined && isOwner && !isDeleted) owners.push(id);
      }
      cursor = response.response_metadata?.next_cursor;
      if (!cursor) break;
    }
  } catch (error) {
    onError(error);
    if (owners.length === 0) return undefined;
  }
  return owners;
}
