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
