import { WebAPIRateLimitedError, type WebClient } from '@slack/web-api';
import { clip } from '../slack/blocks.ts';
import type { Picture } from './digest-context.ts';

/** Stored in the column `file` instead of a file id: the message is sent without its picture. */
export const NO_PICTURE = 'none';

/**
 * Slack's limit for the description of a file. The description in an image block may be twice as long.
 * https://docs.slack.dev/reference/methods/files.getUploadURLExternal
 */
const MAX_FILE_ALT_LENGTH = 1_000;
/** Timeout of an upload. A week's picture is small, so 15 seconds are ample. */
const UPLOAD_TIMEOUT_MS = 15_000;

/**
 * Waits before each attempt to show an uploaded picture while a person is waiting. Slack refuses a new file until it has
 * processed the file.
 */
export const PICTURE_WAITS_MS = [1_000, 1_000, 2_000, 4_000];

/**
 * Uploads a picture without sharing it, and returns the file's id. Rejects if a step fails. The unshared file then
 * stays in Slack, and the next attempt uploads a new file.
 * https://docs.slack.dev/reference/methods/files.getUploadURLExternal
 */
export async function uploadPicture(
  client: WebClient,
  picture: Picture,
  fetchUrl: typeof fetch = fetch,
): Promise<string> {
  const { png, name, alt, title } = picture;
  const { upload_url: url, file_id: id } = await client.files.getUploadURLExternal({
    filename: name,
    length: png.length,
    alt_text: clip(alt, MAX_FILE_ALT_LENGTH),
  });
  if (url === undefined || id === undefined) throw new Error('Slack returned no upload URL');
  const response = await fetchUrl(url, {
    method: 'POST',
    body: new Uint8Array(png),
    headers: { 'content-type': 'application/octet-stream' },
    redirect: 'error',
    signal: AbortSignal.timeout(UPLOAD_TIMEOUT_MS),
  });
  if (response.status === 429)
    throw new WebAPIRateLimitedError(Number(response.headers.get('retry-after') ?? Number.NaN));
  if (!response.ok) throw new Error(`Slack answered an upload with ${response.status}`);
  await client.files.completeUploadExternal({ files: [{ id, title: title ?? name }] });
  return id;
}
