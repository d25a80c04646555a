import { createHmac } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { isIPv6 } from 'node:net';
import { hostname } from 'node:os';
import { isSameSecret } from '../state/ids.ts';
import { answer } from './answer.ts';

/**
 * Access to the page. On loopback, everyone who can connect has it. If the workspace listens on another address, the
 * printed address has a token, which becomes a cookie. The Web API has its own tokens.
 */

const LOOPBACK = new Set(['localhost', '127.0.0.1', '::1']);
/** All interfaces. Other machines and containers reach this one by its host name. */
const ALL_INTERFACES = new Set(['0.0.0.0', '::']);

/** Returns the name of this machine in all addresses of the workspace. */
export function getPublicName(host: string): string {
  if (ALL_INTERFACES.has(host)) return hostname();
  return isIPv6(host) ? `[${host}]` : host;
}

/** Derives the token from the secret, so that it stays the same after a restart. Returns undefined on loopback. */
export function derivePageToken(host: string, signingSecret: string): string | undefined {
  if (LOOPBACK.has(host)) return undefined;
  return createHmac('sha256', signingSecret).update('page').digest('hex').slice(0, 32);
}

/** The name differs for each workspace, since browsers send a cookie to all ports of a host. */
export function buildPageCookie(token: string): { name: string; value: string } {
  return { name: `workspace-${token.slice(0, 8)}`, value: token };
}

export function hasPageAccess({ headers }: IncomingMessage, token: string | undefined): boolean {
  if (token === undefined) return true;
  const { name } = buildPageCookie(token);
  const cookies = (headers.cookie ?? '').split(';').map((cookie) => cookie.trim().split('='));
  return cookies.some(([key, value = '']) => key === name && isSameSecret(value, token));
}

/** Turns the token in the address into a cookie. Refuses requests without a valid token. */
export function exchangePageToken(response: ServerResponse, url: URL, token: string): void {
  if (!isSameSecret(url.searchParams.get('token') ?? '', token)) {
    answer(response, 401, 'Open the address that the workspace printed at its start, which has a token.');
    return;
  }
  url.searchParams.delete('token');
  const { name, value } = buildPageCookie(token);
  answer(response, 302, '', {
    Location: `${url.pathname.replace(/^\/+/, '/')}${url.search}`,
    'Set-Cookie': `${name}=${value}; Path=/; HttpOnly; SameSite=Lax`,
  });
}

const OUR_HOST = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::(\d+))?$/i;

/**
 * Whether the Host header names this machine. With another name that resolves to this machine (DNS rebinding), a foreign
 * page would be same-origin with the workspace. Python's WebSocket client omits the port (python-slack-sdk,
 * socket_mode/builtin/connection.py). Browsers omit only port 80.
 */
export function isHostOurs({ headers }: IncomingMessage, port: number): boolean {
  const { host = '' } = headers;
  const match = OUR_HOST.exec(host);
  return match !== null && (match[1] === undefined || match[1] === String(port));
}

/** Whether no foreign page sent the request. Browsers add Origin to each WebSocket and POST. */
export function isOriginOurs({ headers }: IncomingMessage): boolean {
  return headers.origin === undefined || headers.origin === `http://${headers.host}`;
}
