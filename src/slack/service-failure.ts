import { MINUTE_MS } from '../durations.ts';
import { renderDuration } from '../words.ts';
import { buildButtonRow, context, escapeText, plainSection, section } from './blocks.ts';
import { buildStateButton } from './list-pages.ts';
import { type Message, renderReference } from './message.ts';

/** A failed call to the scheduling service. The failures of the API client's `Outcome` have this type. */
export type ServiceFailure =
  | { kind: 'invalid' }
  | { kind: 'refused'; status: number }
  | { kind: 'not-applied'; cause: string; retryAfterMs?: number | undefined; contactIds?: readonly string[] }
  | { kind: 'unknown'; cause?: string; status?: number | undefined };

const NOT_ACCEPTED = 'The scheduling service didn’t accept this.';

const REFUSED: Readonly<Record<number, string>> = {
  200: NOT_ACCEPTED,
  401: 'The scheduling service refused my access token. An Owner can replace it with `/upnext connect`.',
  402: 'The scheduling service asks for a payment first.',
  403: 'My access token isn’t allowed to do this. An Owner can replace it with `/upnext connect`.',
  404: 'The scheduling service doesn’t know this project. Choose another with `/upnext use`.',
  409: 'The scheduling service says that this conflicts with something it has.',
  413: 'This is too large for the scheduling service.',
};

const NOT_APPLIED: Readonly<Record<string, string>> = {
  'rate-limited': 'The scheduling service asks me to wait.',
  'too-large': 'This is too large for the scheduling service.',
  busy: 'I’m busy reading other lists. Please try again in a minute.',
  'not-connected': 'This workspace isn’t connected to a scheduling service.',
  'address-not-allowed': 'I may not connect to the scheduling service’s address.',
};

const NOT_ANSWERING = 'The scheduling service isn’t answering.';

/** Causes that an owner can fix with `/upnext connect`. */
const FIXED_BY_CONNECT: readonly string[] = ['not-connected', 'address-not-allowed'];

/** Renders the failure as one or two sentences in mrkdwn, without any text from the service. */
export function renderServiceFailure(failure: ServiceFailure): string {
  switch (failure.kind) {
    case 'invalid':
      return NOT_ACCEPTED;
    case 'refused':
      return (
        REFUSED[failure.status] ?? `The scheduling service didn’t accept this (answer ${failure.status}).`
      );
    case 'not-applied':
      return `${NOT_APPLIED[failure.cause] ?? NOT_ANSWERING}${renderWait(failure.retryAfterMs)}${renderFix(failure)}`;
    case 'unknown':
      if (failure.cause === 'response-too-large')
        return 'The scheduling service’s answer is too large to read.';
      return isDown(failure) ? NOT_ANSWERING : 'The scheduling service didn’t answer properly.';
  }
}

/** Says in a few words what the service hasn't done while it was asked for posts: "hasn't answered". */
export function describeFailure(failure: ServiceFailure): string {
  if (failure.kind === 'refused' && [401, 403].includes(failure.status)) return 'let me in';
  const isSilent = failure.kind === 'not-applied' || (failure.kind === 'unknown' && isDown(failure));
  return isSilent ? 'answered' : 'sent me its posts';
}

/** Whether no answer came, or only one from a proxy or an overloaded server: RFC 9110, 15.6.3 to 15.6.5. */
function isDown({ cause = '', status = 0 }: { cause?: string; status?: number | undefined }): boolean {
  return ['timed-out', 'connection-lost'].includes(cause) || [502, 503, 504].includes(status);
}

function renderWait(retryAfterMs: number | undefined): string {
  if (retryAfterMs === undefined || !(retryAfterMs > 0)) return '';
  const unitMs = retryAfterMs < 2 * MINUTE_MS ? 1000 : MINUTE_MS;
  return ` It names ${renderDuration(Math.ceil(retryAfterMs / unitMs) * unitMs)}.`;
}

function renderFix({ cause, contactIds = [] }: { cause: string; contactIds?: readonly string[] }): string {
  if (!FIXED_BY_CONNECT.includes(cause)) return '';
  // The reader may be one of them.
  const people = contactIds.map((id) => `<@${id}>`).join(' or ');
  return ` An Owner can change that with \`/upnext connect\`${people === '' ? '' : `: ${people}`}.`;
}

/** Why something couldn't be read. 'unreadable': the service's answer has another form. */
export type ReadFailure = ServiceFailure | 'unreadable';

/** Says why something couldn't be read, in one or two sentences (mrkdwn). */
export function renderReadFailure(failure: ReadFailure, noun = 'answer'): string {
  return failure === 'unreadable'
    ? `The scheduling service answered, but I can’t read its ${noun}.`
    : renderServiceFailure(failure);
}

/** Builds the message for what couldn't be loaded, with a retry button. `line` says what. */
export function buildLoadFailureMessage(
  line: string,
  failure: ReadFailure,
  { reference, retry }: { reference: string; retry?: { action: string; state: object } },
): Message {
  const reason = renderReadFailure(failure);
  const referenceText = renderReference(reference);
  return {
    text: `${escapeText(line)} ${reason} ${referenceText}`,
    blocks: [
      plainSection(line),
      section(reason),
      context(referenceText),
      ...buildButtonRow(retry ? buildStateButton('Try again', retry.action, retry.state) : []),
    ],
  };
}
