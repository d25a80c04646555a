import { isIP } from 'node:net';

/**
 * Endings that nobody can register (RFC 6761, and ICANN's reservation for private networks). `.local` isn't one of
 * them: any machine of a network can claim such a name (RFC 6762), so it must be in the settings.
 */
const PRIVATE_ENDINGS = ['.localhost', '.internal'];

/**
 * Whether a request's Host is a name of this server, as a protection against DNS rebinding: a hostile page resolves its
 * own name to this server, and the browser sends that name. An address, a name without dots and a private name can't be
 * registered by an attacker. Browsers always send a Host, so a request without one is accepted. `ownHosts`: the names
 * from the settings; `*.example.com` matches every name below it.
 */
export function isKnownHost(host: string | undefined, ownHosts: readonly string[]): boolean {
  if (host === undefined) return true;
  const url = URL.parse(`http://${host}`);
  if (url?.username !== '' || url.pathname !== '/' || url.search !== '') return false;
  const name = url.hostname.replace(/\.$/, '');
  if (isIP(name) !== 0 || name.startsWith('[') || !name.includes('.')) return true;
  const ownEndings = ownHosts.flatMap((own) => (own.startsWith('*.') ? own.slice(1) : []));
  const endings = [...PRIVATE_ENDINGS, ...ownEndings];
  return ownHosts.includes(name) || endings.some((ending) => name.endsWith(ending));
}
