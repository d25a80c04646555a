import { createHash } from 'node:crypto';
import { BlockList, isIP } from 'node:net';

/** Rules for service addresses that people enter in Slack. The address in the operator's settings isn't checked. */
export interface AddressRules {
  /** Host names. `*.example.com` allows every name below `example.com`. Defaults to all host names. */
  allowedHosts?: readonly string[] | undefined;
  /** True if addresses and names of this machine and of private networks are allowed. */
  allowPrivate: boolean;
}

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

/**
 * Computes a hash of a service's address, by which the service is recognised; '' for ''. It has no key, so that a service
 * is recognised after the encryption key was lost. The address that somebody types in Slack ends with a slash, and that in
 * the settings may not.
 */
export function computeEndpointKey(address: string): string {
  if (address === '') return '';
  const url = removeLastSlashes(URL.parse(address)?.href ?? address);
  return createHash('sha256').update(url).digest('base64url');
}

function removeLastSlashes(address: string): string {
  let end = address.length;
  while (address[end - 1] === '/') end -= 1;
  return address.slice(0, end);
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
export function isPrivateName(name: string): boolean {
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

/** Whether an IP address, and every IPv4 address in it, may be connected to. Public ones alone without `allowPrivate`. */
export function isAllowedAddress(address: string, allowPrivate: boolean): boolean {
  const family = isIP(address);
  if (family === 0 || FORBIDDEN_RANGES.check(address, family === 4 ? 'ipv4' : 'ipv6')) return false;
  if (family === 6 && !embeddedV4(address).every((v4) => isAllowedAddress(v4, allowPrivate))) return false;
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
 * Where IPv6 addresses contain an IPv4 address, as hexadecimal digits. Behind a translator or a tunnel they lead to that
 * address. Where the length of a prefix isn't known, 0.0.0.0/8 is skipped: it shows that the address stands elsewhere.
 */
const EMBEDDED_V4 = [
  // IPv4-compatible (RFC 4291 §2.5.5.1). `::1` is the loopback address.
  /^0{24}(?!00)(.{8})$/,
  // IPv4-mapped (RFC 4291 §2.5.5.2).
  /^0{20}ffff(.{8})$/,
  // IPv4-translated (RFC 2765 §2.1).
  /^0{16}ffff0000(.{8})$/,
  // NAT64 (RFC 6052 §2.1).
  /^0064ff9b0{16}(.{8})$/,
  // NAT64 of a network (RFC 8215), with prefixes of 96, 64, 56 and 48 bits (RFC 6052 §2.2).
  /^0064ff9b0001.{12}(?!00)(.{8})$/,
  /^0064ff9b0001.{4}00(?!00)(.{8})/,
  /^0064ff9b0001.{2}(?!00)(.{2})00(.{6})/,
  /^0064ff9b0001(?!00)(.{4})00(.{4})/,
  // 6to4 (RFC 3056 §2).
  /^2002(.{8})/,
  // ISATAP (RFC 5214 §6.1).
  /^.{16}0[02]005efe(.{8})$/,
];

/** The IPv4 addresses that an IPv6 address contains. */
function embeddedV4(address: string): string[] {
  const digits = toHexDigits(address);
  return EMBEDDED_V4.flatMap((pattern) => {
    const octets = pattern.exec(digits)?.slice(1).join('').match(/../g);
    return octets ? [octets.map((octet) => Number.parseInt(octet, 16)).join('.')] : [];
  });
}

/** The 32 digits of an IPv6 address, without its zone. */
function toHexDigits(address: string): string {
  const hostname = URL.parse(`http://[${address.replace(/%.*/, '')}]`)?.hostname ?? '';
  const [head = [], tail = []] = stripBrackets(hostname)
    .split('::')
    .map((part) => part.split(':').filter(Boolean));
  const zeros = Array<string>(8 - head.length - tail.length).fill('0');
  return [...head, ...zeros, ...tail].map((group) => group.padStart(4, '0')).join('');
}

/**
 * Addresses where clouds answer a machine with its metadata and credentials, by their source. `cloud-init` is
 * https://github.com/canonical/cloud-init/tree/04eacd06ee60/cloudinit/sources (read in November 2026). Others are
 * link-local, such as 169.254.169.254.
 */
const METADATA_ADDRESSES: Readonly<Record<string, string>> = {
  '168.63.129.16': 'Azure: cloud-init, helpers/azure.py',
  '100.100.100.200': 'Alibaba Cloud: cloud-init, DataSourceAliYun.py',
  'fd00:100::100:200': 'Alibaba Cloud: cloud-init, tests of DataSourceAliYun.py',
  '192.0.0.192': 'Oracle Compute Classic: guide, "Retrieving Instance Metadata"',
  'fd00:c1::a9fe:a9fe': 'Oracle Cloud: cloud-init, DataSourceOracle.py',
  'fd00:ec2::254': 'AWS: cloud-init, DataSourceEc2.py',
  'fd00:ec2::23': 'AWS: https://docs.aws.amazon.com/eks/latest/userguide/pod-id-how-it-works.html',
  'fd20:ce::254': 'Google Cloud: https://cloud.google.com/compute/docs/metadata/querying-metadata',
  'fd00:42::42': 'Scaleway: cloud-init, DataSourceScaleway.py',
  'fd00:a9fe:a9fe::1': 'Akamai: cloud-init, DataSourceAkamai.py',
};

/**
 * Ranges that are always forbidden: "this network", link-local, multicast and broadcast, the metadata of clouds, and
 * Teredo (RFC 4380), which leads to an IPv4 address that it obscures.
 */
const FORBIDDEN_RANGES = createBlockList([
  ['0.0.0.0', 8],
  ['169.254.0.0', 16],
  ['224.0.0.0', 4],
  ['255.255.255.255', 32],
  ['::', 128],
  ['fe80::', 10],
  ['ff00::', 8],
  ['2001::', 32],
  ...Object.keys(METADATA_ADDRESSES).map((net): Range => [net, isIP(net) === 4 ? 32 : 128]),
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
