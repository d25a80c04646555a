/** A failed call to the scheduling service. The failures of the API client's `Outcome` have this type. */
export type ServiceFailure =
  | { kind: 'invalid' }
  | { kind: 'refused'; status: number }
  | { kind: 'not-applied'; cause: string; retryAfterMs?: number | undefined; contactIds?: readonly string[] }
  | { kind: 'unknown'; cause?: string; status?: number | undefined };

const REFUSED: Readonly<Record<number, string>> = {
  401: 'The scheduling service refused our access token. Whoever set up Upnext can put in a new one: `/upnext connect`.',
  403: 'The scheduling service does not let our access token do this. Whoever set up Upnext can give it more rights, or put in another: `/upnext connect`.',
  404: 'The scheduling service does not know this project. See what there is with `/upnext projects`, and choose one for this channel with `/upnext use`.',
  413: 'The scheduling service finds this too large.',
};

const NOT_APPLIED: Readonly<Record<string, string>> = {
  'rate-limited': 'The scheduling service asks us to wait a moment.',
  'too-large': 'This is too large for the scheduling service.',
  busy: 'I am reading as much as I can at once. Please try again in a moment.',
  'not-connected': 'Nothing here is connected to a scheduling service yet.',
  'address-not-allowed': 'The address of the scheduling service leads to where I may not connect.',
};

/** Causes that an owner can fix with `/upnext connect`. */
const FIXED_BY_CONNECT: readonly string[] = ['not-connected', 'address-not-allowed'];

/** Renders the failure as one or two sentences in mrkdwn, without any text from the service. */
export function renderServiceFailure(failure: ServiceFailure): string {
  switch (failure.kind) {
    case 'invalid':
      return 'The scheduling service did not accept this.';
    case 'refused':
      return (
        REFUSED[failure.status] ?? `The scheduling service did not accept this (answer ${failure.status}).`
      );
    case 'not-applied':
      return `${NOT_APPLIED[failure.cause] ?? 'The scheduling service cannot be reached.'}${renderWait(failure.retryAfterMs)}${renderFix(failure)}`;
    case 'unknown':
      return failure.cause === 'response-too-large'
        ? 'The answer of the scheduling service is too large to read.'
        : 'The scheduling service did not answer properly.';
  }
}

function renderWait(retryAfterMs: number | undefined): string {
  if (retryAfterMs === undefined || !(retryAfterMs > 0)) return '';
  const seconds = Math.ceil(retryAfterMs / 1000);
  const minutes = Math.ceil(seconds / 60);
  if (minutes > 90) return ` It names ${Math.ceil(minutes / 60)} hours.`;
  return ` It names ${seconds < 90 ? `${seconds} seconds` : `${minutes} minutes`}.`;
}

function renderFix({ cause, contactIds = [] }: { cause: string; contactIds?: readonly string[] }): string {
  if (!FIXED_BY_CONNECT.includes(cause)) return '';
  const people = contactIds.map((id) => `<@${id}>`);
  const contacts = people.length > 0 ? people.join(' or ') : 'An owner of Upnext here';
  return ` ${contacts} can change that: \`/upnext connect\`.`;
}
