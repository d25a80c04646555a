import type { Role } from '../../access/access.ts';

/** The abilities that each role adds to those of the lower roles. */
const ABILITIES: Record<Role, string> = {
  viewer: 'view posts and templates',
  contributor: 'write drafts and prompts',
  publisher: 'schedule posts',
  manager: 'manage digests, sources and channels, and read logs',
  owner: 'invite people, give roles, connect the service and delete',
};

const ASCENDING_ROLES: readonly Role[] = ['viewer', 'contributor', 'publisher', 'manager', 'owner'];

/** Renders a role (plain text): "Contributor". */
export function renderRole(role: string): string {
  return role.charAt(0).toUpperCase() + role.slice(1);
}

/** Renders what a person becomes with a role (plain text): "a Contributor", "an Owner". */
export function renderRoleHolder(role: string): string {
  return `${role === 'owner' ? 'an' : 'a'} ${renderRole(role)}`;
}

/** Renders all abilities of a role (plain text): "view posts and templates, write drafts and prompts". */
export function renderAbilities(role: Role): string {
  return ASCENDING_ROLES.slice(0, ASCENDING_ROLES.indexOf(role) + 1)
    .map((includedRole) => ABILITIES[includedRole])
    .join(', ');
}

/** Renders a line of abilities for each role, beginning with the lowest role (plain text). */
export function renderRoleLines(): string[] {
  return ASCENDING_ROLES.map(
    (role, index) => `${renderRole(role)}: ${index === 0 ? '' : 'also '}${ABILITIES[role]}`,
  );
}
