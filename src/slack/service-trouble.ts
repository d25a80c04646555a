/** An outcome of the scheduling service that is no success: the failing members of the client's own union. */
export type ServiceTrouble =
  | { kind: 'invalid' }
  | { kind: 'refused'; status: number }
  | { kind: 'not-applied'; cause: string; retryAfterMs?: number | undefined }
  | { kind: 'unknown'; status?: number | undefined };

const REFUSED: Readonly<Record<number, string>> = {
  401: 'The scheduling service refused our access token. Whoever set up Upnext can put in a new one.',
  403: 'The scheduling service does not let our access token do this. Whoever set up Upnext can give it more rights.',
  404: 'The scheduling service does not know this project. See what there is with `/upnext projects`.',
  413: 'The scheduling service finds this too large.',
};

const NOT_APPLIED: Readonly<Record<string, string>> = {
  'rate-limited': 'The scheduling service asks us to wait a moment.',
  'too-large': 'This is too large for the scheduling service.',
};

/** What happened, for a person: one or two sentences, none of them from the service itself. */
export function troubleWords(trouble: ServiceTrouble): string {
  switch (trouble.kind) {
    case 'invalid':
      return 'The scheduling service did not accept this.';
    case 'refused':
      return (
        REFUSED[trouble.status] ?? `The scheduling service did not accept this (answer ${trouble.status}).`
      );
    case 'not-applied':
      return `${NOT_APPLIED[trouble.cause] ?? 'The scheduling service cannot be reached.'}${wait(trouble.retryAfterMs)}`;
    case 'unknown':
      return 'The scheduling service did not answer properly.';
  }
}

function wait(retryAfterMs: number | undefined): string {
  if (retryAfterMs === undefined || !(retryAfterMs > 0)) return '';
  const seconds = Math.ceil(retryAfterMs / 1000);
  return ` It names ${seconds < 90 ? `${seconds} seconds` : `${Math.ceil(seconds / 60)} minutes`}.`;
}
