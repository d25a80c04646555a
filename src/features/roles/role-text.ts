import { isRole, type PendingRequest, ROLE_TABLE, ROLES, type Role } from '../../access/access.ts';
import type { Call } from '../../app/call.ts';

/** Renders a role (plain text): "Contributor". A role of another version has only its id. */
export function renderRole(role: string): string {
  return isRole(role) ? ROLE_TABLE[role].name : role;
}

/** Renders what a person becomes with a role (plain text): "a Contributor", "an Owner". */
export function renderRoleHolder(role: string): string {
  return isRole(role) ? ROLE_TABLE[role].holder : `a ${role}`;
}

/** Renders all abilities of a role (plain text): "view posts and templates, and write drafts and prompts". */
export function renderAbilities(role: Role): string {
  const includedRoles = ROLES.slice(0, ROLES.indexOf(role) + 1);
  return joinAbilities(includedRoles.flatMap((includedRole) => ROLE_TABLE[includedRole].abilities));
}

/** Joins abilities with a comma before “and”, because an ability may contain “and” itself. */
function joinAbilities(abilities: readonly string[]): string {
  const [last = '', ...rest] = abilities.toReversed();
  return rest.length === 0 ? last : `${rest.toReversed().join(', ')}, and ${last}`;
}

/** Renders a line of abilities for each role, beginning with the lowest role (plain text). */
export function renderRoleLines(): string[] {
  return ROLES.map((role, index) => {
    const { name, abilities } = ROLE_TABLE[role];
    return `${name}: ${index === 0 ? '' : 'also '}${joinAbilities(abilities)}`;
  });
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

/** Reads the project names by id. Resolves with an empty map if the service doesn't answer. */
export async function readProjectNames({ context }: Call): Promise<ReadonlyMap<string, string>> {
  const outcome = await context.reads.listProjects(context.api);
  const items = outcome.kind === 'done' ? outcome.data.items : [];
  return new Map(items.map(({ id, name }) => [id, name]));
}
