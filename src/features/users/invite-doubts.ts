import type { Confirmation } from '../../forms/form.ts';
import { quoted, section } from '../../slack/blocks.ts';
import { clip } from '../../slack/clip.ts';
import { domainOf } from './email.ts';
import { type InvitationContent, invitationLines } from './invitation.ts';
import type { Person } from './people.ts';
import { isAdmin } from './role-and-status.ts';

/** So many domains are worth reading, and so much of a name. */
const LISTED = 5;
const NAME = 100;

/** What is worth a second look before somebody is let in; undefined where nothing is. Pure. */
export function secondLook(
  invitation: InvitationContent,
  people: readonly Person[],
): Confirmation | undefined {
  const doubts = [adminDoubt(invitation), domainDoubt(invitation, people)].filter((one) => one !== undefined);
  if (doubts.length === 0) return undefined;
  return {
    title: 'Invite them?',
    send: 'Yes, invite',
    blocks: [
      section('*Please look once more.* Nothing has been sent yet.'),
      quoted(`${invitationLines(invitation)}\nProject: ${clip(invitation.project.name, NAME)}`),
      ...doubts.map((doubt) => quoted(`⚠️ ${doubt}`)),
    ],
  };
}

function adminDoubt({ role, project }: InvitationContent): string | undefined {
  return isAdmin(role) ? `They would be ${role} of ${clip(project.name, NAME)}.` : undefined;
}

function domainDoubt({ email, project }: InvitationContent, people: readonly Person[]): string | undefined {
  const domain = domainOf(email);
  const seen = [...new Set(people.flatMap((one) => (one.email === undefined ? [] : domainOf(one.email))))];
  if (seen.includes(domain)) return undefined;
  const name = clip(project.name, NAME);
  const written = clip(email.slice(email.lastIndexOf('@') + 1), NAME);
  const shown = written.toLowerCase() === domain ? written : `${written} (${clip(domain, NAME)})`;
  if (seen.length === 0) {
    return `I remember no invitation to ${name} yet, so I cannot tell whether ${shown} is one of its own domains.`;
  }
  const listed = seen.slice(0, LISTED).map((one) => clip(one, NAME));
  const rest = seen.length - listed.length;
  return `${shown} is new in ${name}. People were invited at: ${listed.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}.`;
}
