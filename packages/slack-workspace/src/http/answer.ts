import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Site } from '../site.ts';

/** A request to the server of a workspace. */
export interface HttpCall {
  /** The workspace that the address belongs to. */
  site: Site;
  request: IncomingMessage;
  response: ServerResponse;
  url: URL;
}

/** Headers of every answer, against guessed types and against referrers on other pages. */
const SECURITY_HEADERS = {
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Resource-Policy': 'same-origin',
};

export function answer(
  response: ServerResponse,
  status: number,
  body: string | Buffer,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, {
    ...SECURITY_HEADERS,
    'Content-Type': 'text/plain; charset=utf-8',
    'Cache-Control': 'no-store',
    ...headers,
    'Content-Length': String(Buffer.byteLength(body)),
  });
  response.end(body);
}

export function answerJson(response: ServerResponse, status: number, body: unknown): void {
  answer(response, status, JSON.stringify(body), { 'Content-Type': 'application/json; charset=utf-8' });
}

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
