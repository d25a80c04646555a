import type { ServerResponse } from 'node:http';

/** On everything that is served: no guessing of types, no addresses told to others. */
const ALWAYS = {
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
    ...ALWAYS,
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
