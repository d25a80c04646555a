import type { PendingRequest, Role } from '../../access/access.ts';

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

/** Renders since when a request has been waiting for an answer (mrkdwn). Slack shows the time in the reader's zone. */
export function renderPendingRequest({
  role,
  requestedAt,
}: Pick<PendingRequest, 'role' | 'requestedAt'>): string {
  const seconds = Math.floor(requestedAt.getTime() / 1000);
  const fallback = `${requestedAt.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  return `Your request for the ${renderRole(role)} role has been waiting since <!date^${seconds}^{date_short_pretty}, {time}|${fallback}>.`;
}
