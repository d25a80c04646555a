import type { IncomingMessage } from 'node:http';

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * The request names this machine and this port. Another name that was made to point here (DNS rebinding) would
 * make a foreign page "same-origin" with this one.
 */
export function hostIsOurs(request: IncomingMessage, port: number): boolean {
  const host = request.headers.host ?? '';
  const colon = host.lastIndexOf(':');
  return LOOPBACK.has(host.slice(0, colon).toLowerCase()) && host.slice(colon + 1) === String(port);
}

/** No browser page but our own: a browser always sends Origin with a WebSocket and a POST. */
export function originIsOurs(request: IncomingMessage): boolean {
  const { origin, host } = request.headers;
  return origin === undefined || origin === `http://${host}`;
}
