/** An outcome of the scheduling service that is no success: the failing members of the client's own union. */
export type ServiceFailure =
  | { kind: 'invalid' }
  | { kind: 'refused'; status: number }
  | { kind: 'not-applied'; cause: string; retryAfterMs?: number | undefined; ask?: readonly string[] }
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

/** What somebody here can mend with `/upnext connect`. */
const MENDED: readonly string[] = ['not-connected', 'address-not-allowed'];

/** What happened, for a person: one or two sentences, none of them from the service itself. */
export function serviceFailureText(trouble: ServiceFailure): string {
  switch (trouble.kind) {
    case 'invalid':
      return 'The scheduling service did not accept this.';
    case 'refused':
      return (
        REFUSED[trouble.status] ?? `The scheduling service did not accept this (answer ${trouble.status}).`
      );
    case 'not-applied':
      return `${NOT_APPLIED[trouble.cause] ?? 'The scheduling service cannot be reached.'}${wait(trouble.retryAfterMs)}${whoCan(trouble)}`;
    case 'unknown':
      return trouble.cause === 'answer-too-large'
        ? 'The answer of the scheduling service is too large to read.'
        : 'The scheduling service did not answer properly.';
  }
}

function wait(retryAfterMs: number | undefined): string {
  if (retryAfterMs === undefined || !(retryAfterMs > 0)) return '';
  const seconds = Math.ceil(retryAfterMs / 1000);
  const minutes = Math.ceil(seconds / 60);
  if (minutes > 90) return ` It names ${Math.ceil(minutes / 60)} hours.`;
  return ` It names ${seconds < 90 ? `${seconds} seconds` : `${minutes} minutes`}.`;
}

function whoCan({ cause, ask = [] }: { cause: string; ask?: readonly string[] }): string {
  if (!MENDED.includes(cause)) return '';
  const people = ask.map((id) => `<@${id}>`);
  const who = people.length > 0 ? people.join(' or ') : 'An owner of Upnext here';
  return ` ${who} can change that: \`/upnext connect\`.`;
}
