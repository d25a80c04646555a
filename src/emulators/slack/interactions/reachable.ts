import { BlockList, isIP } from 'node:net';

/** Networks that Slack's servers can't reach. */
const PRIVATE_ADDRESSES = new BlockList();
for (const [address, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
] as const) {
  PRIVATE_ADDRESSES.addSubnet(address, bits);
}
PRIVATE_ADDRESSES.addSubnet('::', 127, 'ipv6');
PRIVATE_ADDRESSES.addSubnet('fc00::', 7, 'ipv6');
PRIVATE_ADDRESSES.addSubnet('fe80::', 10, 'ipv6');

function isPrivateName(host: string): boolean {
  return !host.includes('.') || /\.(?:localhost|local|internal|test|lan)$/.test(host);
}

/**
 * Whether Slack could download a picture from this address. Only the address is checked, because the workspace may run
 * without a network. Addresses of the workspace itself (`own`) count as reachable.
 */
export function isReachable(address: string, own: string): boolean {
  const url = URL.parse(address);
  if (!url || !/^https?:$/.test(url.protocol)) return false;
  if (url.origin === own) return true;
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const family = isIP(host);
  if (family === 0) return !isPrivateName(host);
  return !PRIVATE_ADDRESSES.check(host, family === 6 ? 'ipv6' : 'ipv4');
}
