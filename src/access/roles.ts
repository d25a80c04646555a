/** From the lowest to the highest. Each role includes the ones before it. */
export const ROLES = ['viewer', 'author', 'publisher', 'manager', 'owner'] as const;
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
export function highest(roles: readonly Role[]): Role | undefined {
  return ROLES.findLast((role) => roles.includes(role));
}
