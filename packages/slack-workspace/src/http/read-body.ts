import type { IncomingMessage } from 'node:http';

/** More than any view (250 KB) or message that Slack accepts, escaped in a form. */
export const MAX_BODY_BYTES = 2 * 1024 * 1024;

export class BodyTooLarge extends Error {}

/** Throws {@link BodyTooLarge} for more than `maxBytes`. */
export async function readBytes(request: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    const bytes = Buffer.from(chunk);
    size += bytes.length;
    if (size > maxBytes) throw new BodyTooLarge();
    chunks.push(bytes);
  }
  return Buffer.concat(chunks);
}

export async function readBody(request: IncomingMessage): Promise<string> {
  return (await readBytes(request, MAX_BODY_BYTES)).toString('utf8');
}
