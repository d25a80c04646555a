import type { Readable } from 'node:stream';
import type { WebClient } from '@slack/web-api';
import { Agent, request } from 'undici';
import { z } from 'zod';
import { getSlackErrorCode } from '../slack/slack-errors.ts';
import { DAMAGED, TRUNCATED, UnusableMedia } from './byte-input.ts';
import { MAX_MEDIA_BYTES, renderTooLarge } from './read-media.ts';

/** Limits of a download: for the headers, between two pieces, and for all of it. */
const [HEADERS_TIMEOUT_MS, PIECE_TIMEOUT_MS, DOWNLOAD_TIMEOUT_MS] = [10_000, 15_000, 5 * 60_000];

const agent = new Agent({
  headersTimeout: HEADERS_TIMEOUT_MS,
  bodyTimeout: PIECE_TIMEOUT_MS,
  connect: { timeout: 5_000 },
});

/** A file as files.info describes it (https://docs.slack.dev/reference/objects/file-object). */
const fileInfo = z.object({
  url_private_download: z.string().optional(),
  url_private: z.string().optional(),
  size: z.number().optional(),
  mode: z.string().optional(),
  is_external: z.boolean().optional(),
  file_access: z.string().optional(),
});

const DELETED = 'This file was deleted in Slack. Upload it again.';
const NOT_READABLE = 'Slack didn’t let me read this file. Try again.';
const NOT_SHARED =
  'This file belongs to another organisation, and I can’t read it. Download it, and upload it here.';
const NOT_IN_SLACK = 'This file isn’t stored in Slack. Download it, and upload it here.';

/** What people read, by the error of files.info (https://docs.slack.dev/reference/methods/files.info#errors). */
const PROBLEMS: Readonly<Record<string, string>> = {
  file_not_found: DELETED,
  file_deleted: DELETED,
  access_denied: NOT_SHARED,
  missing_scope: 'I’m not allowed to read files here yet. Ask a workspace admin to install Upnext again.',
};

/**
 * Downloads a file from Slack with the workspace's own token. The token goes only to Slack, and redirects are refused:
 * Slack redirects a request without access to its sign-in page. Throws UnusableMedia.
 */
export async function* downloadSlackFile(client: WebClient, id: string): AsyncGenerator<Uint8Array> {
  const { address, size } = await findDownload(client, id);
  const response = await request(address, {
    dispatcher: agent,
    headers: { authorization: `Bearer ${client.token ?? ''}`, 'accept-encoding': 'identity' },
    signal: AbortSignal.timeout(DOWNLOAD_TIMEOUT_MS),
  }).catch((error: unknown) => {
    throw new UnusableMedia(NOT_READABLE, error);
  });
  // undici emits an error when an unread body is destroyed.
  response.body.on('error', () => {});
  try {
    if (response.statusCode === 404) throw new UnusableMedia(DELETED);
    if (response.statusCode !== 200) throw new UnusableMedia(NOT_READABLE);
    yield* readAll(response.body, size);
  } finally {
    response.body.destroy();
  }
}

async function* readAll(body: Readable, size: number | undefined): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  try {
    for await (const piece of body) {
      bytes += piece.length;
      if (size !== undefined && bytes > size) throw new UnusableMedia(DAMAGED);
      yield piece;
    }
  } catch (error) {
    throw error instanceof UnusableMedia ? error : new UnusableMedia(NOT_READABLE, error);
  }
  if (size !== undefined && bytes < size) throw new UnusableMedia(TRUNCATED);
}

async function findDownload(
  client: WebClient,
  id: string,
): Promise<{ address: string; size: number | undefined }> {
  const { file } = await client.files.info({ file: id }).catch((error: unknown) => {
    throw new UnusableMedia(PROBLEMS[getSlackErrorCode(error) ?? ''] ?? NOT_READABLE, error);
  });
  const info = fileInfo.safeParse(file).data ?? {};
  const address = info.url_private_download ?? info.url_private;
  if (info.mode === 'tombstone') throw new UnusableMedia(DELETED);
  if (info.is_external || info.mode === 'external') throw new UnusableMedia(NOT_IN_SLACK);
  if (info.file_access === 'access_denied' || info.file_access === 'check_file_info')
    throw new UnusableMedia(NOT_SHARED);
  if (info.size !== undefined && info.size > MAX_MEDIA_BYTES)
    throw new UnusableMedia(renderTooLarge(info.size));
  if (address === undefined || !isAtSlack(address, client.slackApiUrl)) throw new UnusableMedia(NOT_READABLE);
  return { address, size: info.size };
}

/** Whether an address belongs to the Slack whose API the client calls: `files.slack.com` for `slack.com`. */
export function isAtSlack(address: string, apiUrl: string): boolean {
  const [url, api] = [URL.parse(address), URL.parse(apiUrl)];
  if (!url || !api || url.protocol !== api.protocol || url.username !== '') return false;
  return url.host === api.host || (api.port === '' && url.host.endsWith(`.${api.host}`));
}
