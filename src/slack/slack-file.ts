import type { Readable } from 'node:stream';
import type { WebClient } from '@slack/web-api';
import { Agent, request } from 'undici';
import { z } from 'zod';
import { getSlackErrorCode } from './slack-errors.ts';

/**
 * Why a file can't be read. `not-shared`: it belongs to another organisation. `not-in-slack`: another service has it.
 * `not-permitted`: the bot lacks the scope `files:read`. `damaged`: it is longer than Slack says. `truncated`: it is
 * shorter.
 */
export type SlackFileFailure =
  | 'deleted'
  | 'not-shared'
  | 'not-in-slack'
  | 'not-permitted'
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

const agent = new Agent({
  headersTimeout: HEADERS_TIMEOUT_MS,
  bodyTimeout: PIECE_TIMEOUT_MS,
  connect: { timeout: 5_000 },
});

/** A file as files.info describes it (https://docs.slack.dev/reference/objects/file-object). */
const fileInfo = z.object({
  name: z.string().nullish(),
  url_private_download: z.string().nullish(),
  url_private: z.string().nullish(),
  size: z.number().nullish(),
  mode: z.string().nullish(),
  is_external: z.boolean().nullish(),
  file_access: z.string().nullish(),
});

/** The errors of files.info (https://docs.slack.dev/reference/methods/files.info#errors). */
const FAILURES: Readonly<Record<string, SlackFileFailure>> = {
  file_not_found: 'deleted',
  file_deleted: 'deleted',
  access_denied: 'not-shared',
  missing_scope: 'not-permitted',
};

/** A file in Slack. `read` throws UnreadableSlackFile. */
interface SlackFileContent {
  name: string | undefined;
  read(): AsyncGenerator<Uint8Array>;
}

/** Finds a file in Slack, which is downloaded as it is read. Throws UnreadableSlackFile. */
export async function openSlackFile(
  client: WebClient,
  id: string,
  { maxBytes }: { maxBytes: number },
): Promise<SlackFileContent> {
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
    read: () => download(address, { token: client.token ?? '', size, maxBytes }),
  };
}

/** Downloads a file. Redirects are refused: Slack redirects a request without access to its sign-in page. */
async function* download(
  address: string,
  { token, size, maxBytes }: { token: string; size: number | undefined; maxBytes: number },
): AsyncGenerator<Uint8Array> {
  const response = await request(address, {
    dispatcher: agent,
    headers: { authorization: `Bearer ${token}`, 'accept-encoding': 'identity' },
    signal: AbortSignal.timeout(DOWNLOAD_TIMEOUT_MS),
  }).catch((cause: unknown) => {
    throw new UnreadableSlackFile('not-readable', { cause });
  });
  // undici emits an error when an unread body is destroyed.
  response.body.on('error', () => {});
  try {
    if (response.statusCode === 404) throw new UnreadableSlackFile('deleted');
    if (response.statusCode !== 200) throw new UnreadableSlackFile('not-readable');
    yield* readAll(response.body, size, maxBytes);
  } finally {
    response.body.destroy();
  }
}

async function* readAll(
  body: Readable,
  size: number | undefined,
  maxBytes: number,
): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  try {
    for await (const piece of body) {
      bytes += piece.length;
      if (size !== undefined && bytes > size) throw new UnreadableSlackFile('damaged');
      if (bytes > maxBytes) throw new UnreadableSlackFile('too-large');
      yield piece;
    }
  } catch (cause) {
    throw cause instanceof UnreadableSlackFile ? cause : new UnreadableSlackFile('not-readable', { cause });
  }
  if (size !== undefined && bytes < size) throw new UnreadableSlackFile('truncated');
}

/** Whether an address belongs to the Slack whose API the client calls: `files.slack.com` for `slack.com`. */
function isAtSlack(address: string, apiUrl: string): boolean {
  const [url, api] = [URL.parse(address), URL.parse(apiUrl)];
  if (!url || !api || url.protocol !== api.protocol || url.username !== '') return false;
  return url.host === api.host || (api.port === '' && url.host.endsWith(`.${api.host}`));
}
