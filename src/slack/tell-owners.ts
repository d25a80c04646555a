import type { WebClient } from '@slack/web-api';
import { inert, type Message } from './message.ts';

/** A page of Slack's; owners of larger workspaces are found on the first ones. */
const PAGE = 200;
const MOST_PAGES = 25;
/** More would be no news any more. */
const MOST_OWNERS = 10;

/** A direct message to each of the workspace's owners, as Slack knows them. */
export async function notifySlackOwners(client: WebClient, message: Message): Promise<void> {
  const owners: string[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < MOST_PAGES && owners.length < MOST_OWNERS; page += 1) {
    const listed = await client.users.list({ limit: PAGE, ...(cursor !== undefined && { cursor }) });
    for (const { id, is_owner: isOwner, deleted } of listed.members ?? []) {
      if (id !== undefined && isOwner && !deleted) owners.push(id);
    }
    cursor = listed.response_metadata?.next_cursor;
    if (!cursor) break;
  }
  for (const channel of owners.slice(0, MOST_OWNERS)) {
    await client.chat.postMessage({ channel, ...inert(message) });
  }
}
