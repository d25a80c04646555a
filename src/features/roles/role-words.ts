import type { RequiredRole, Role } from '../../access/access.ts';

/** What each role adds to those before it. */
const MAY: Record<Role, string> = {
  viewer: 'see what is next, posts and templates',
  contributor: 'save drafts and make prompts',
  publisher: 'schedule posts',
  manager: 'run digests, sources and channels, and read logs',
  owner: 'invite people, give roles, connect the service, and delete',
};

const ORDER: readonly Role[] = ['viewer', 'contributor', 'publisher', 'manager', 'owner'];

/** Plain text, for a sentence: "see what is next, posts and templates; save drafts and make prompts". */
export function mayWords(role: Role): string {
  return ORDER.slice(0, ORDER.indexOf(role) + 1)
    .map((each) => MAY[each])
    .join('; ');
}

/** Plain text: one line for each role, the least first. */
export function roleLines(): string[] {
  return ORDER.map((role, index) => `${role}: may ${index === 0 ? '' : 'also '}${MAY[role]}`);
}

/** Plain text: "the role publisher, or more". */
export function neededWords(needed: RequiredRole): string {
  if (needed === 'member') return 'to be a full member of this workspace';
  return needed === 'owner' ? 'the role owner' : `the role ${needed}, or more`;
}

/** Plain text: "author", "no role". */
export function roleName(role: Role | undefined): string {
  return role ?? 'no role';
}
