import { get as getHttp, type IncomingMessage } from 'node:http';
import { get as getHttps } from 'node:https';
import type { WebClient } from '@slack/web-api';
import { z } from 'zod';
import type { SlackCall } from './fetch-people.ts';
import { getSlackErrorCode } from './slack-errors.ts';

/**
 * Why a file can't be read. `not-found`: it doesn't exist, or is in a conversation without the bot. `not-shared`: it
 * belongs to another organisation. `not-in-slack`: another service has it. `not-permitted`: the bot lacks the scope
 * `files:read`. `busy`: Slack's limit of calls is reached. `damaged`: it is longer than Slack says. `truncated`: it is
 * shorter.
 */
export type SlackFileFailure =
  | 'deleted'
  | 'not-found'
  | 'not-shared'
  | 'not-in-slack'
  | 'not-permitted'
  | 'busy'
  | 'too-large'
  | 'damaged'
  | 'truncated'
  | 'not-readable';

export class UnreadableSlackFile extends Error {
  override readonly name = 'UnreadableSlackFile';
  readonly failure: SlackFileFailure;
  /** The size of a file that is too large, if Slack says it. */
  readonly bytes: number | undefined;
  constructor(failure: SlackFileFailure, { bytes, cause }: { bytes?: number; cause?: unknown } = {}) {
    super(`the file can't be read: ${failure}`, { cause });
    this.failure = failure;
    this.bytes = bytes;
  }
}

/** Limits of a download: for the headers, between two pieces, and for all of it. */
const [HEADERS_TIMEOUT_MS, PIECE_TIMEOUT_MS, DOWNLOAD_TIMEOUT_MS] = [10_000, 15_000, 5 * 60_000];

/** A file as files.info describes it (https://docs.slack.dev/reference/objects/file-object). */
const fileInfo = z.object({
  name: z.string().nullish(),
  url_private_download: z.string().nullish(),
  url_private: z.string().nullish(),
  size: z.number().nullish(),
  mode: z.string().nullish(),
  is_external: z.boolean().nullish(),
  file_access: z.string().nullish(),
  user: z.string().nullish(),
  is_public: z.boolean().nullish(),
});

/** The errors of files.info (https://docs.slack.dev/reference/methods/files.info#errors). */
const FAILURES: Readonly<Record<string, SlackFileFailure>> = {
  file_not_found: 'not-found',
  file_deleted: 'deleted',
  access_denied: 'not-shared',
  missing_scope: 'not-permitted',
  ratelimited: 'busy',
};

/** Finds a file in Slack, which is downloaded as it is read. It and `read` throw UnreadableSlackFile. */
export async function openSlackFile(client: WebClient, id: string, { maxBytes }: { maxBytes: number }) {
  const { file } = await client.files.info({ file: id }).catch((cause: unknown) => {
    throw new UnreadableSlackFile(FAILURES[getSlackErrorCode(cause) ?? ''] ?? 'not-readable', { cause });
  });
  const info = fileInfo.safeParse(file).data ?? {};
  const address = info.url_private_download ?? info.url_private;
  const size = info.size ?? undefined;
  if (info.mode === 'tombstone') throw new UnreadableSlackFile('deleted');
  if (info.is_external || info.mode === 'external') throw new UnreadableSlackFile('not-in-slack');
  if (info.file_access === 'access_denied' || info.file_access === 'check_file_info')
    throw new UnreadableSlackFile('not-shared');
  if (size !== undefined && size > maxBytes) throw new UnreadableSlackFile('too-large', { bytes: size });
  // The bot's token goes to Slack only.
  if (!address || !isAtSlack(address, client.slackApiUrl)) throw new UnreadableSlackFile('not-readable');
  return {
    name: info.name ?? undefined,
    uploader: info.user ?? undefined,
    isPublic: info.is_public ?? false,
    read: () => download(address, { token: client.token ?? '', size, maxBytes }),
  };
}

/** Downloads a file. Redirects are refused: Slack redirects a request without access to its sign-in page. */
async function* download(
  address: string,
  { token, size, maxBytes }: { token: string; size: number | undefined; maxBytes: number },
): AsyncGenerator<Uint8Array> {
  const response = await sendRequest(address, token).catch((cause: unknown) => {
    throw new UnreadableSlackFile('not-readable', { cause });
  });
  try {
    if (response.statusCode === 404) throw new UnreadableSlackFile('deleted');
    if (response.statusCode !== 200) throw new UnreadableSlackFile('not-readable');
    yield* readAll(response, size, maxBytes);
  } finally {
    response.destroy();
  }
}

/**
 * Sends the request with Node's own client. undici 7 fails an assertion, which ends the process, if the connection ends
 * while a slow reader has paused the response (`onHttpSocketEnd` in lib/dispatcher/client-h1.js).
 */
function sendRequest(address: string, token: string): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const request = (address.startsWith('https:') ? getHttps : getHttp)(
    address,
    {
      agent: false,
      headers: { authorization: `Bearer ${token}`, 'accept-encoding': 'identity' },
      signal: AbortSignal.timeout(DOWNLOAD_TIMEOUT_MS),
    },
    (response) => {
      clearTimeout(timer);
      // The reader learns of an error too. Without a listener, one after the end of the reading would end the process.
      resolve(response.on('error', () => {}));
    },
  );
  const timer = setTimeout(() => request.destroy(new Error('no response in time')), HEADERS_TIMEOUT_MS);
  request.on('error', (error) => {
    clearTimeout(timer);
    reject(error);
  });
  return promise;
}

async function* readAll(
  response: IncomingMessage,
  size: number | undefined,
  maxBytes: number,
): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  const startTimer = () =>
    setTimeout(() => response.destroy(new Error('the download has stalled')), PIECE_TIMEOUT_MS);
  let timer = startTimer();
  try {
    for await (const piece of response as AsyncIterable<Uint8Array>) {
      // The time that the reader takes doesn't count.
      clearTimeout(timer);
      bytes += piece.length;
      if (size !== undefined && bytes > size) throw new UnreadableSlackFile('damaged');
      if (bytes > maxBytes) throw new UnreadableSlackFile('too-large');
      yield piece;
      timer = startTimer();
    }
  } catch (cause) {
    throw cause instanceof UnreadableSlackFile ? cause : new UnreadableSlackFile('not-readable', { cause });
  } finally {
    clearTimeout(timer);
  }
  if (size !== undefined && bytes < size) throw new UnreadableSlackFile('truncated');
}

/** The id in the link to a file, or in the address of its bytes. */
const FILE_PATH = /^\/(?:files\/[UW]\w+|files-pri)\/(?:T[A-Z\d]+-)?(F[A-Z\d]{6,})(?:\/|$)/;

/** Reads the id of a file from its link in Slack. Undefined if a text isn't one. */
export function parseSlackFileId(text: string, apiUrl: string): string | undefined {
  return isAtSlack(text, apiUrl) ? FILE_PATH.exec(URL.parse(text)?.pathname ?? '')?.[1] : undefined;
}

/** Whether an address belongs to the Slack whose API the client calls: `files.slack.com` for `slack.com`. */
function isAtSlack(address: string, apiUrl: string): boolean {
  const [url, api] = [URL.parse(address), URL.parse(apiUrl)];
  if (!url || !api || url.protocol !== api.protocol || url.username !== '') return false;
  return url.host === api.host || (api.port === '' && url.host.endsWith(`.${api.host}`));
}

/** The scope without which no file can be read. */
export const READ_SCOPE = 'files:read';

const scopedAnswer = z.object({ response_metadata: z.object({ scopes: z.array(z.string()) }) });

/**
 * Whether files can be read, by any answer or refusal of Slack's: each names the scopes of its token in `X-OAuth-Scopes`
 * (https://docs.slack.dev/authentication/installing-with-oauth), which the client adds. Undefined for other values.
 */
export function grantsFileReads(answer: unknown): boolean | undefined {
  return scopedAnswer.safeParse(answer).data?.response_metadata.scopes.includes(READ_SCOPE);
}

/** Asks Slack whether files can be read. Undefined if it couldn't be found out. */
export async function mayReadFiles({ client, log, reference }: SlackCall): Promise<boolean | undefined> {
  try {
    return grantsFileReads(await client.auth.test());
  } catch (error) {
    log.info({ reference, err: error }, 'could not read the scopes of the bot');
    return undefined;
  }
}
