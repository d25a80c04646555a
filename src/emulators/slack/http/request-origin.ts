import type { IncomingMessage } from 'node:http';

const LOOPBACK = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::(\d+))?$/i;
/** The names that an app uses whose connections the preloads redirect. Nobody else can let them resolve to this machine. */
const SLACK = /^(?:[\w-]+\.)*slack\.com(?::443)?$/i;

/**
 * Whether the Host header names this machine. Another name that resolves to this machine (DNS rebinding) would make a
 * foreign page same-origin with this one. The port may be missing: Python's WebSocket client leaves it out
 * (python-slack-sdk, socket_mode/builtin/connection.py). A browser leaves it out for port 80 only.
 */
export function isHostOurs({ headers }: IncomingMessage, port: number): boolean {
  const { host = '' } = headers;
  if (SLACK.test(host)) return true;
  const named = LOOPBACK.exec(host);
  return named !== null && (named[1] === undefined || named[1] === String(port));
}

/** Whether no page but our own sent this: a browser adds Origin to each WebSocket and POST. */
export function isOriginOurs({ headers }: IncomingMessage): boolean {
  return headers.origin === undefined || headers.origin === `http://${headers.host}`;
}
