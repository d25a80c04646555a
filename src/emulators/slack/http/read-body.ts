import type { IncomingMessage } from 'node:http';

/** Larger than any view (250 KB) or message that Slack takes, escaped in a form. */
export const LARGEST_BODY = 2 * 1024 * 1024;

export class BodyTooLarge extends Error {}

/** All of a request's body, as it came. */
export async function readBytes(request: IncomingMessage, largest: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    const bytes = Buffer.from(chunk);
    size += bytes.length;
    if (size > largest) throw new BodyTooLarge();
    chunks.push(bytes);
  }
  return Buffer.concat(chunks);
}

export async function readBody(request: IncomingMessage): Promise<string> {
  return (await readBytes(request, LARGEST_BODY)).toString('utf8');
}
