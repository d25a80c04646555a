import type { WebClient } from '@slack/web-api';

/** The most owners that are notified or listed. Our own choice. */
export const MAX_OWNERS = 10;
/** Page size of users.list. Owners of larger workspaces are found on the first pages. */
const PAGE_SIZE = 200;
const MAX_PAGES = 25;

/** Up to MAX_OWNERS owners of a Slack workspace; undefined if Slack failed before it listed one. */
export async function listSlackOwners(
  client: WebClient,
  onError: (error: unknown) => void,
): Promise<string[] | undefined> {
  const found: string[] = [];
  let cursor: string | undefined;
  try {
    for (let page = 0; page < MAX_PAGES && found.length < MAX_OWNERS; page += 1) {
      const listed = await client.users.list({ limit: PAGE_SIZE, ...(cursor !== undefined && { cursor }) });
      for (const { id, is_owner: isOwner, deleted } of listed.members ?? []) {
        if (id !== undefined && isOwner && !deleted) found.push(id);
      }
      cursor = listed.response_metadata?.next_cursor;
      if (!cursor) break;
    }
  } catch (error) {
    onError(error);
    if (found.length === 0) return undefined;
  }
  return found;
}
