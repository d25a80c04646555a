import { performance } from 'node:perf_hooks';
import type { WebClient } from '@slack/web-api';
import type { Kysely } from 'kysely';
import { createLookupCache } from '../cache/cache.ts';
import type { Actor } from '../slack/actor.ts';
import type { BotSchema } from '../store/schema.ts';
import { saveFirstOwner } from './first-owner.ts';
import { createPeople } from './people.ts';
import { createPracticePeople, type PracticePeople } from './practice-people.ts';
import {
  type Access,
  type HeldRole,
  type Holder,
  isEnough,
  isRole,
  type Permission,
  permissionOf,
  type RequiredRole,
  type Role,
  rolesOf,
} from './roles.ts';
import { listSlackOwners, MAX_OWNERS } from './slack-owners.ts';
import { grantsIn } from './sql/grants.ts';
import { createUserGroups } from './user-groups.ts';

/** The owners of a workspace without any grants. */
export type FirstOwners =
  /** The workspace's owners in Slack. */
  | { kind: 'slack' }
  /** The person who installed the app. `of` rejects if the lookup fails. */
  | { kind: 'installer'; of(workspace: string): Promise<string | undefined> }
  /** The first person of the practice workspace. The second is a publisher. */
  | { kind: 'practice' };

interface AccessOptions {
  db: Kysely<BotSchema>;
  owners: FirstOwners;
  /** The role of full members without a role of their own. An owner can change it for their workspace. */
  membersDefaultRole?: Role | undefined;
  /** `unknown`: the installation lookup failed. Undefined: the app isn't installed there. */
  slackFor(workspace: string): Promise<WebClient | 'unknown' | undefined>;
  now: () => Date;
  /** Called when the lookup of a person, a user group's members or the grants fails. */
  onError(error: unknown): void;
}

/** What must be looked up now. Everything else may come from a cache. */
export type Freshness =
  /** For reading. */
  | 'nothing'
  /** For changes. */
  | 'grants'
  /** Also the person and their groups in Slack; for actions of owners. */
  | 'everything';

export function freshnessFor(required: RequiredRole): Freshness {
  if (required === 'owner') return 'everything';
  return required === 'member' || required === 'viewer' ? 'nothing' : 'grants';
}

export interface AccessControl {
  /** Rejects if the database fails. */
  of(actor: Actor, client: WebClient, freshness: Freshness): Promise<Access>;
  /**
   * Checks a permission again before something is sent, possibly long after it was allowed. `project` undefined: any
   * project. Never rejects.
   */
  mayStill(actor: Actor, required: RequiredRole, project: string | undefined): Promise<Permission>;
  /** Slack's ids of up to ten owners of a workspace; `unknown` if lookups failed and none was found. */
  ownersOf(workspace: string): Promise<readonly string[] | 'unknown'>;
  /** The roles of people without grants. */
  readonly first: { owners: FirstOwners['kind']; members?: Role };
  /** Drops the cached grants of a workspace, after a change. */
  onGrantsChanged(workspace: string): void;
}

/** How long grants are cached for reading; a change by another instance takes effect within this time. */
const GRANTS_MAX_AGE_MS = 5_000;
const MAX_WORKSPACES = 1_000;

export function createAccess(options: AccessOptions): AccessControl {
  const { db, owners, membersDefaultRole, slackFor, now, onError } = options;
  const clock = () => performance.now();
  const people = createPeople(clock, onError);
  const groups = createUserGroups(clock, onError);
  const listPracticePeople = createPracticePeople(clock);
  const cachedGrants = createLookupCache<Awaited<ReturnType<typeof grantsIn>>>({
    maxAgeMs: GRANTS_MAX_AGE_MS,
    max: MAX_WORKSPACES,
    now: clock,
  });

  const grantsOf = async (workspace: string, live: boolean) => {
    const all = await cachedGrants.get(workspace, () => grantsIn(db, workspace), live);
    if (all.length > 0 || owners.kind !== 'installer') return all;
    const user = await owners.of(workspace);
    if (user === undefined || !(await saveFirstOwner(db, { workspace, user, now: now() }))) return all;
    return cachedGrants.get(workspace, () => grantsIn(db, workspace), true);
  };

  const of: AccessControl['of'] = async (actor, client, freshness) => {
    const { workspace } = actor;
    const live = freshness === 'everything';
    const [person, grants] = await Promise.all([
      people.personOf(client, actor, live),
      grantsOf(workspace, freshness !== 'nothing'),
    ]);
    if (person.kind === 'outsider') return person;
    const grantedGroups = new Set(
      grants.filter(({ subjectKind }) => subjectKind === 'group').map(({ subject }) => subject),
    );
    const found = await Promise.all(
      [...grantedGroups].map(
        async (group) => [group, await groups.membersOf(client, { workspace, group }, live)] as const,
      ),
    );
    const holder: Holder = {
      user: actor.user,
      groups: found.flatMap(([group, members]) => (members?.includes(actor.user) ? [group] : [])),
    };
    const first = await rolesWithoutGrants(actor, client, person.isOwner);
    const held = [...rolesOf(grants, holder, membersDefaultRole), ...(first ?? [])];
    const isUnsure = first === undefined || found.some(([, members]) => members === undefined);
    return { kind: 'member', isAdmin: person.isAdmin, held, isUnsure };
  };

  /** Undefined if the lookup failed. */
  const rolesWithoutGrants = async (
    { user }: Actor,
    client: WebClient,
    isOwner: boolean,
  ): Promise<HeldRole[] | undefined> => {
    if (owners.kind === 'slack')
      return isOwner ? [{ role: 'owner', project: '', reason: { kind: 'slack-owner' } }] : [];
    if (owners.kind === 'installer') return [];
    const people = await practicePeople(client);
    if (!people) return undefined;
    const role = practiceRole(people, user);
    return role ? [{ role, project: '', reason: { kind: 'practice' } }] : [];
  };

  /** The owners without a grant; undefined if the lookup failed. */
  const firstOwners = async (client: WebClient): Promise<readonly string[] | undefined> => {
    if (owners.kind === 'slack') return listSlackOwners(client, onError);
    if (owners.kind === 'installer') return [];
    const people = await practicePeople(client);
    return people && (people.owner === undefined ? [] : [people.owner]);
  };

  const practicePeople = async (client: WebClient): Promise<PracticePeople | undefined> => {
    try {
      return await listPracticePeople(client);
    } catch (error) {
      onError(error);
      return undefined;
    }
  };

  return {
    of,
    async mayStill(actor, required, project) {
      try {
        const client = await slackFor(actor.workspace);
        // Unknown also if the app isn't installed, because it may be installed again.
        if (!client || client === 'unknown') return 'unknown';
        const access = await of(actor, client, required === 'viewer' ? 'grants' : freshnessFor(required));
        return permissionOf(access, required, project);
      } catch (error) {
        onError(error);
        return 'unknown';
      }
    },
    async ownersOf(workspace) {
      const client = await slackFor(workspace);
      if (client === 'unknown') return 'unknown';
      if (!client) return [];
      const grants = (await grantsOf(workspace, true)).filter(
        ({ role, project }) => project === '' && isRole(role) && isEnough(role, 'owner'),
      );
      const inGroups = await Promise.all(
        grants
          .filter(({ subjectKind }) => subjectKind === 'group')
          .map(({ subject: group }) => groups.membersOf(client, { workspace, group }, false)),
      );
      const persons = grants.filter(({ subjectKind }) => subjectKind === 'person');
      const found = [persons.map(({ subject }) => subject), ...inGroups, await firstOwners(client)];
      const all = new Set(found.flatMap((ids) => ids ?? []));
      if (all.size === 0 && found.includes(undefined)) return 'unknown';
      return [...all].slice(0, MAX_OWNERS);
    },
    first: { owners: owners.kind, ...(membersDefaultRole && { members: membersDefaultRole }) },
    onGrantsChanged: (workspace) => cachedGrants.drop(workspace),
  };
}

function practiceRole({ owner, publisher }: PracticePeople, user: string): Role | undefined {
  if (user === owner) return 'owner';
  return user === publisher ? 'publisher' : undefined;
}
