import { BlockList, isIP } from 'node:net';

/** Rules for service addresses that people enter in Slack. The address in the operator's settings isn't checked. */
export interface AddressRules {
  /** Host names. `*.example.com` allows every name below `example.com`. Defaults to all host names. */
  allowedHosts?: readonly string[] | undefined;
  /** True if addresses and names of this machine and of private networks are allowed. */
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

/** Maximum number of characters. Real addresses are shorter. */
const MAX_ADDRESS_LENGTH = 500;

/**
 * Parses an address that a person entered. Returns the address to store, or the reason to refuse it. Recognises IP
 * addresses in all notations (decimal, octal, hexadecimal). Doesn't resolve host names: each connection does so later,
 * and checks the result.
 */
export function parseServiceAddress(
  text: string,
  rules: AddressRules,
): { url: string } | { fault: AddressFault } {
  const trimmed = text.trim();
  if (trimmed.length > MAX_ADDRESS_LENGTH) return { fault: 'too-long' };
  const url = /[\s\p{Cc}\p{Cf}\\]/u.test(trimmed) ? null : URL.parse(trimmed);
  const fault = url ? findFault(url, trimmed, rules) : 'not-an-address';
  return url && fault === undefined ? { url: url.href } : { fault: fault ?? 'not-an-address' };
}

function findFault(url: URL, text: string, rules: AddressRules): AddressFault | undefined {
  // Refuses `https:name` and `https:/name`, which only browsers accept.
  if (!/^[a-z][a-z0-9+.-]*:\/\/[^/]/i.test(text)) return 'not-an-address';
  if (url.protocol !== 'https:') return 'not-https';
  if (url.username || url.password || text.split('/')[2]?.includes('@')) return 'credentials';
  if (/[?#]/.test(text)) return 'query-or-fragment';
  const host = stripBrackets(url.hostname);
  if (isForbiddenAddress(host, rules.allowPrivate)) return 'private';
  if (rules.allowedHosts)
    return rules.allowedHosts.some((allowed) => matchesHost(host, allowed)) ? undefined : 'host-not-allowed';
  return isPrivateName(host.replace(/\.$/, '')) && !rules.allowPrivate ? 'private' : undefined;
}

/** Suffixes that nobody can register (RFC 6761, 6762 and 8375, and `.internal`, which ICANN reserves). */
const PRIVATE_SUFFIXES = ['.localhost', '.local', '.internal', '.home.arpa'];

/** True if a host name is valid only in a private network. */
function isPrivateName(name: string): boolean {
  return (
    isIP(name) === 0 && (!name.includes('.') || PRIVATE_SUFFIXES.some((suffix) => name.endsWith(suffix)))
  );
}

function matchesHost(host: string, pattern: string): boolean {
  const name = host.replace(/\.$/, '');
  return pattern.startsWith('*.') ? name.endsWith(pattern.slice(1)) : name === stripBrackets(pattern);
}

/** Removes the brackets around an IPv6 address. */
function stripBrackets(host: string): string {
  return host.replace(/^\[|\]$/g, '');
}

/** True if a host is an IP address, with or without brackets, to which connections aren't allowed. */
export function isForbiddenAddress(host: string, allowPrivate: boolean): boolean {
  const address = stripBrackets(host);
  return isIP(address) !== 0 && !isAllowedAddress(address, allowPrivate);
}

/** True if connections to an IP address are allowed. If `allowPrivate` is false, only public addresses are allowed. */
export function isAllowedAddress(address: string, allowPrivate: boolean): boolean {
  const family = isIP(address);
  if (family === 0 || FORBIDDEN_RANGES.check(address, family === 4 ? 'ipv4' : 'ipv6')) return false;
  if (allowPrivate) return true;
  if (family === 4) return !SPECIAL_PURPOSE_RANGES.check(address, 'ipv4');
  return PUBLIC_V6_RANGE.check(address, 'ipv6') && !SPECIAL_PURPOSE_RANGES.check(address, 'ipv6');
}

type Range = readonly [net: string, prefix: number];

function createBlockList(ranges: readonly Range[]): BlockList {
  const list = new BlockList();
  for (const [net, prefix] of ranges) list.addSubnet(net, prefix, isIP(net) === 4 ? 'ipv4' : 'ipv6');
  return list;
}

/**
 * Ranges that are always forbidden: "this network", link-local, multicast and broadcast. Cloud providers serve instance
 * metadata at link-local addresses, and at one other IPv6 address.
 */
const FORBIDDEN_RANGES = createBlockList([
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
const SPECIAL_PURPOSE_RANGES = createBlockList([
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

/**
 * The only range of public addresses that IANA assigns
 * (https://www.iana.org/assignments/ipv6-unicast-address-assignments/).
 */
const PUBLIC_V6_RANGE = createBlockList([['2000::', 3]]);
