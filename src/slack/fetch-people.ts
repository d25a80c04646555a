import type { WebClient } from '@slack/web-api';
import type { Actor } from './actor.ts';
import type { Log } from './log.ts';
import { getSlackErrorCode } from './slack-errors.ts';

interface NameCall {
  client: WebClient;
  log: Log;
  reference: string;
}

/** Fetches a person's name, for text in which a mention would notify the person. Undefined if the lookup fails. */
export async function fetchDisplayName(call: NameCall, user: string): Promise<string | undefined> {
  const [name] = await fetchNames(call, user);
  return name;
}

/** Fetches all names of a person, the display name first. Empty if the lookup fails. */
export async function fetchNames(call: NameCall, user: string): Promise<string[]> {
  const owner = await fetchPerson(call, user);
  const names = [owner?.profile?.display_name, owner?.real_name, owner?.name];
  return names.flatMap((name) => (name ? [name] : []));
}

/** Fetches the locale of a person, whose clock a text for this person has. Undefined if the lookup fails. */
export async function fetchLocale(call: NameCall, user: string): Promise<string | undefined> {
  return (await fetchPerson(call, user))?.locale;
}

async function fetchPerson({ client, log, reference }: NameCall, user: string) {
  try {
    return (await client.users.info({ user, include_locale: true })).user;
  } catch (error) {
    log.info({ reference, err: error }, 'could not look up a person');
    return undefined;
  }
}

/**
 * Slack's ids of a user group's members, or why they couldn't be read. `not-permitted`: the workspace declined the
 * scope. `not-checked`: the request failed.
 */
export type GroupMembers = readonly string[] | 'deleted' | 'not-permitted' | 'not-checked';

/** Fetches the members of a user group from Slack. Never rejects. */
export async function fetchGroupMembers(
  { client, actor, log, reference }: { client: WebClient; actor: Actor; log: Log; reference: string },
  group: string,
): Promise<GroupMembers> {
  try {
    // Slack requires the workspace if the token belongs to an organisation.
    const { users } = await client.usergroups.users.list({ usergroup: group, team_id: actor.workspace });
    return users ?? 'not-checked';
  } catch (error) {
    const code = getSlackErrorCode(error);
    if (code === 'no_such_subteam') return 'deleted';
    if (code === 'missing_scope') return 'not-permitted';
    log.info({ reference, err: error }, 'could not read the members of a user group');
    return 'not-checked';
  }
}

/** Maximum number of owners that are listed. With ten, somebody can be reached. */
export const MAX_OWNERS = 10;
/** Page size of users.list, and the maximum number of pages that are searched: 20,000 members. */
const PAGE_SIZE = 200;
const MAX_PAGES = 100;

/**
 * Lists the workspace's owners in Slack (not the owners of Upnext), with `listUsers` for each page. Reads no further page
 * once MAX_OWNERS are found. If Slack fails, returns the owners that were found before.
 */
export async function listSlackOwners(listUsers: WebClient['users']['list']): Promise<readonly string[]> {
  const owners: string[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < MAX_PAGES && owners.length < MAX_OWNERS; page += 1) {
    const query = { limit: PAGE_SIZE, ...(cursor !== undefined && { cursor }) };
    const response = await listUsers(query).catch((error: unknown) => {
      if (owners.length === 0) throw error;
      return undefined;
    });
    for (const { id, is_owner: isOwner, deleted: isDeleted } of response?.members ?? []) {
      if (id !== undefined && isOwner && !isDeleted) owners.push(id);
    }
    cursor = response?.response_metadata?.next_cursor;
    if (!cursor) break;
  }
  return owners.slice(0, MAX_OWNERS);
}
