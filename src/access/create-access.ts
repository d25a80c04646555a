import { performance } from 'node:perf_hooks';
import type { WebClient } from '@slack/web-api';
import type { Kysely } from 'kysely';
import { createLookupCache } from '../cache/cache.ts';
import type { Actor } from '../slack/actor.ts';
import type { BotSchema } from '../store/schema.ts';
import { recordFirstOwner } from './first-owner.ts';
import { type FirstPeople, firstPeople } from './practice-people.ts';
import {
  type Access,
  type Held,
  type Holder,
  heldIn,
  isEnough,
  isRole,
  type Needed,
  type Permission,
  permissionOf,
  type Role,
} from './roles.ts';
import { MAX_OWNERS, slackOwners } from './slack-owners.ts';
import { grantsIn } from './sql/grants.ts';
import { createUserGroups } from './user-groups.ts';
import { createPeople } from './who.ts';

/** Who owns a workspace in which nothing was given yet. */
export type FirstOwners =
  /** Those who own it in Slack. */
  | { kind: 'slack' }
  /** Who installed the app there; `of` rejects where that could not be found out. */
  | { kind: 'installer'; of(workspace: string): Promise<string | undefined> }
  /** Of the practice workspace's people the first; the second is a publisher. */
  | { kind: 'practice' };

interface AccessOptions {
  db: Kysely<BotSchema>;
  owners: FirstOwners;
  /** Of full members who were given nothing; an owner can say otherwise for their workspace. */
  membersDefaultRole?: Role | undefined;
  /** `unknown`: whether the app is installed there could not be found out. */
  slackFor(workspace: string): Promise<WebClient | 'unknown' | undefined>;
  now: () => Date;
  /** A look-up failed: who somebody is, who is in a group, or which roles there are. */
  failed(error: unknown): void;
}

/** What has to be looked up now, and what may be known from a moment ago. */
export type Fresh =
  /** For somebody who looks at something. */
  | 'nothing'
  /** For somebody who changes something. */
  | 'grants'
  /** Slack is asked too: for what only owners may do. */
  | 'everything';

export function freshFor(needed: Needed): Fresh {
  if (needed === 'owner') return 'everything';
  return needed === 'member' || needed === 'viewer' ? 'nothing' : 'grants';
}

export interface Accesses {
  /** Rejects where the database does. */
  of(who: Actor, client: WebClient, fresh: Fresh): Promise<Access>;
  /** Asked before something is sent, perhaps long after it was allowed. `project` undefined: anywhere. Never rejects. */
  mayStill(who: Actor, needed: Needed, project: string | undefined): Promise<Permission>;
  /** Slack's ids of those who own a workspace here, ten at most; `unknown` where a failed look-up left none. */
  ownersOf(workspace: string): Promise<readonly string[] | 'unknown'>;
  /** What somebody has to whom nothing was given. */
  readonly first: { owners: FirstOwners['kind']; members?: Role };
  /** What was given has changed. */
  changed(workspace: string): void;
}

/** What was given elsewhere is known here after so long, where somebody only looks at something, ms. */
const GRANTS_MAX_AGE_MS = 5_000;
const MAX_WORKSPACES = 1_000;

export function createAccess(options: AccessOptions): Accesses {
  const { db, owners, membersDefaultRole, slackFor, now, failed } = options;
  const clock = () => performance.now();
  const people = createPeople(clock, failed);
  const groups = createUserGroups(clock, failed);
  const first = firstPeople(clock);
  const given = createLookupCache<Awaited<ReturnType<typeof grantsIn>>>({
    maxAgeMs: GRANTS_MAX_AGE_MS,
    max: MAX_WORKSPACES,
    now: clock,
  });

  const grantsOf = async (workspace: string, live: boolean) => {
    const all = await given.get(workspace, () => grantsIn(db, workspace), live);
    if (all.length > 0 || owners.kind !== 'installer') return all;
    const user = await owners.of(workspace);
    if (user === undefined || !(await recordFirstOwner(db, { workspace, user, now: now() }))) return all;
    return given.get(workspace, () => grantsIn(db, workspace), true);
  };

  const of: Accesses['of'] = async (who, client, fresh) => {
    const { workspace } = who;
    const live = fresh === 'everything';
    const [person, grants] = await Promise.all([
      people.personOf(client, who, live),
      grantsOf(workspace, fresh !== 'nothing'),
    ]);
    if (person.kind === 'outsider') return person;
    const groupsGiven = new Set(
      grants.filter(({ subjectKind }) => subjectKind === 'group').map(({ subject }) => subject),
    );
    const found = await Promise.all(
      [...groupsGiven].map(
        async (group) => [group, await groups.membersOf(client, { workspace, group }, live)] as const,
      ),
    );
    const holder: Holder = {
      user: who.user,
      groups: found.flatMap(([group, members]) => (members?.includes(who.user) ? [group] : [])),
    };
    const first = await heldFirst(who, client, person.isOwner);
    const held = [...heldIn(grants, holder, membersDefaultRole), ...(first ?? [])];
    const isUnsure = first === undefined || found.some(([, members]) => members === undefined);
    return { kind: 'member', isAdmin: person.isAdmin, held, isUnsure };
  };

  /** Undefined where the look-up failed. */
  const heldFirst = async (
    { user }: Actor,
    client: WebClient,
    isOwner: boolean,
  ): Promise<Held[] | undefined> => {
    if (owners.kind === 'slack')
      return isOwner ? [{ role: 'owner', project: '', why: { kind: 'slack-owner' } }] : [];
    if (owners.kind === 'installer') return [];
    const people = await practicePeople(client);
    if (!people) return undefined;
    const role = practiceRole(people, user);
    return role ? [{ role, project: '', why: { kind: 'practice' } }] : [];
  };

  /** Those who own it though nobody gave them the role; undefined where the look-up failed. */
  const firstOwners = async (client: WebClient): Promise<readonly string[] | undefined> => {
    if (owners.kind === 'slack') return slackOwners(client, failed);
    if (owners.kind === 'installer') return [];
    const people = await practicePeople(client);
    return people && (people.owner === undefined ? [] : [people.owner]);
  };

  const practicePeople = async (client: WebClient): Promise<FirstPeople | undefined> => {
    try {
      return await first(client);
    } catch (error) {
      failed(error);
      return undefined;
    }
  };

  return {
    of,
    async mayStill(who, needed, project) {
      try {
        const client = await slackFor(who.workspace);
        // Where the app is installed again, the answer may be yes.
        if (!client || client === 'unknown') return 'unknown';
        const access = await of(who, client, needed === 'viewer' ? 'grants' : freshFor(needed));
        return permissionOf(access, needed, project);
      } catch (error) {
        failed(error);
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
    changed: (workspace) => given.drop(workspace),
  };
}

function practiceRole({ owner, publisher }: FirstPeople, user: string): Role | undefined {
  if (user === owner) return 'owner';
  return user === publisher ? 'publisher' : undefined;
}
