import type { Outsider } from './people.ts';
import type { Grant } from './sql/grants.ts';

/** From the lowest to the highest. Each role includes the ones before it. */
export const ROLES = ['viewer', 'contributor', 'publisher', 'manager', 'owner'] as const;
export type Role = (typeof ROLES)[number];

/** What an action requires: a role, or only a full membership of the workspace. */
export type RequiredRole = Role | 'member';

export function isRole(word: string | undefined): word is Role {
  return ROLES.some((role) => role === word);
}

/** Whether a role (undefined: none) includes the required one. */
export function isEnough(role: Role | undefined, required: RequiredRole): boolean {
  if (required === 'member') return true;
  return role !== undefined && ROLES.indexOf(role) >= ROLES.indexOf(required);
}

/** The highest of these roles; undefined if there are none. */
function highest(roles: readonly Role[]): Role | undefined {
  return ROLES.findLast((role) => roles.includes(role));
}

/** Why a person has a role. Ids are Slack's. */
export type RoleReason =
  | { kind: 'given'; by: string }
  | { kind: 'group'; group: string; by: string }
  /** All full members have it, from an owner (`by`) or from the settings. */
  | { kind: 'members'; by?: string }
  | { kind: 'installed' }
  | { kind: 'claimed' }
  | { kind: 'slack-owner' }
  | { kind: 'practice' };

/** A role that a person has. `project`: the project's id in the service, '' for the whole workspace. */
export interface HeldRole {
  role: Role;
  project: string;
  reason: RoleReason;
}

/** A person's access to a workspace. */
export type Access =
  | { kind: 'outsider'; reason: Outsider }
  /** `isUnsure`: the lookup of a user group or of the practice workspace's people failed, so roles may be missing. */
  | { kind: 'member'; isAdmin: boolean; held: readonly HeldRole[]; isUnsure: boolean };

type Member = Extract<Access, { kind: 'member' }>;

/** A person, and those of their user groups that have a role. */
export interface Holder {
  user: string;
  groups: readonly string[];
}

/** The person's roles among all grants. `membersRole`, from the settings, counts unless an owner has chosen another. */
export function rolesOf(grants: readonly Grant[], holder: Holder, membersRole: Role | undefined): HeldRole[] {
  const held = grants.flatMap((grant): HeldRole[] => {
    const reason = reasonOf(grant, holder);
    if (!reason || !isRole(grant.role)) return [];
    // An owner owns the whole workspace, so a grant for a project is invalid.
    if (grant.role === 'owner' && grant.project !== '') return [];
    return [{ role: grant.role, project: grant.project, reason }];
  });
  const isChosen = grants.some(({ subjectKind, project }) => subjectKind === 'members' && project === '');
  if (membersRole && !isChosen) held.push({ role: membersRole, project: '', reason: { kind: 'members' } });
  return held;
}

function reasonOf(grant: Grant, { user, groups }: Holder): RoleReason | undefined {
  const { subjectKind, subject, reason, grantedBy: by } = grant;
  if (subjectKind === 'members') return { kind: 'members', by };
  if (subjectKind === 'group')
    return groups.includes(subject) ? { kind: 'group', group: subject, by } : undefined;
  if (subject !== user) return undefined;
  return reason === 'given' ? { kind: 'given', by } : { kind: reason };
}

/** The member's highest role for a project; without `project`, for any project. */
export function roleOf({ held }: Member, project?: string): Role | undefined {
  const here =
    project === undefined ? held : held.filter((one) => one.project === '' || one.project === project);
  return highest(here.map(({ role }) => role));
}

/** The member's highest role for the whole workspace. */
export function roleEverywhere({ held }: Member): Role | undefined {
  return highest(held.filter(({ project }) => project === '').map(({ role }) => role));
}

/** `unknown`: a lookup failed, and a later check may succeed. */
export type Permission = 'yes' | 'no' | 'unknown';

/** Whether the person may do this in the project; without `project`, in any project. */
export function permissionOf(access: Access, needed: RequiredRole, project?: string): Permission {
  if (may(access, needed, project)) return 'yes';
  const isUnsure = access.kind === 'outsider' ? access.reason === 'not-checked' : access.isUnsure;
  return isUnsure ? 'unknown' : 'no';
}

/** Whether the person certainly may do this. */
export function may(access: Access, needed: RequiredRole, project?: string): boolean {
  return access.kind === 'member' && isEnough(roleOf(access, project), needed);
}
