import { createHmac } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { isIPv6 } from 'node:net';
import { hostname } from 'node:os';
import { isSameSecret } from '../web-api/is-same-secret.ts';
import { answer } from './answer.ts';

/**
 * Who may open the page. On loopback that is everybody who can connect. If the workspace listens on another address,
 * the printed address has a token, which becomes a cookie. The Web API has tokens of its own.
 */

const LOOPBACK = new Set(['localhost', '127.0.0.1', '::1']);
/** All interfaces. Other machines reach this one by its own name, as containers in one network do. */
const ALL_INTERFACES = new Set(['0.0.0.0', '::']);

/** The name of this machine in every address that the workspace gives out. */
export function publicName(host: string): string {
  if (ALL_INTERFACES.has(host)) return hostname();
  return isIPv6(host) ? `[${host}]` : host;
}

/** Derived, so that the printed address stays the same after a restart. Undefined on loopback. */
export function pageToken(host: string, signingSecret: string): string | undefined {
  if (LOOPBACK.has(host)) return undefined;
  return createHmac('sha256', signingSecret).update('page').digest('hex').slice(0, 32);
}

/** Two workspaces on one host have different names here, because browsers send a cookie to every port. */
export function pageCookie(token: string): { name: string; value: string } {
  return { name: `workspace-${token.slice(0, 8)}`, value: token };
}

/** Whether this request may see and use the page. */
export function hasPageAccess({ headers }: IncomingMessage, token: string | undefined): boolean {
  if (token === undefined) return true;
  const { name } = pageCookie(token);
  const cookies = (headers.cookie ?? '').split(';').map((cookie) => cookie.trim().split('='));
  return cookies.some(([key, value = '']) => key === name && isSameSecret(value, token));
}

/** Turns the token of the printed address into a cookie, and refuses every other request. */
export function requestToken(response: ServerResponse, url: URL, token: string): void {
  if (!isSameSecret(url.searchParams.get('token') ?? '', token)) {
    answer(response, 401, 'Open the address that the workspace printed at its start. It has a token.');
    return;
  }
  url.searchParams.delete('token');
  const { name, value } = pageCookie(token);
  answer(response, 302, '', {
    Location: `${url.pathname.replace(/^\/+/, '/')}${url.search}`,
    'Set-Cookie': `${name}=${value}; Path=/; HttpOnly; SameSite=Lax`,
  });
}
