import { isIP } from 'node:net';

/**
 * Endings that nobody can own (RFC 6761, and what ICANN keeps for private networks). Any machine of a network can claim
 * a name under `.local` (RFC 6762): that one counts only where the settings name it.
 */
const PRIVATE_ENDINGS = ['.localhost', '.internal'];

/**
 * Whether a request's Host is a name of this server. A foreign page whose name was made to point here (DNS rebinding)
 * asks by that name; an address, a name without dots and a private one can be nobody's trap. What names no host at
 * all is no browser. `ours`: names that the settings know; `*.example.com` is every name below it.
 */
export function isKnownHost(host: string | undefined, ours: readonly string[]): boolean {
  if (host === undefined) return true;
  const url = URL.parse(`http://${host}`);
  if (url?.username !== '' || url.pathname !== '/' || url.search !== '') return false;
  const name = url.hostname.replace(/\.$/, '');
  if (isIP(name) !== 0 || name.startsWith('[') || !name.includes('.')) return true;
  const endings = [...PRIVATE_ENDINGS, ...ours.flatMap((one) => (one.startsWith('*.') ? one.slice(1) : []))];
  return ours.includes(name) || endings.some((ending) => name.endsWith(ending));
}
