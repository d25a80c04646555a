import type { AddressFault } from '../../api/address-rules.ts';
import type { Outcome } from '../../api/outcome.ts';
import type { Project } from '../../api/projects.ts';
import type { Records } from '../../api/records.ts';
import { clip } from '../../slack/clip.ts';
import { sanitizeLine } from '../../slack/escape.ts';

/** Plain text, under the field that it is about. */
type Fault = { address: string } | { token: string };

export const ADDRESS_FAULTS: Readonly<Record<AddressFault, string>> = {
  'not-an-address': 'This is no address. It looks like https://api.example.com',
  'not-https': 'The address must begin with https://',
  credentials: 'Leave out what stands before the @: the token has a field of its own.',
  'query-or-fragment': 'Leave out what begins with ? or #.',
  'too-long': 'This is longer than an address of a service: 500 characters at most.',
  'host-not-allowed':
    'I may connect to certain hosts alone, and this is none of them. Whoever runs Upnext can add it to ALLOWED_SERVICE_HOSTS.',
  private: 'This address belongs to a private network, where I may not connect.',
};

/** The same for an unknown name and for one in a private network: nobody learns here which names a network has. */
const NO_HOST = 'I found no host with this name that I may connect to. Check the name and try again.';

const NOT_REACHED: Readonly<Record<string, string>> = {
  'name-not-resolved': NO_HOST,
  'address-not-allowed': NO_HOST,
  tls: 'It has no certificate for this name that I can trust.',
  busy: 'I am reading as much as I can at once. Try again in a moment.',
  'rate-limited': 'The service asks us to wait. Try again in a minute.',
};

/** Why a try came to nothing. */
export function tryFault(outcome: Exclude<Outcome<unknown>, { kind: 'done' }>): Fault {
  switch (outcome.kind) {
    case 'refused':
      return outcome.status === 401 || outcome.status === 403
        ? { token: 'The service does not take this token.' }
        : { address: NO_SERVICE };
    case 'not-applied':
      return { address: NOT_REACHED[outcome.cause] ?? 'Nothing answers at this address.' };
    case 'unknown':
      return { address: unknownFault(outcome.status) };
    case 'invalid':
      return { address: NO_SERVICE };
  }
}

const NO_SERVICE = 'What answers there is not the scheduling service.';

function unknownFault(status: number | undefined): string {
  if (status === undefined) return 'The service did not answer in time. Try again.';
  if (status >= 300 && status < 400) return 'It sends me on to another address. Give that one.';
  return status >= 500 ? `The service is out of order (answer ${status}). Try again later.` : NO_SERVICE;
}

export type SeenProjects = Pick<Records<Project>, 'items' | 'isTruncated'>;

const MAX_NAMED = 5;
const NAME = 60;

export function projectName({ name }: Project): string {
  return clip(sanitizeLine(name), NAME);
}

/** What a token sees. */
export function seenWords({ items, isTruncated }: SeenProjects): string {
  if (items.length === 0)
    return isTruncated ? 'The token sees projects that I can’t read.' : 'The token sees no project yet.';
  const count = items.length === 1 ? 'one project' : `${items.length} projects`;
  const names = items.slice(0, MAX_NAMED).map(projectName).join(', ');
  if (isTruncated) return `The token sees more than ${count}: ${names} and others.`;
  const rest = items.length - MAX_NAMED;
  return `The token sees ${count}: ${names}${rest > 0 ? ` and ${rest} more` : ''}.`;
}
