import type { RequiredRole, Role } from '../../access/access.ts';

/** The abilities that each role adds to those of the lower roles. */
const ABILITIES: Record<Role, string> = {
  viewer: 'view posts and templates',
  contributor: 'write drafts and prompts',
  publisher: 'schedule posts',
  manager: 'manage digests, sources and channels, and read logs',
  owner: 'invite people, give roles, connect the service and delete',
};

const ASCENDING_ROLES: readonly Role[] = ['viewer', 'contributor', 'publisher', 'manager', 'owner'];

/** Renders all abilities of a role for a sentence (plain text), such as "see what is next; save drafts". */
export function renderAbilities(role: Role): string {
  return ASCENDING_ROLES.slice(0, ASCENDING_ROLES.indexOf(role) + 1)
    .map((includedRole) => ABILITIES[includedRole])
    .join('; ');
}

/** Renders a line of abilities for each role, beginning with the lowest role (plain text). */
export function renderRoleLines(): string[] {
  return ASCENDING_ROLES.map((role, index) => `${role}: may ${index === 0 ? '' : 'also '}${ABILITIES[role]}`);
}

/** Renders a required role (plain text): "the role publisher, or more". */
export function renderRequiredRole(required: RequiredRole): string {
  if (required === 'member') return 'a full membership of this workspace';
  return required === 'owner' ? 'the role owner' : `the role ${required}, or more`;
}

/** Renders a role (plain text): "contributor", "no role". */
export function renderRole(role: Role | undefined): string {
  return role ?? 'no role';
}
