import { domainToASCII } from 'node:url';
import { z } from 'zod';
import { inviteUser } from '../../api/users.ts';
import { namedRecord } from '../../forms/field.ts';
import { clip, context, plain, plainSection } from '../../slack/blocks.ts';
import { renderNameInWords } from '../../slack/name.ts';
import type { SubmissionKind } from '../../submissions/kind.ts';

/** Maximum length of an email address: 64 characters, "@" and 255 characters (RFC 5321, 4.5.3.1). */
export const MAX_EMAIL_LENGTH = 320;

/** Matches every address that may be valid. A quoted local part may contain blanks. The service checks the details. */
const ADDRESS_PATTERN = /^(?:"[^"\p{Cc}]+"|[^\s@"<>(),;:\p{Cc}]+)@[^\s@"<>(),;\p{Cc}]+$/u;

/** Explains why an address can't be valid (plain text). Undefined for every address that may be valid. */
export function findEmailFault(value: string): string | undefined {
  const address = value.trim();
  // Some scripts need the two zero-width joiners. Other format characters only hide text or change its direction.
  if (/(?!\u200c|\u200d)\p{Cf}/u.test(address)) {
    return 'This address contains an invisible character. Type it again.';
  }
  return ADDRESS_PATTERN.test(address) ? undefined : 'Enter a valid email, such as ana@example.com.';
}

/** Explains why a phone number can't be valid (plain text). Undefined for an empty one. */
export function findPhoneFault(value: string): string | undefined {
  if (value.trim() !== '' && !/\p{Nd}/u.test(value)) return 'This phone number has no digits.';
  return findLineBreakFault(value);
}

export function findLineBreakFault(value: string): string | undefined {
  return /[\r\n\u0085\u2028\u2029]/.test(value.trim()) ? 'Use a single line.' : undefined;
}

/** Parses the domain of an address. The result is in lower-case ASCII, so that equal domains compare as equal. */
export function parseDomain(address: string): string {
  const domain = address
    .slice(address.lastIndexOf('@') + 1)
    .trim()
    .replace(/\.$/, '');
  return domainToASCII(domain) || domain.toLowerCase();
}

/** Parses the text after `/invite-user`: "ana@example.com Ana Ferreira", or "Ana Ferreira <ana@example.com>". */
export function parseInvitation(text: string): { email?: string; first?: string; last?: string } {
  const textParts = text.split(/\s+/).filter((part) => part !== '');
  const isAddress = (part: string) => part.includes('@');
  const email = textParts
    .find(isAddress)
    ?.replace(/^[<(]*(?:mailto:)?|[>),;]*$/gi, '')
    .replace(/\|.*$/, '');
  const [first, ...lastParts] = textParts.filter((part) => !isAddress(part));
  return {
    ...(email !== undefined && { email: email.slice(0, MAX_EMAIL_LENGTH) }),
    ...(first !== undefined && { first }),
    ...(lastParts.length > 0 && { last: lastParts.join(' ') }),
  };
}

const contentSchema = z.object({
  project: namedRecord,
  first: z.string(),
  last: z.string(),
  email: z.string(),
  /** The phone number, or '' for none. */
  phone: z.string(),
  role: z.string(),
  status: z.string(),
});
export type InvitationContent = z.infer<typeof contentSchema>;

const responseSchema = z.object({ user: z.object({ id: z.string() }) });

/** Maximum length of a name in a sentence. */
const MAX_NAME_LENGTH = 60;
/** Maximum length of a line in the invitation's details. */
const MAX_DETAIL_LENGTH = 300;

export function getFullName({ first, last }: Pick<InvitationContent, 'first' | 'last'>): string {
  return clip(`${first} ${last}`, MAX_NAME_LENGTH);
}

/** Renders the invitation as plain text: one line for each value, and one for role and status. */
export function renderInvitation({ first, last, email, phone, role, status }: InvitationContent): string {
  const lines = [`${first} ${last}`, email, ...(phone === '' ? [] : [phone])];
  return [
    ...lines.map((line) => clip(line, MAX_DETAIL_LENGTH)),
    `Role: ${renderNameInWords(role)}, status: ${renderNameInWords(status)}`,
  ].join('\n');
}

/** Sends invitations. The service has no list of users, so only the response contains the id of the new user. */
export const invitationSubmission: SubmissionKind<InvitationContent> = {
  name: 'invitation',
  feature: 'invite-user',
  content: contentSchema,
  hasReceipt: true,
  getProject: ({ project }) => project,
  getRole: () => 'owner',
  send: (api, { project, first, last, email, phone, role, status }) =>
    inviteUser(api, {
      projectId: project.id,
      firstName: first,
      lastName: last,
      email,
      ...(phone !== '' && { phoneNumber: phone }),
      role,
      status,
    }),
  // An invitation without an id in the response is stored too, so that Upnext knows which addresses were invited.
  parseServiceId: (data) => responseSchema.safeParse(data).data?.user.id ?? '',
  summarize: (invitation) => ({ ...invitation, phone: '' }),
  // A retry may invite the user twice, so the author decides.
  unknownOutcome: { strategy: 'ask' },
  copy: {
    renderTitle: (invitation) =>
      `Invitation of ${getFullName(invitation)} (${clip(invitation.email, MAX_NAME_LENGTH)}) to ${clip(invitation.project.name, MAX_NAME_LENGTH)}`,
    renderDone: (invitation) =>
      `${getFullName(invitation)} is invited to ${clip(invitation.project.name, MAX_NAME_LENGTH)}.`,
    renderDoneTitle: () => 'Invited',
    renderDoneNote: () => 'Their role and status can be changed with /upnext user.',
    getText: ({ email }) => email,
    renderResendWarning: () => 'Sending it again may invite them twice.',
    renderDetails: (invitation) => [
      context(plain(`Project: ${invitation.project.name}`, MAX_DETAIL_LENGTH)),
      plainSection(renderInvitation(invitation)),
    ],
  },
};
