import type { Grant } from './sql/grants.ts';
import type { Outsider } from './who.ts';

/** From the least to the most: each may do what those before it may. */
export const ROLES = ['viewer', 'contributor', 'publisher', 'manager', 'owner'] as const;
export type Role = (typeof ROLES)[number];

/** What something needs: a role, or nothing but being a full member of the workspace. */
export type Needed = Role | 'member';

export function isRole(word: string | undefined): word is Role {
  return ROLES.some((role) => role === word);
}

/** Whether who has this role (undefined: none) may do what needs that one. */
export function isEnough(role: Role | undefined, needed: Needed): boolean {
  if (needed === 'member') return true;
  return role !== undefined && ROLES.indexOf(role) >= ROLES.indexOf(needed);
}

/** The most of them; undefined of none. */
function highest(roles: readonly Role[]): Role | undefined {
  return ROLES.findLast((role) => roles.includes(role));
}

/** Why somebody has a role. Ids are Slack's. */
export type Why =
  | { kind: 'given'; by: string }
  | { kind: 'group'; group: string; by: string }
  /** All full members have it: an owner said so, or the setting does. */
  | { kind: 'members'; by?: string }
  | { kind: 'installed' }
  | { kind: 'claimed' }
  | { kind: 'slack-owner' }
  | { kind: 'practice' };

/** A role that somebody has; `project` is an id of the service's, '' for the whole workspace. */
export interface Held {
  role: Role;
  project: string;
  why: Why;
}

/** What somebody may do in a workspace. */
export type Access =
  | { kind: 'outsider'; why: Outsider }
  /** `isUnsure`: a look-up failed (a user group, the practice workspace's people), so there may be more roles. */
  | { kind: 'member'; isAdmin: boolean; held: readonly Held[]; isUnsure: boolean };

type Member = Extract<Access, { kind: 'member' }>;

/** Somebody, and the groups with a role that they are in. */
export interface Holder {
  user: string;
  groups: readonly string[];
}

/** What of all that was given is theirs. The setting's role counts where no owner has said otherwise. */
export function heldIn(grants: readonly Grant[], holder: Holder, membersRole: Role | undefined): Held[] {
  const held = grants.flatMap((grant): Held[] => {
    const why = whyOf(grant, holder);
    if (!why || !isRole(grant.role)) return [];
    // Who gives roles gives them everywhere.
    if (grant.role === 'owner' && grant.project !== '') return [];
    return [{ role: grant.role, project: grant.project, why }];
  });
  const isSaid = grants.some(({ subjectKind, project }) => subjectKind === 'members' && project === '');
  if (membersRole && !isSaid) held.push({ role: membersRole, project: '', why: { kind: 'members' } });
  return held;
}

function whyOf(grant: Grant, { user, groups }: Holder): Why | undefined {
  const { subjectKind, subject, why, grantedBy: by } = grant;
  if (subjectKind === 'members') return { kind: 'members', by };
  if (subjectKind === 'group')
    return groups.includes(subject) ? { kind: 'group', group: subject, by } : undefined;
  if (subject !== user) return undefined;
  return why === 'given' ? { kind: 'given', by } : { kind: why };
}

/** The most that they may do with a project; without one, anywhere. */
export function roleOf({ held }: Member, project?: string): Role | undefined {
  const here =
    project === undefined ? held : held.filter((one) => one.project === '' || one.project === project);
  return highest(here.map(({ role }) => role));
}

/** The most that they may do in every project. */
export function roleEverywhere({ held }: Member): Role | undefined {
  return highest(held.filter(({ project }) => project === '').map(({ role }) => role));
}

/** `unknown`: it could not be found out, and a later check may tell. */
export type Permission = 'yes' | 'no' | 'unknown';

/** Whether they may do this with the project; without one, anywhere. */
export function permissionOf(access: Access, needed: Needed, project?: string): Permission {
  if (may(access, needed, project)) return 'yes';
  const isUnsure = access.kind === 'outsider' ? access.why === 'not-checked' : access.isUnsure;
  return isUnsure ? 'unknown' : 'no';
}

/** Whether they certainly may. */
export function may(access: Access, needed: Needed, project?: string): boolean {
  return access.kind === 'member' && isEnough(roleOf(access, project), needed);
}
