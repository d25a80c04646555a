import { WebAPIRateLimitedError, type WebClient } from '@slack/web-api';
import type { Picture } from './composer.ts';

/** The timeout of an upload, ms. The picture of a week is small. Our own choice. */
const UPLOAD_MS = 15_000;

/**
 * Uploads a picture without sharing it, and returns the file's id. Rejects if any step fails; what was uploaded so far
 * stays unshared in Slack, and the next attempt uploads a new file.
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
    alt_text: alt,
  });
  if (url === undefined || id === undefined) throw new Error('Slack returned no upload URL');
  const sent = await fetchUrl(url, {
    method: 'POST',
    body: new Uint8Array(png),
    headers: { 'content-type': 'application/octet-stream' },
    redirect: 'error',
    signal: AbortSignal.timeout(UPLOAD_MS),
  });
  if (sent.status === 429)
    throw new WebAPIRateLimitedError(Number(sent.headers.get('retry-after') ?? Number.NaN));
  if (!sent.ok) throw new Error(`Slack answered an upload with ${sent.status}`);
  await client.files.completeUploadExternal({ files: [{ id, title: title ?? name }] });
  return id;
}
