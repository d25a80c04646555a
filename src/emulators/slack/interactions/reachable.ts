import { BlockList, isIP } from 'node:net';

/** Addresses that no server of Slack's can call. */
const PRIVATE = new BlockList();
for (const [address, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
] as const) {
  PRIVATE.addSubnet(address, bits);
}
PRIVATE.addSubnet('::', 127, 'ipv6');
PRIVATE.addSubnet('fc00::', 7, 'ipv6');
PRIVATE.addSubnet('fe80::', 10, 'ipv6');

function isPrivateName(host: string): boolean {
  return !host.includes('.') || /\.(?:localhost|local|internal|test|lan)$/.test(host);
}

/**
 * Whether Slack could fetch a picture from there, as far as the address tells: nothing is fetched, for a workspace may
 * be without a network. What the workspace serves itself (`own`) stands for the web.
 */
export function isReachable(address: string, own: string): boolean {
  const url = URL.parse(address);
  if (!url || !/^https?:$/.test(url.protocol)) return false;
  if (url.origin === own) return true;
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const family = isIP(host);
  if (family === 0) return !isPrivateName(host);
  return !PRIVATE.check(host, family === 6 ? 'ipv6' : 'ipv4');
}
