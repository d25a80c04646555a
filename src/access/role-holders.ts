import { setTimeout as delay } from 'node:timers/promises';
import { type UsersListArguments, WebAPIRateLimitedError, type WebClient } from '@slack/web-api';
import { createCache } from '../cache/cache.ts';
import { HOUR_MS, MINUTE_MS } from '../durations.ts';
import { within } from '../promises.ts';
import type { createMemberLookup, createPersonLookup } from './people.ts';
import { includesRole, isRole, type Role } from './roles.ts';
import type { Grant } from './sql/grants.ts';

/** Maximum number of owners that are listed. With ten, somebody can be reached. */
const MAX_OWNERS = 10;

/** The people with a role. Slack's ids, without duplicates. */
export interface RoleHolders {
  people: readonly string[];
  /** Whether all full members of the workspace have the role. Defaults to false. */
  includesEverybody?: boolean;
  /** False if a lookup failed, or if all members of the workspace have the role and so aren't listed one by one. */
  isComplete: boolean;
}

export type RoleHolderLists = ReturnType<typeof createRoleHolders>;

interface RoleHolderOptions {
  findSlackClient(workspace: string): Promise<WebClient | 'unknown' | undefined>;
  loadGrants(workspace: string, skipCache: boolean): Promise<readonly Grant[]>;
  listMembers: ReturnType<typeof createMemberLookup>;
  /** The people who have a role without a grant. Undefined if the lookup failed. */
  listDefaultRoles(
    client: WebClient,
    workspace: string,
  ): Promise<readonly { user: string; role: Role }[] | undefined>;
  findPerson: ReturnType<typeof createPersonLookup>;
  membersDefaultRole: Role | undefined;
  onError(error: unknown): void;
}

export function createRoleHolders(options: RoleHolderOptions) {
  const { findSlackClient, membersDefaultRole, onError } = options;
  const listHolders = async (client: WebClient, workspace: string, role: Role, project: string) => {
    const grants = (await options.loadGrants(workspace, true)).filter((grant) =>
      givesRole(grant, role, project),
    );
    const listSubjects = (kind: Grant['subjectKind']) =>
      grants.filter(({ subjectKind }) => subjectKind === kind).map(({ subject }) => subject);
    const [defaultRoles, ...groups] = await Promise.all([
      options.listDefaultRoles(client, workspace),
      ...listSubjects('group').map((group) => options.listMembers(client, { workspace, group }, false)),
    ]);
    const defaultHolders = defaultRoles?.flatMap((holder) =>
      includesRole(holder.role, role) ? [holder.user] : [],
    );
    const lists = [listSubjects('person'), ...groups, defaultHolders];
    return {
      people: [...new Set(lists.flatMap((list) => list ?? []))],
      isEveryone: listSubjects('members').length > 0,
      hasFailed: lists.includes(undefined),
    };
  };
  return {
    /**
     * Slack's ids of up to MAX_OWNERS owners of a workspace; `unknown` if lookups failed and no owner was found. If
     * there are more, people who can't use the app, such as deactivated ones, aren't among them.
     */
    async listOwners(workspace: string): Promise<readonly string[] | 'unknown'> {
      const client = await findSlackClient(workspace);
      if (client === 'unknown') return 'unknown';
      if (!client) return [];
      const { people, hasFailed } = await listHolders(client, workspace, 'owner', '');
      if (people.length === 0 && hasFailed) return 'unknown';
      if (people.length <= MAX_OWNERS) return people;
      const owners: string[] = [];
      for (let start = 0; start < people.length && owners.length < MAX_OWNERS; start += MAX_OWNERS) {
        const batch = people.slice(start, start + MAX_OWNERS);
        const found = await Promise.all(
          batch.map((user) => options.findPerson(client, { workspace, user }, false)),
        );
        // A person whose lookup failed may be a member.
        const isOutsider = (person: (typeof found)[number] | undefined) =>
          person?.kind === 'outsider' && person.reason !== 'not-checked';
        owners.push(...batch.filter((_, index) => !isOutsider(found[index])));
      }
      return owners.slice(0, MAX_OWNERS);
    },
    /**
     * The people who have a role in a project, or a higher one. Some of them may be deactivated or guests, so
     * `recheckPermission` has to follow. Never rejects.
     */
    async listRoleHolders(workspace: string, role: Role, project: string): Promise<RoleHolders> {
      try {
        const client = await findSlackClient(workspace);
        if (!client || client === 'unknown') return { people: [], isComplete: false };
        const { people, isEveryone, hasFailed } = await listHolders(client, workspace, role, project);
        const isDefault = membersDefaultRole !== undefined && includesRole(membersDefaultRole, role);
        const includesEverybody = isEveryone || isDefault;
        return {
          people,
          isComplete: !hasFailed && !includesEverybody,
          ...(includesEverybody && { includesEverybody }),
        };
      } catch (error) {
        onError(error);
        return { people: [], isComplete: false };
      }
    },
    /** `findUsableGrant` with Slack's current answers. Never rejects. */
    async findUsableGrant(workspace: string, grants: readonly Grant[]): Promise<UsableGrant> {
      try {
        const client = await findSlackClient(workspace);
        return client && client !== 'unknown' ? await findUsableGrant(options, client, grants) : 'unknown';
      } catch (error) {
        onError(error);
        return 'unknown';
      }
    },
    /** Slack's ids of the members of a user group, at most five minutes old. Undefined if the lookup failed. */
    async listGroupMembers(workspace: string, group: string): Promise<readonly string[] | undefined> {
      try {
        const client = await findSlackClient(workspace);
        return client && client !== 'unknown'
          ? await options.listMembers(client, { workspace, group }, false)
          : undefined;
      } catch (error) {
        onError(error);
        return undefined;
      }
    },
  };
}

/** A grant that an active member can use. `none`: there is none. `unknown`: Slack didn't say who is active. */
type UsableGrant = Grant | 'none' | 'unknown';

/** Maximum number of people who are looked up until one is found who can use a role. */
const MAX_CHECKED_PEOPLE = 50;

/** Finds a grant whose person, or a person of whose user group, is a full member of the workspace. */
async function findUsableGrant(
  { listMembers, findPerson }: RoleHolderOptions,
  client: WebClient,
  grants: readonly Grant[],
): Promise<UsableGrant> {
  const everybody = grants.find(({ subjectKind }) => subjectKind === 'members');
  if (everybody) return everybody;
  // A group takes one lookup more.
  const people = grants.filter(({ subjectKind }) => subjectKind === 'person');
  const groups = grants.filter(({ subjectKind }) => subjectKind === 'group');
  let isComplete = true;
  let checkedCount = 0;
  for (const grant of [...people, ...groups]) {
    const { workspace, subjectKind, subject } = grant;
    const holders =
      subjectKind === 'person' ? [subject] : await listMembers(client, { workspace, group: subject }, true);
    if (!holders) isComplete = false;
    for (const user of holders ?? []) {
      if (checkedCount === MAX_CHECKED_PEOPLE) return 'unknown';
      checkedCount += 1;
      const person = await findPerson(client, { workspace, user }, true);
      if (person.kind === 'member') return grant;
      if (person.reason === 'not-checked') isComplete = false;
    }
  }
  return isComplete ? 'none' : 'unknown';
}

/** Whether a grant gives a role, or a higher one, in a project; '' for the whole workspace. */
function givesRole(grant: Grant, role: Role, project: string): boolean {
  // An owner owns the whole workspace, so a grant for a project is invalid.
  if (grant.role === 'owner' && grant.project !== '') return false;
  const isInScope = grant.project === '' || grant.project === project;
  return isInScope && isRole(grant.role) && includesRole(grant.role, role);
}

/** How long a person waits for the list. Enough for the first pages. A longer list is read in the background. */
const MAX_WAIT_MS = 1_000;
/** How long a list is used while a newer one is being read, or after reading has failed. */
const MAX_AGE_MS = HOUR_MS;
/** Maximum pause that Slack may request between two pages. */
const MAX_PAUSE_MS = MINUTE_MS;

/**
 * Creates a lookup of a workspace's owners in Slack. It resolves with undefined if Slack failed, or if the list takes
 * longer than a person waits. Then a later call finds the list.
 */
export function createOwnerLookup(options: {
  clock: () => number;
  onError: (error: unknown) => void;
  /** Defaults to MAX_WAIT_MS. */
  maxWaitMs?: number;
}) {
  const { clock, onError, maxWaitMs = MAX_WAIT_MS } = options;
  const cached = createCache<readonly string[]>({ maxAgeMs: MAX_AGE_MS, now: clock });
  const running = new Map<string, Promise<readonly string[] | undefined>>();
  const read = async (client: WebClient, workspace: string) => {
    try {
      const owners = await listSlackOwners(client);
      cached.set(workspace, owners);
      return owners;
    } catch (error) {
      onError(error);
      return undefined;
    } finally {
      running.delete(workspace);
    }
  };
  return async (client: WebClient, workspace: string): Promise<readonly string[] | undefined> => {
    const reading = running.get(workspace) ?? read(client, workspace);
    running.set(workspace, reading);
    return (await within(maxWaitMs, reading)) ?? cached.get(workspace);
  };
}

/** Page size of users.list, and the maximum number of pages that are searched: 20,000 members. */
const PAGE_SIZE = 200;
const MAX_PAGES = 100;

/**
 * Lists the workspace's owners in Slack (not the owners of Upnext). Reads no further page once MAX_OWNERS are found,
 * and ignores further pages of larger workspaces. If Slack fails, returns the owners that were found before.
 */
async function listSlackOwners(client: WebClient): Promise<readonly string[]> {
  const owners: string[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < MAX_PAGES && owners.length < MAX_OWNERS; page += 1) {
    const query = { limit: PAGE_SIZE, ...(cursor !== undefined && { cursor }) };
    const response = await listUsers(client, query).catch((error: unknown) => {
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

async function listUsers(client: WebClient, query: UsersListArguments) {
  try {
    return await client.users.list(query);
  } catch (error) {
    if (!(error instanceof WebAPIRateLimitedError)) throw error;
    await delay(Math.min(error.retryAfter * 1000, MAX_PAUSE_MS), undefined, { ref: false });
    return client.users.list(query);
  }
}
