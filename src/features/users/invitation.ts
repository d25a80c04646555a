import { domainToASCII } from 'node:url';
import { z } from 'zod';
import { inviteUser } from '../../api/users.ts';
import { named } from '../../forms/field.ts';
import { context, plain, quoted } from '../../slack/blocks.ts';
import { clip } from '../../slack/clip.ts';
import type { SubmissionKind } from '../../submissions/kind.ts';

/** As long as an address can be: 64 characters, the sign, 255 (RFC 5321, 4.5.3.1). */
export const EMAIL_LENGTH = 320;

// A name may be quoted, and then hold blanks; everything that people write beyond that is the service's to judge.
const SHAPE = /^(?:"[^"\p{Cc}]+"|[^\s@"<>(),;:\p{Cc}]+)@[^\s@"<>(),;\p{Cc}]+$/u;

/** What is certainly wrong with an address, international ones included. Plain text. */
export function emailFault(value: string): string | undefined {
  const address = value.trim();
  // Joiners belong to some scripts; the others only hide something, or turn the direction of what is read.
  if (/(?!\u200c|\u200d)\p{Cf}/u.test(address)) {
    return 'There is an invisible character in this address. Write it anew, or paste it as plain text.';
  }
  return SHAPE.test(address) ? undefined : 'This is no e-mail address. Write it like ana@example.com.';
}

/** The domain of an address, in the form in which two that mean the same are equal. */
export function domainOf(address: string): string {
  const domain = address
    .slice(address.lastIndexOf('@') + 1)
    .trim()
    .replace(/\.$/, '');
  return domainToASCII(domain) || domain.toLowerCase();
}

/** What follows `/invite-user`: "ana@example.com Ana Ferreira", or "Ana Ferreira <ana@example.com>". */
export function readInvitationWords(words: string): { email?: string; first?: string; last?: string } {
  const all = words.split(/\s+/).filter((word) => word !== '');
  const isAddress = (word: string) => word.includes('@');
  const email = all
    .find(isAddress)
    ?.replace(/^[<(]*(?:mailto:)?|[>),;]*$/gi, '')
    .replace(/\|.*$/, '');
  const [first, ...last] = all.filter((word) => !isAddress(word));
  return {
    ...(email !== undefined && { email: email.slice(0, EMAIL_LENGTH) }),
    ...(first !== undefined && { first }),
    ...(last.length > 0 && { last: last.join(' ') }),
  };
}

const content = z.object({
  project: named,
  first: z.string(),
  last: z.string(),
  email: z.string(),
  /** '' where none was given. */
  phone: z.string(),
  role: z.string(),
  status: z.string(),
});
export type InvitationContent = z.infer<typeof content>;

const answered = z.object({ user: z.object({ id: z.string() }) });

/** So much of a name stands in a sentence. */
const NAME = 60;

export function nameOf({ first, last }: Pick<InvitationContent, 'first' | 'last'>): string {
  return clip(`${first} ${last}`, NAME);
}

/** Everything that is sent, one thing on a line; plain text. */
export function invitationLines({ first, last, email, phone, role, status }: InvitationContent): string {
  const lines = [`${first} ${last}`, email, ...(phone === '' ? [] : [phone])];
  return [...lines.map((line) => clip(line, 300)), `Role ${role}, status ${status}`].join('\n');
}

/** An invitation on its way to the service, which lists no users: its answer is the one chance to learn the id. */
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
  // Without an id it is remembered all the same: that this address was invited is known.
  result: (data) => answered.safeParse(data).data?.user.id ?? '',
  summarize: (one) => ({ ...one, phone: '' }),
  // Sent again, it may invite twice: a person decides.
  whenUnknown: { way: 'ask' },
  words: {
    title: (one) =>
      `Invitation of ${nameOf(one)} (${clip(one.email, NAME)}) to ${clip(one.project.name, NAME)}`,
    done: (one) => `${nameOf(one)} is invited to ${clip(one.project.name, NAME)}.`,
    doneTitle: () => 'Invited',
    doneNote: () => 'Their role and status can be changed with /upnext user.',
    text: ({ email }) => email,
    sentTwice: () => 'Sent again, they may be invited twice.',
    details: (one) => [context(plain(`Project: ${one.project.name}`, 300)), quoted(invitationLines(one))],
  },
};
