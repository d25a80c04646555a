import { domainToASCII } from 'node:url';

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
