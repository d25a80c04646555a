import { BlockList, isIP } from 'node:net';

/** Which addresses of a service people may name: what the operator allows, not what is set by the operator. */
export interface AddressRules {
  /** Host names; `*.example.com` is every name below it. Undefined: any. */
  allowedHosts?: readonly string[] | undefined;
  /** Also this machine and private networks, by address or name. */
  allowPrivate: boolean;
}

/** Why an address is not taken. */
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

/** More than any real one has. A decision of ours. */
const LONGEST = 500;

/**
 * The address as it is kept, or what is wrong with it. Numbers that stand for an address (decimal, octal, hexadecimal)
 * are read as such. A name is looked up only when it is connected to, and then every time.
 */
export function readServiceAddress(
  text: string,
  rules: AddressRules,
): { url: string } | { fault: AddressFault } {
  const trimmed = text.trim();
  if (trimmed.length > LONGEST) return { fault: 'too-long' };
  const url = /[\s\p{Cc}\p{Cf}\\]/u.test(trimmed) ? null : URL.parse(trimmed);
  const fault = url ? faultOf(url, trimmed, rules) : 'not-an-address';
  return url && fault === undefined ? { url: url.href } : { fault: fault ?? 'not-an-address' };
}

function faultOf(url: URL, text: string, rules: AddressRules): AddressFault | undefined {
  // `https:name` and `https:/name` are addresses to a browser alone.
  if (!/^[a-z][a-z0-9+.-]*:\/\/[^/]/i.test(text)) return 'not-an-address';
  if (url.protocol !== 'https:') return 'not-https';
  if (url.username || url.password || text.split('/')[2]?.includes('@')) return 'credentials';
  if (/[?#]/.test(text)) return 'query-or-fragment';
  const host = bareHost(url.hostname);
  if (isIP(host) !== 0 && !isReachable(host, rules.allowPrivate)) return 'private';
  if (rules.allowedHosts)
    return rules.allowedHosts.some((allowed) => isOf(host, allowed)) ? undefined : 'host-not-allowed';
  return isPrivateName(host.replace(/\.$/, '')) && !rules.allowPrivate ? 'private' : undefined;
}

/** Endings that nobody outside can own (RFC 6761, 6762 and 8375, and what ICANN keeps for private networks). */
const PRIVATE_ENDINGS = ['.localhost', '.local', '.internal', '.home.arpa'];

/** Whether a name has a meaning in one network alone. Any machine there can claim one under `.local` (RFC 6762). */
function isPrivateName(name: string): boolean {
  return isIP(name) === 0 && (!name.includes('.') || PRIVATE_ENDINGS.some((ending) => name.endsWith(ending)));
}

function isOf(host: string, allowed: string): boolean {
  const name = host.replace(/\.$/, '');
  return allowed.startsWith('*.') ? name.endsWith(allowed.slice(1)) : name === bareHost(allowed);
}

/** Without the brackets of IPv6. */
export function bareHost(host: string): string {
  return host.replace(/^\[|\]$/g, '');
}

/** Whether one IP address may be connected to. What is in no list of public ones is not. */
export function isReachable(address: string, allowPrivate: boolean): boolean {
  const family = isIP(address);
  if (family === 0 || NEVER.check(address, family === 4 ? 'ipv4' : 'ipv6')) return false;
  if (allowPrivate) return true;
  if (family === 4) return !NOT_PUBLIC.check(address, 'ipv4');
  return PUBLIC_V6.check(address, 'ipv6') && !NOT_PUBLIC.check(address, 'ipv6');
}

type Range = readonly [net: string, prefix: number];

function listOf(ranges: readonly Range[]): BlockList {
  const list = new BlockList();
  for (const [net, prefix] of ranges) list.addSubnet(net, prefix, isIP(net) === 4 ? 'ipv4' : 'ipv6');
  return list;
}

/**
 * No service listens there, whatever is allowed: this network, link-local (where clouds keep their metadata, theirs in
 * IPv6 too), multicast, broadcast.
 */
const NEVER = listOf([
  ['0.0.0.0', 8],
  ['169.254.0.0', 16],
  ['224.0.0.0', 4],
  ['255.255.255.255', 32],
  ['::', 128],
  ['fe80::', 10],
  ['ff00::', 8],
  ['fd00:ec2::254', 128],
]);

/** https://www.iana.org/assignments/iana-ipv4-special-registry/ and …/iana-ipv6-special-registry/ */
const NOT_PUBLIC = listOf([
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

/** The only range that is given out (https://www.iana.org/assignments/ipv6-unicast-address-assignments/). */
const PUBLIC_V6 = listOf([['2000::', 3]]);
