import { performance } from 'node:perf_hooks';
import type { WebClient } from '@slack/web-api';
import type { Kysely } from 'kysely';
import { createLookupCache } from '../cache/cache.ts';
import { MINUTE_MS } from '../durations.ts';
import { claimOnce } from '../engine/once-claim.ts';
import type { Actor } from '../slack/actor.ts';
import { DecryptionError, type Encryption } from './encryption.ts';
import { createGuestLookup } from './guests.ts';
import { createMemberLookup, createPersonLookup } from './people.ts';
import { createOwnerLookup, createRoleHolders, type RoleHolderLists } from './role-holders.ts';
import {
  type Access,
  type AssignedRole,
  checkPermission,
  type Member,
  type Permission,
  type RequiredRole,
  type Role,
  resolveRoles,
} from './roles.ts';
import { changeGrants, type Grant, listGrants } from './sql/grants.ts';
import type { AccessTables } from './tables.ts';

/** The workspace argument of Encryption for secrets that are bound to no workspace. */
const NO_WORKSPACE = '';

/**
 * The secret that all instances share under this name. It is stored encrypted. `create` makes a new secret if none is
 * stored. Throws DecryptionError if the stored one was encrypted with another key: it is never replaced here, because the
 * settings may be those of another database.
 */
export async function readOrCreateSharedSecret(
  { db, encryption }: { db: Kysely<AccessTables>; encryption: Encryption },
  name: string,
  create: () => string,
): Promise<string> {
  const find = db.selectFrom('shared_secret').select('secret').where('name', '=', name);
  const stored = await find.executeTakeFirst();
  if (stored) return encryption.decrypt(stored.secret, NO_WORKSPACE);
  // Another instance may have stored its own secret in the meantime. All instances then use that one.
  await db
    .insertInto('shared_secret')
    .values({ name, secret: encryption.encrypt(create(), NO_WORKSPACE) })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return encryption.decrypt((await find.executeTakeFirstOrThrow()).secret, NO_WORKSPACE);
}

/** Deletes the shared secrets that can't be decrypted, because their key is lost. Returns how many there were. */
export async function deleteLostSecrets(db: Kysely<AccessTables>, encryption: Encryption): Promise<number> {
  const isLost = ({ secret }: { secret: string }) => {
    try {
      encryption.decrypt(secret, NO_WORKSPACE);
      return false;
    } catch (error) {
      if (error instanceof DecryptionError) return true;
      throw error;
    }
  };
  const lost = (await db.selectFrom('shared_secret').selectAll().execute()).filter(isLost);
  for (const { name, secret } of lost)
    await db
      .deleteFrom('shared_secret')
      .where(({ and }) => and({ name, secret }))
      .execute();
  return lost.length;
}

/** The owners of a workspace without any grants. */
export type FirstOwners =
  /** The workspace's owners in Slack. */
  | { kind: 'slack' }
  /** The person who installed the app. `findInstaller` returns Slack's user id, and rejects if the lookup fails. */
  | { kind: 'installer'; findInstaller(workspace: string): Promise<string | undefined> }
  /** The first person of the emulated workspace. The second person is a publisher. */
  | { kind: 'emulator' };

/** The lookups that a permission check must repeat. The results of all other lookups may come from a cache. */
export type Freshness =
  /** For actions that only read, and for a second check in a request that has read the grants. */
  | 'nothing'
  /** For actions that change something. */
  | 'grants'
  /** The grants, the person and their user groups in Slack. For actions of owners. */
  | 'everything';

export function getFreshness(required: RequiredRole): Freshness {
  if (required === 'owner') return 'everything';
  return required === 'member' || required === 'viewer' ? 'nothing' : 'grants';
}

/** The role that a person has without a grant. `user`: Slack's id. */
export interface DefaultRole extends AssignedRole {
  user: string;
}

const SLACK_OWNER: AssignedRole = { role: 'owner', project: '', reason: { kind: 'slack-owner' } };

export interface AccessControl extends RoleHolderLists {
  /** The access of a person to the workspace. Rejects if the database fails. */
  findAccess(actor: Actor, client: WebClient, freshness: Freshness): Promise<Access>;
  /**
   * Checks a permission again before something is sent, possibly long after the first check. Without `project`, a role
   * in any project is enough. With `isInRequest`, the request whose first check has read the grants still goes on, so
   * they aren't read again while they are cached. Never rejects.
   */
  recheckPermission(
    actor: Actor,
    required: RequiredRole,
    project: string | undefined,
    options?: { isInRequest?: boolean | undefined },
  ): Promise<Permission>;
  /** Whether guests are in a channel, see `createGuestLookup`. Never rejects. */
  findGuests: ReturnType<typeof createGuestLookup>;
  /** At most MAX_OWNERS people with a role but no grant. Undefined if the lookup failed or takes too long. */
  listDefaultRoles(client: WebClient, workspace: string): Promise<readonly DefaultRole[] | undefined>;
  /** Who owns a workspace without grants, and the role of all full members. */
  readonly defaultRoles: { owners: FirstOwners['kind']; members?: Role };
  /** Drops the cached grants of a workspace after a change. */
  onGrantsChanged(workspace: string): void;
}

/**
 * How long grants are cached, see `Freshness`. A change by another instance takes effect within this time. Whoever
 * begins to change something reads them again.
 */
const GRANTS_MAX_AGE_MS = 5_000;
const MAX_CACHED_WORKSPACES = 1_000;

export function createAccess(options: {
  db: Kysely<AccessTables>;
  owners: FirstOwners;
  /** The role of full members without another role. An owner can change it for their workspace. */
  membersDefaultRole?: Role | undefined;
  /** `unknown`: the installation lookup failed. Undefined: the app isn't installed in the workspace. */
  findSlackClient(workspace: string): Promise<WebClient | 'unknown' | undefined>;
  now: () => Date;
  /** Called when the lookup of a person, a user group's members or the grants fails. */
  onError(error: unknown): void;
}): AccessControl {
  const { db, owners, membersDefaultRole, findSlackClient, now, onError } = options;
  const clock = () => performance.now();
  const findPerson = createPersonLookup(clock, onError);
  const listMembers = createMemberLookup(clock, onError);
  const listSlackOwners = createOwnerLookup({ clock, onError });
  const listEmulatedPeople = createEmulatedPeopleLookup(clock);
  const cachedGrants = createLookupCache<readonly Grant[]>({
    maxAgeMs: GRANTS_MAX_AGE_MS,
    max: MAX_CACHED_WORKSPACES,
    now: clock,
  });

  const loadGrants = async (workspace: string, skipCache: boolean) => {
    const grants = await cachedGrants.get(workspace, () => listGrants(db, workspace), skipCache);
    if (grants.length > 0 || owners.kind !== 'installer') return grants;
    const user = await owners.findInstaller(workspace);
    if (user === undefined || !(await saveFirstOwner(db, { workspace, user, now: now() }))) return grants;
    return cachedGrants.get(workspace, () => listGrants(db, workspace), true);
  };

  const findAccess: AccessControl['findAccess'] = async (actor, client, freshness) => {
    const { workspace } = actor;
    const skipCache = freshness === 'everything';
    const [person, grants] = await Promise.all([
      findPerson(client, actor, skipCache),
      loadGrants(workspace, freshness !== 'nothing'),
    ]);
    if (person.kind === 'outsider') return person;
    const grantedGroups = new Set(
      grants.filter(({ subjectKind }) => subjectKind === 'group').map(({ subject }) => subject),
    );
    const memberLists = await Promise.all(
      [...grantedGroups].map(
        async (group) => [group, await listMembers(client, { workspace, group }, skipCache)] as const,
      ),
    );
    const member: Member = {
      user: actor.user,
      groups: memberLists.flatMap(([group, members]) => (members?.includes(actor.user) ? [group] : [])),
    };
    const ungrantedRoles = await findRolesWithoutGrants(actor, client, person.isOwner);
    const roles = [...resolveRoles(grants, member, membersDefaultRole), ...(ungrantedRoles ?? [])];
    const isIncomplete =
      ungrantedRoles === undefined || memberLists.some(([, members]) => members === undefined);
    return { kind: 'member', isAdmin: person.isAdmin, roles, isIncomplete };
  };

  const findRolesWithoutGrants = async (
    { workspace, user }: Actor,
    client: WebClient,
    isOwner: boolean,
  ): Promise<readonly AssignedRole[] | undefined> => {
    // Slack's answer about the person says whether they are an owner, so no list of owners is needed.
    if (owners.kind === 'slack') return isOwner ? [SLACK_OWNER] : [];
    return (await listDefaultRoles(client, workspace))?.filter((holder) => holder.user === user);
  };

  const listDefaultRoles: AccessControl['listDefaultRoles'] = async (client, workspace) => {
    if (owners.kind === 'installer') return [];
    if (owners.kind === 'slack')
      return (await listSlackOwners(client, workspace))?.map((user) => ({ user, ...SLACK_OWNER }));
    try {
      const people = await listEmulatedPeople(client);
      return people.map((person) => ({ ...person, project: '', reason: { kind: 'emulator' } }));
    } catch (error) {
      onError(error);
      return undefined;
    }
  };

  const roleHolders = createRoleHolders({
    findSlackClient,
    loadGrants,
    listMembers,
    listDefaultRoles,
    findPerson,
    membersDefaultRole,
    onError,
  });

  return {
    ...roleHolders,
    findAccess,
    listDefaultRoles,
    findGuests: createGuestLookup({ clock, findPerson, onError }),
    async recheckPermission(actor, required, project, { isInRequest = false } = {}) {
      try {
        const client = await findSlackClient(actor.workspace);
        // Without an installation the permission is unknown too, because the app may be installed again.
        if (!client || client === 'unknown') return 'unknown';
        const isOwnerAction = getFreshness(required) === 'everything';
        const freshness = isOwnerAction ? 'everything' : isInRequest ? 'nothing' : 'grants';
        return checkPermission(await findAccess(actor, client, freshness), required, project);
      } catch (error) {
        onError(error);
        return 'unknown';
      }
    },
    defaultRoles: { owners: owners.kind, ...(membersDefaultRole && { members: membersDefaultRole }) },
    onGrantsChanged: (workspace) => cachedGrants.drop(workspace),
  };
}

/** The people who have a role in a new emulated workspace, by Slack's id. */
type EmulatedPeople = readonly { user: string; role: Role }[];

/** Returns a lookup of the first two full members in the emulator's user list. Its result is cached for a minute. */
function createEmulatedPeopleLookup(clock: () => number): (client: WebClient) => Promise<EmulatedPeople> {
  const cache = createLookupCache<EmulatedPeople>({ maxAgeMs: MINUTE_MS, max: 1, now: clock });
  return (client) => cache.get('people', () => fetchPeople(client));
}

/** The roles of the first two full members. */
const EMULATED_ROLES: readonly Role[] = ['owner', 'publisher'];

async function fetchPeople(client: WebClient): Promise<EmulatedPeople> {
  const { members = [] } = await client.users.list({ limit: 200 });
  const fullMembers = members.flatMap((user) =>
    user.id === undefined || user.is_bot || user.deleted || user.is_restricted || user.is_ultra_restricted
      ? []
      : [user.id],
  );
  return EMULATED_ROLES.flatMap((role, index) => {
    const user = fullMembers[index];
    return user === undefined ? [] : [{ user, role }];
  });
}

/** Makes the person who installed the app an owner, unless the workspace has had one. Returns whether it did. */
async function saveFirstOwner(
  db: Kysely<AccessTables>,
  { workspace, user, now }: { workspace: string; user: string; now: Date },
): Promise<boolean> {
  return changeGrants(db, workspace, async (grants, transaction) => {
    if (!(await claimOnce(transaction, { workspace, name: 'first-owner' }))) return false;
    await grants.save({
      subjectKind: 'person',
      subject: user,
      project: '',
      role: 'owner',
      reason: 'installed',
      grantedBy: user,
      grantedAt: now,
    });
    return true;
  });
}

// What other modules use of this folder, besides what this file declares.
export {
  createEncryption,
  DecryptionError,
  type Encryption,
  type EncryptionKey,
  parseKeyId,
} from './encryption.ts';
export { GROUP_MAX_AGE_MS, type OutsiderReason } from './people.ts';
export {
  type AuditAction,
  type AuditEntry,
  buildDoneEntry,
  type Decision,
  type Deed,
  isReadingDeed,
  NAMED_DEEDS,
  toPastTense,
} from './record/entry.ts';
export { foldRepeats } from './record/fold-repeats.ts';
export { findMissingEntries, type LoggedEntry } from './record/missing-entries.ts';
export {
  type AuditRecord,
  commitWithEntry,
  createAuditRecord,
  deleteAuditRecord,
  deleteOldEntries,
  ENTRY_RETENTION_DAYS,
  OPERATOR,
  type PreparedEntry,
  type RecordRow,
  recordCommand,
} from './record/record.ts';
export {
  type FoundRow,
  findPersonLimits,
  listRecordedActions,
  MAX_SEARCHED_OF_PERSON,
  MAX_SEARCHED_RECORDS,
  type PersonLimit,
  type RecordCursor,
  type RecordSearch,
  type RecordSearchResult,
  type SearchedPart,
  type SearchTerm,
  searchRecord,
} from './record/search.ts';
export type { RoleHolderLists, RoleHolders } from './role-holders.ts';
export {
  type Access,
  type AssignedRole,
  checkPermission,
  findRole,
  findWorkspaceRole,
  includesRole,
  isAllowed,
  isRole,
  type Permission,
  type RequiredRole,
  ROLE_TABLE,
  ROLES,
  type Role,
  type RoleReason,
  renderMissingRole,
} from './roles.ts';
export { rotateKeys, type UndecryptedRows } from './rotate-keys.ts';
export {
  type AccessRequest,
  answerCoveredRequests,
  answerRequest,
  findAccessRequest,
  listPendingRequests,
  type PendingRequest,
  sendRequest,
  storeRequestMessages,
} from './sql/access-requests.ts';
export {
  changeGrants,
  type Grant,
  listGrants,
  lockGrants,
  SUBJECT_KINDS,
  type SubjectKind,
  saveGrant,
} from './sql/grants.ts';
export type { AccessTables } from './tables.ts';
