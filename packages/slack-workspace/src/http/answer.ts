import type { ServerResponse } from 'node:http';

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
