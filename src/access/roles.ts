import type { OutsiderReason } from './people.ts';
import type { Grant } from './sql/grants.ts';

interface RoleEntry {
  /** As people read it. The plural has an "s". */
  name: string;
  /** What a person with the role is. */
  holder: string;
  /** The abilities that the role adds to those of the lower roles. */
  abilities: readonly string[];
  /** Whether a policy may make all people with the role approvers. */
  mayApprove: boolean;
}

/**
 * The roles, from the lowest to the highest. Each includes the ones before it. Settings, policies and texts have their
 * roles from here, so a new role needs no other list.
 */
export const ROLE_TABLE = {
  viewer: {
    name: 'Viewer',
    holder: 'a Viewer',
    abilities: ['view posts and templates'],
    mayApprove: false,
  },
  contributor: {
    name: 'Contributor',
    holder: 'a Contributor',
    abilities: ['write drafts and prompts'],
    mayApprove: true,
  },
  publisher: {
    name: 'Publisher',
    holder: 'a Publisher',
    abilities: ['schedule posts', 'stop a project'],
    mayApprove: true,
  },
  manager: {
    name: 'Manager',
    holder: 'a Manager',
    abilities: [
      'manage digests, sources and channels',
      'change policies',
      'resume stopped projects',
      'read logs',
    ],
    mayApprove: true,
  },
  owner: {
    name: 'Owner',
    holder: 'an Owner',
    abilities: ['invite people', 'give roles', 'connect the service', 'delete webhooks and files'],
    mayApprove: true,
  },
} as const satisfies Record<string, RoleEntry>;

export type Role = keyof typeof ROLE_TABLE;
export const ROLES: readonly Role[] = Object.keys(ROLE_TABLE).filter(isRole);

/** The requirement of an action: a role, or only a full membership of the workspace. */
export type RequiredRole = Role | 'member';

export function isRole(name: string | undefined): name is Role {
  return name !== undefined && Object.hasOwn(ROLE_TABLE, name);
}

/** Whether a role includes the required one. Without a role, only `member` is fulfilled. */
export function includesRole(role: Role | undefined, required: RequiredRole): boolean {
  if (required === 'member') return true;
  return role !== undefined && ROLES.indexOf(role) >= ROLES.indexOf(required);
}

function findHighestRole(roles: readonly Role[]): Role | undefined {
  return ROLES.findLast((role) => roles.includes(role));
}

/** The reason for a person's role. `by` and `group` are Slack's ids. */
export type RoleReason =
  /** An owner (`by`) granted the role to the person. */
  | { kind: 'given'; by: string }
  /** An owner (`by`) granted the role to a user group of the person. */
  | { kind: 'group'; group: string; by: string }
  /** All full members have the role. An owner (`by`) granted it; without `by`, it comes from the settings. */
  | { kind: 'members'; by?: string }
  /** The person installed the app. */
  | { kind: 'installed' }
  /** The person is an admin in Slack and claimed ownership. */
  | { kind: 'claimed' }
  | { kind: 'slack-owner' }
  /** One of the emulator's predefined people, who have roles without grants. */
  | { kind: 'emulator' };

/** A role that a person has. `project`: the project's id in the service, '' for the whole workspace. */
export interface AssignedRole {
  role: Role;
  project: string;
  reason: RoleReason;
}

export type Access =
  | { kind: 'outsider'; reason: OutsiderReason }
  /** `isIncomplete`: a lookup of user groups or of the emulator's users failed, so roles may be missing. */
  | { kind: 'member'; isAdmin: boolean; roles: readonly AssignedRole[]; isIncomplete: boolean };

type MemberAccess = Extract<Access, { kind: 'member' }>;

/** A person, and those of the person's user groups that have a role. */
export interface Member {
  user: string;
  groups: readonly string[];
}

/**
 * Resolves the member's roles from the workspace's grants. `membersRole` is the role that the settings
 * give to all full members. It applies unless an owner has granted all full members another role.
 */
export function resolveRoles(
  grants: readonly Grant[],
  member: Member,
  membersRole: Role | undefined,
): AssignedRole[] {
  const roles = grants.flatMap((grant): AssignedRole[] => {
    const reason = findReason(grant, member);
    if (!reason || !isRole(grant.role)) return [];
    // An owner owns the whole workspace, so a grant for a project is invalid.
    if (grant.role === 'owner' && grant.project !== '') return [];
    return [{ role: grant.role, project: grant.project, reason }];
  });
  const hasMembersGrant = grants.some(
    ({ subjectKind, project }) => subjectKind === 'members' && project === '',
  );
  if (membersRole && !hasMembersGrant)
    roles.push({ role: membersRole, project: '', reason: { kind: 'members' } });
  return roles;
}

/** Undefined if the grant doesn't apply to the member. */
function findReason(grant: Grant, { user, groups }: Member): RoleReason | undefined {
  const { subjectKind, subject, reason, grantedBy: by } = grant;
  if (subjectKind === 'members') return { kind: 'members', by };
  if (subjectKind === 'group')
    return groups.includes(subject) ? { kind: 'group', group: subject, by } : undefined;
  if (subject !== user) return undefined;
  return reason === 'given' ? { kind: 'given', by } : { kind: reason };
}

/** The member's highest role for a project; without `project`, for any project. */
export function findRole({ roles }: MemberAccess, project?: string): Role | undefined {
  const applicableRoles =
    project === undefined ? roles : roles.filter((one) => one.project === '' || one.project === project);
  return findHighestRole(applicableRoles.map(({ role }) => role));
}

/** The member's highest role for the whole workspace. */
export function findWorkspaceRole({ roles }: MemberAccess): Role | undefined {
  return findHighestRole(roles.filter(({ project }) => project === '').map(({ role }) => role));
}

/** `unknown`: a lookup failed, and a later check may succeed. */
export type Permission = 'yes' | 'no' | 'unknown';

/** Checks for the required role in the project; without `project`, in any project. */
export function checkPermission(access: Access, required: RequiredRole, project?: string): Permission {
  if (isAllowed(access, required, project)) return 'yes';
  const isIncomplete = access.kind === 'outsider' ? access.reason === 'not-checked' : access.isIncomplete;
  return isIncomplete ? 'unknown' : 'no';
}

/** Like checkPermission, but returns false for `unknown`. */
export function isAllowed(access: Access, required: RequiredRole, project?: string): boolean {
  return access.kind === 'member' && includesRole(findRole(access, project), required);
}

/** Says why work stopped that needs a role, after "because" (plain text). The name of the project is as people wrote it. */
export function renderMissingRole(
  answer: Exclude<Permission, 'yes'>,
  role: Role,
  projectName: string | undefined,
): string {
  const place = projectName === undefined ? '' : ` in ${projectName}`;
  return answer === 'no'
    ? `you no longer have the ${ROLE_TABLE[role].name} role${place}`
    : `I couldn’t check your role${place}`;
}

/** Explains the two kinds of roles where they meet, because their names are similar (mrkdwn). */
export const TWO_ROLES_NOTE =
  'A role in Upnext decides what somebody may do in Slack (`/upnext roles`), and a role in the scheduling service what they may do there (`/invite-user`).';
