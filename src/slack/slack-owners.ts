import type { WebClient } from '@slack/web-api';

/** Number of users on one page of users.list. */
const PAGE_SIZE = 200;
/** Maximum number of pages that are searched for owners. The further pages of larger workspaces are ignored. */
const MAX_PAGES = 25;
/** Maximum number of owners. With ten, somebody can be reached. */
const MAX_OWNERS = 10;

/** Lists the workspace's owners in Slack (not the owners of Upnext). */
export async function listSlackOwners(client: WebClient): Promise<string[]> {
  const owners: string[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < MAX_PAGES && owners.length < MAX_OWNERS; page += 1) {
    const response = await client.users.list({ limit: PAGE_SIZE, ...(cursor !== undefined && { cursor }) });
    for (const { id, is_owner: isOwner, deleted } of response.members ?? []) {
      if (id !== undefined && isOwner && !deleted) owners.push(id);
    }
    cursor = response.response_metadata?.next_cursor;
    if (!cursor) break;
  }
  return owners.slice(0, MAX_OWNERS);
}
