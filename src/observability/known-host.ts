import { isIP } from 'node:net';

/**
 * Endings that nobody can register (RFC 6761, and ICANN's reservation for private networks). `.local` isn't among them,
 * because any machine in a network can claim such a name (RFC 6762). A `.local` name must therefore be in the settings.
 */
const PRIVATE_ENDINGS = ['.localhost', '.internal'];

/**
 * Whether a request's Host header may name this server. This protects against DNS rebinding, in which a hostile page's
 * name resolves to this server and the browser sends that name. An attacker can't register an address, a name without
 * dots or a private name, so these are accepted. A request without a Host is accepted too, because browsers always send
 * one.
 *
 * `ownHosts`: the names in the settings. `*.example.com` matches every name below `example.com`.
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
