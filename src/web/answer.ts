import type { ServerResponse } from 'node:http';
import { type Html, renderDocument } from './html.ts';

/** What a request gets. Every answer forbids scripts, frames and requests to other sites. */
export interface Answer {
  status: number;
  body: string | Buffer;
  type?: string;
  headers?: Readonly<Record<string, string>>;
}

/** The server's own headers forbid caching and name no referrer. Pages may also load the stylesheet and pictures of this site. */
const HEADERS = {
  'content-security-policy':
    "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  'x-robots-tag': 'noindex, nofollow',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
};

export function toAnswer(page: Html, status = 200, headers: Answer['headers'] = {}): Answer {
  return { status, body: renderDocument(page), headers };
}

/**
 * Whether a client has the version of an answer already (https://www.rfc-editor.org/rfc/rfc9110#section-13.1.2). Proxies that
 * compress an answer mark its ETag as weak.
 */
export function hasVersion(ifNoneMatch: string | undefined, etag: string): boolean {
  const known = (ifNoneMatch ?? '').split(',').map((each) => each.trim().replace(/^W\//, ''));
  return known.includes(etag) || known.includes('*');
}

/** Node leaves the body of an answer to HEAD out. */
export function sendAnswer(
  response: ServerResponse,
  { status, body, type = 'text/html; charset=utf-8', headers }: Answer,
): void {
  response.writeHead(status, {
    ...HEADERS,
    // Those of a 304 would be those of the body that the client has.
    ...(status !== 304 && { 'content-type': type, 'content-length': Buffer.byteLength(body) }),
    ...headers,
  });
  response.end(body);
}
