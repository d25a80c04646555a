import type { IncomingMessage } from 'node:http';

const LOOPBACK = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::(\d+))?$/i;

/**
 * Whether the Host header names this machine. With another name that resolves to this machine (DNS rebinding), a foreign
 * page would be same-origin with the workspace. Python's WebSocket client omits the port (python-slack-sdk,
 * socket_mode/builtin/connection.py). Browsers omit only port 80.
 */
export function isHostOurs({ headers }: IncomingMessage, port: number): boolean {
  const { host = '' } = headers;
  const match = LOOPBACK.exec(host);
  return match !== null && (match[1] === undefined || match[1] === String(port));
}

/** Whether no foreign page sent the request. Browsers add Origin to each WebSocket and POST. */
export function isOriginOurs({ headers }: IncomingMessage): boolean {
  return headers.origin === undefined || headers.origin === `http://${headers.host}`;
}
