import type { Confirmation } from '../../forms/form.ts';
import { clip, plainSection, section } from '../../slack/blocks.ts';
import { renderNameInWords } from '../../slack/name-in-words.ts';
import { type InvitationContent, parseDomain, renderInvitation } from './invitation.ts';
import type { Person } from './people.ts';
import { isAdmin } from './role-and-status.ts';

/** Maximum number of known domains in a warning. */
const MAX_LISTED_DOMAINS = 5;
/** Maximum length of a project's name or a domain in a sentence. */
const MAX_NAME_LENGTH = 100;

/**
 * Creates a confirmation for an admin, or for an email domain that is new in the project. Undefined for others, and for
 * a colleague's email that comes from Slack, because nobody typed it.
 */
export function createConfirmation(
  invitation: InvitationContent,
  { people, isEmailFromSlack }: { people: readonly Person[]; isEmailFromSlack: boolean },
): Confirmation | undefined {
  const warnings = [
    renderAdminWarning(invitation),
    isEmailFromSlack ? undefined : renderDomainWarning(invitation, people),
  ].filter((warning) => warning !== undefined);
  if (warnings.length === 0) return undefined;
  return {
    title: 'Invite them?',
    submitLabel: 'Yes, invite',
    blocks: [
      section('*Check before sending.*'),
      plainSection(
        `${renderInvitation(invitation)}\nProject: ${clip(invitation.project.name, MAX_NAME_LENGTH)}`,
      ),
      ...warnings.map((warning) => plainSection(`⚠️ ${warning}`)),
    ],
  };
}

function renderAdminWarning({ role, project }: InvitationContent): string | undefined {
  return isAdmin(role)
    ? `They’ll have the role ${renderNameInWords(role)} in ${clip(project.name, MAX_NAME_LENGTH)}.`
    : undefined;
}

function renderDomainWarning(
  { email, project }: InvitationContent,
  people: readonly Person[],
): string | undefined {
  const domain = parseDomain(email);
  const knownDomains = [
    ...new Set(people.flatMap(({ email: known }) => (known === undefined ? [] : parseDomain(known)))),
  ];
  if (knownDomains.includes(domain)) return undefined;
  const name = clip(project.name, MAX_NAME_LENGTH);
  const typedDomain = clip(email.slice(email.lastIndexOf('@') + 1), MAX_NAME_LENGTH);
  const domainText =
    typedDomain.toLowerCase() === domain ? typedDomain : `${typedDomain} (${clip(domain, MAX_NAME_LENGTH)})`;
  if (knownDomains.length === 0) {
    return `First invite to ${domainText} for ${name}. Is that right?`;
  }
  const listedDomains = knownDomains
    .slice(0, MAX_LISTED_DOMAINS)
    .map((known) => clip(known, MAX_NAME_LENGTH));
  const hiddenCount = knownDomains.length - listedDomains.length;
  return `${domainText} is new in ${name}. Earlier invites: ${listedDomains.join(', ')}${hiddenCount > 0 ? ` and ${hiddenCount} more` : ''}.`;
}
