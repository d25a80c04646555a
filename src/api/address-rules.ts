import { BlockList, isIP } from 'node:net';

/** The service addresses that people may enter in Slack. The operator's own setting isn't subject to these rules. */
export interface AddressRules {
  /** Host names; `*.example.com` allows every name below it. Defaults to all. */
  allowedHosts?: readonly string[] | undefined;
  /** Allows this machine and private networks, by address or by name. */
  allowPrivate: boolean;
}

/** Reasons to refuse an address. */
export const ADDRESS_FAULTS = [
  'not-an-address',
  'not-https',
  'credentials',
  'query-or-fragment',
  'too-long',
  'host-not-allowed',
  'private',
] as const;
export type AddressFault = (typeof ADDRESS_FAULTS)[number];

/** Characters. Longer than any real address; our own decision. */
const MAX_LENGTH = 500;

/**
 * Reads an address that a person entered. `url` is the address as it is stored. IP addresses in any notation (decimal,
 * octal, hexadecimal) are recognised. Names are resolved and checked later, for every connection.
 */
export function readServiceAddress(
  text: string,
  rules: AddressRules,
): { url: string } | { fault: AddressFault } {
  const trimmed = text.trim();
  if (trimmed.length > MAX_LENGTH) return { fault: 'too-long' };
  const url = /[\s\p{Cc}\p{Cf}\\]/u.test(trimmed) ? null : URL.parse(trimmed);
  const fault = url ? findFault(url, trimmed, rules) : 'not-an-address';
  return url && fault === undefined ? { url: url.href } : { fault: fault ?? 'not-an-address' };
}

function findFault(url: URL, text: string, rules: AddressRules): AddressFault | undefined {
  // Only browsers accept `https:name` and `https:/name`.
  if (!/^[a-z][a-z0-9+.-]*:\/\/[^/]/i.test(text)) return 'not-an-address';
  if (url.protocol !== 'https:') return 'not-https';
  if (url.username || url.password || text.split('/')[2]?.includes('@')) return 'credentials';
  if (/[?#]/.test(text)) return 'query-or-fragment';
  const host = bareHost(url.hostname);
  if (isIP(host) !== 0 && !isReachable(host, rules.allowPrivate)) return 'private';
  if (rules.allowedHosts)
    return rules.allowedHosts.some((allowed) => matchesHost(host, allowed)) ? undefined : 'host-not-allowed';
  return isPrivateName(host.replace(/\.$/, '')) && !rules.allowPrivate ? 'private' : undefined;
}

/** Endings that nobody can register (RFC 6761, 6762 and 8375, and `.internal`, which ICANN reserves). */
const PRIVATE_ENDINGS = ['.localhost', '.local', '.internal', '.home.arpa'];

/** Whether a name is valid only in one network. Any machine there can claim a name under `.local` (RFC 6762). */
function isPrivateName(name: string): boolean {
  return isIP(name) === 0 && (!name.includes('.') || PRIVATE_ENDINGS.some((ending) => name.endsWith(ending)));
}

function matchesHost(host: string, allowed: string): boolean {
  const name = host.replace(/\.$/, '');
  return allowed.startsWith('*.') ? name.endsWith(allowed.slice(1)) : name === bareHost(allowed);
}

/** Removes the brackets around an IPv6 address. */
export function bareHost(host: string): string {
  return host.replace(/^\[|\]$/g, '');
}

/** Whether connections to an IP address are allowed. Without `allowPrivate`, only public addresses are. */
export function isReachable(address: string, allowPrivate: boolean): boolean {
  const family = isIP(address);
  if (family === 0 || NEVER.check(address, family === 4 ? 'ipv4' : 'ipv6')) return false;
  if (allowPrivate) return true;
  if (family === 4) return !NOT_PUBLIC.check(address, 'ipv4');
  return PUBLIC_V6.check(address, 'ipv6') && !NOT_PUBLIC.check(address, 'ipv6');
}

type Range = readonly [net: string, prefix: number];

function blockList(ranges: readonly Range[]): BlockList {
  const list = new BlockList();
  for (const [net, prefix] of ranges) list.addSubnet(net, prefix, isIP(net) === 4 ? 'ipv4' : 'ipv6');
  return list;
}

/**
 * Never allowed: "this network", link-local (where clouds serve their metadata, also over IPv6), multicast and
 * broadcast.
 */
const NEVER = blockList([
  ['0.0.0.0', 8],
  ['169.254.0.0', 16],
  ['224.0.0.0', 4],
  ['255.255.255.255', 32],
  ['::', 128],
  ['fe80::', 10],
  ['ff00::', 8],
  ['fd00:ec2::254', 128],
]);

/**
 * Special-purpose ranges: https://www.iana.org/assignments/iana-ipv4-special-registry/ and
 * …/iana-ipv6-special-registry/
 */
const NOT_PUBLIC = blockList([
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['240.0.0.0', 4],
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
]);

/** The only range that IANA assigns (https://www.iana.org/assignments/ipv6-unicast-address-assignments/). */
const PUBLIC_V6 = blockList([['2000::', 3]]);
