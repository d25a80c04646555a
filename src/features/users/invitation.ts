import { domainToASCII } from 'node:url';
import { z } from 'zod';
import { inviteUser } from '../../api/users.ts';
import { namedRecord } from '../../forms/field.ts';
import { context, plain, plainSection } from '../../slack/blocks.ts';
import { clip } from '../../slack/escape.ts';
import type { SubmissionKind } from '../../submissions/kind.ts';

/** 64 characters, "@" and 255 characters (RFC 5321, 4.5.3.1). */
export const MAX_EMAIL_LENGTH = 320;

// The local part may be quoted, and then contain blanks. The service does all stricter checks.
const ADDRESS_PATTERN = /^(?:"[^"\p{Cc}]+"|[^\s@"<>(),;:\p{Cc}]+)@[^\s@"<>(),;\p{Cc}]+$/u;

/** Why an address is certainly invalid, as plain text; undefined if it may be valid. International addresses may be. */
export function emailFault(value: string): string | undefined {
  const address = value.trim();
  // Some scripts need the two joiners. Other format characters only hide text or change its direction.
  if (/(?!\u200c|\u200d)\p{Cf}/u.test(address)) {
    return 'There is an invisible character in this address. Write it anew, or paste it as plain text.';
  }
  return ADDRESS_PATTERN.test(address)
    ? undefined
    : 'This is no e-mail address. Write it like ana@example.com.';
}

/** The domain of an address, normalized (ASCII, lower case) so that equal domains compare as equal. */
export function parseDomain(address: string): string {
  const domain = address
    .slice(address.lastIndexOf('@') + 1)
    .trim()
    .replace(/\.$/, '');
  return domainToASCII(domain) || domain.toLowerCase();
}

/** Parses the words after `/invite-user`: "ana@example.com Ana Ferreira", or "Ana Ferreira <ana@example.com>". */
export function parseInvitation(words: string): { email?: string; first?: string; last?: string } {
  const all = words.split(/\s+/).filter((word) => word !== '');
  const isAddress = (word: string) => word.includes('@');
  const email = all
    .find(isAddress)
    ?.replace(/^[<(]*(?:mailto:)?|[>),;]*$/gi, '')
    .replace(/\|.*$/, '');
  const [first, ...last] = all.filter((word) => !isAddress(word));
  return {
    ...(email !== undefined && { email: email.slice(0, MAX_EMAIL_LENGTH) }),
    ...(first !== undefined && { first }),
    ...(last.length > 0 && { last: last.join(' ') }),
  };
}

const content = z.object({
  project: namedRecord,
  first: z.string(),
  last: z.string(),
  email: z.string(),
  /** '' if there is none. */
  phone: z.string(),
  role: z.string(),
  status: z.string(),
});
export type InvitationContent = z.infer<typeof content>;

const inviteResult = z.object({ user: z.object({ id: z.string() }) });

/** The length of a name in a sentence. */
const MAX_NAME_LENGTH = 60;

export function fullName({ first, last }: Pick<InvitationContent, 'first' | 'last'>): string {
  return clip(`${first} ${last}`, MAX_NAME_LENGTH);
}

/** All values of the invitation, one per line. Plain text. */
export function invitationLines({ first, last, email, phone, role, status }: InvitationContent): string {
  const lines = [`${first} ${last}`, email, ...(phone === '' ? [] : [phone])];
  return [...lines.map((line) => clip(line, 300)), `Role ${role}, status ${status}`].join('\n');
}

/** An invitation. The service has no list of users, so its response is the only source of the new user's id. */
export const invitationSubmission: SubmissionKind<InvitationContent> = {
  name: 'invitation',
  feature: 'invite-user',
  content,
  project: ({ project }) => project,
  role: () => 'owner',
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
  // Stored even without an id, because it is known that this address was invited.
  result: (data) => inviteResult.safeParse(data).data?.user.id ?? '',
  summarize: (one) => ({ ...one, phone: '' }),
  // A retry may invite the user twice, so a person decides.
  whenUnknown: { way: 'ask' },
  words: {
    title: (one) =>
      `Invitation of ${fullName(one)} (${clip(one.email, MAX_NAME_LENGTH)}) to ${clip(one.project.name, MAX_NAME_LENGTH)}`,
    renderDone: (one) => `${fullName(one)} is invited to ${clip(one.project.name, MAX_NAME_LENGTH)}.`,
    doneTitle: () => 'Invited',
    doneNote: () => 'Their role and status can be changed with /upnext user.',
    text: ({ email }) => email,
    sentTwice: () => 'Sent again, they may be invited twice.',
    details: (one) => [
      context(plain(`Project: ${one.project.name}`, 300)),
      plainSection(invitationLines(one)),
    ],
  },
};
