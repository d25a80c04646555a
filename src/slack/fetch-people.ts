import type { WebClient } from '@slack/web-api';
import { limitText } from '../text-limits.ts';
import type { Actor } from './actor.ts';
import type { Log } from './log.ts';
import { getSlackErrorCode } from './slack-errors.ts';

/** What a call of Slack needs whose failure is logged. */
export interface SlackCall {
  client: WebClient;
  log: Log;
  reference: string;
}

/** Fetches a person's name, for text in which a mention would notify the person. Undefined if the lookup fails. */
export async function fetchDisplayName(call: SlackCall, user: string): Promise<string | undefined> {
  const [name] = await fetchNames(call, user);
  return name;
}

/** Fetches all names of a person, the display name first. Empty if the lookup fails. */
export async function fetchNames(call: SlackCall, user: string): Promise<string[]> {
  const owner = await fetchPerson(call, user);
  const names = [owner?.profile?.display_name, owner?.real_name, owner?.name];
  return names.flatMap((name) => (name ? (limitText(name, 'name') ?? []) : []));
}

/** Fetches the locale of a person, whose clock a text for this person has. Undefined if the lookup fails. */
export async function fetchLocale(call: SlackCall, user: string): Promise<string | undefined> {
  return (await fetchPerson(call, user))?.locale;
}

/** Whether an account was deactivated, which still takes messages (python-slack-sdk #1156). False if Slack fails. */
export async function isDeactivated(call: SlackCall, user: string): Promise<boolean> {
  return (await fetchPerson(call, user))?.deleted === true;
}

async function fetchPerson({ client, log, reference }: SlackCall, user: string) {
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

/** Why the user groups of a form can't be used (plain text). */
export const UNREAD_GROUP_FAULTS = {
  deleted: 'One of these user groups no longer exists.',
  'not-permitted':
    'I’m not allowed to read user groups here. Choose people, or install me again with usergroups:read.',
  'not-checked':
    'I couldn’t read one of these user groups in Slack. Nothing was saved: try again in a minute.',
} as const satisfies Record<Extract<GroupMembers, string>, string>;

/** Fetches the members of a user group from Slack. Never rejects. */
export async function fetchGroupMembers(
  { client, actor, log, reference }: SlackCall & { actor: Actor },
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

/** Fetches the handles of all user groups, by id. Empty if Slack doesn't return them, as without `usergroups:read`. */
export async function fetchGroupHandles({
  client,
  actor,
  log,
  reference,
}: SlackCall & { actor: Actor }): Promise<ReadonlyMap<string | undefined, string | undefined>> {
  try {
    const groups = await client.usergroups.list({ team_id: actor.workspace, include_disabled: true });
    return new Map(groups.usergroups?.map(({ id, handle }) => [id, handle && limitText(handle, 'name')]));
  } catch (error) {
    log.info({ reference, err: error }, 'could not read the user groups');
    return new Map();
  }
}
