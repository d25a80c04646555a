/** From the least to the most: each may do what those before it may. */
export const ROLES = ['viewer', 'author', 'publisher', 'manager', 'owner'] as const;
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
export function highest(roles: readonly Role[]): Role | undefined {
  return ROLES.findLast((role) => roles.includes(role));
}
