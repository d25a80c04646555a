import type { PendingRequest, Role } from '../../access/access.ts';

/** The abilities that each role adds to those of the lower roles. */
const ABILITIES: Record<Role, readonly string[]> = {
  viewer: ['view posts and templates'],
  contributor: ['write drafts and prompts'],
  publisher: ['schedule posts', 'stop a project'],
  manager: [
    'manage digests, sources and channels',
    'change policies',
    'resume stopped projects',
    'read logs',
  ],
  owner: ['invite people', 'give roles', 'connect the service', 'delete webhooks and files'],
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

/** Renders all abilities of a role (plain text): "view posts and templates, and write drafts and prompts". */
export function renderAbilities(role: Role): string {
  const includedRoles = ASCENDING_ROLES.slice(0, ASCENDING_ROLES.indexOf(role) + 1);
  return joinAbilities(includedRoles.flatMap((includedRole) => ABILITIES[includedRole]));
}

/** Joins abilities with a comma before “and”, because an ability may contain “and” itself. */
function joinAbilities(abilities: readonly string[]): string {
  const [last = '', ...rest] = abilities.toReversed();
  return rest.length === 0 ? last : `${rest.toReversed().join(', ')}, and ${last}`;
}

/** Renders a line of abilities for each role, beginning with the lowest role (plain text). */
export function renderRoleLines(): string[] {
  return ASCENDING_ROLES.map(
    (role, index) => `${renderRole(role)}: ${index === 0 ? '' : 'also '}${joinAbilities(ABILITIES[role])}`,
  );
}

/** Renders a request that no owner has answered (mrkdwn). Slack shows the time in the reader's zone. */
export function renderPendingRequest({
  role,
  requestedAt,
}: Pick<PendingRequest, 'role' | 'requestedAt'>): string {
  const seconds = Math.floor(requestedAt.getTime() / 1000);
  const fallback = `${requestedAt.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  const time = `<!date^${seconds}^{date_short_pretty} at {time}|${fallback}>`;
  return `You requested the ${renderRole(role)} role ${time}. I’ll DM you when an Owner answers.`;
}
