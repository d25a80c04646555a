import type { IncomingHttpHeaders } from 'node:http';
import { BlockList, isIP, SocketAddress } from 'node:net';

interface Asked {
  headers: IncomingHttpHeaders;
  socket: { remoteAddress?: string | undefined };
}

/** Of each proxy, an address or a network (`10.0.0.0/8`). */
export function trustedProxies(networks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', prefix] = network.split('/');
    const family = isIP(address) === 4 ? 'ipv4' : 'ipv6';
    list.addSubnet(address, Number(prefix ?? (family === 'ipv4' ? 32 : 128)), family);
  }
  return list;
}

/**
 * Who asks, as visits are counted: an IPv4 address, or the network of one site in IPv6. Each trusted proxy adds the
 * address that it was asked from at the end of `X-Forwarded-For`: the last one that is no trusted proxy's counts, and
 * whatever stands before it is the visitor's own invention. Where a proxy names no address, its own counts.
 */
export function visitorOf({ headers, socket }: Asked, trusted: BlockList): string {
  const forwarded = [headers['x-forwarded-for'] ?? []].flat().join(',').split(',');
  let visitor = addressIn(socket.remoteAddress ?? '');
  while (visitor !== undefined && forwarded.length > 0 && isTrusted(visitor, trusted)) {
    const before = addressIn(forwarded.pop() ?? '');
    if (before === undefined) break;
    visitor = before;
  }
  return visitor === undefined ? '' : siteOf(visitor);
}

function isTrusted(address: string, trusted: BlockList): boolean {
  return trusted.check(address, isIP(address) === 4 ? 'ipv4' : 'ipv6');
}

/** In one spelling. Some proxies add the port, and brackets around IPv6; sockets name IPv4 in IPv6, and a zone. */
function addressIn(hop: string): string | undefined {
  const bare = hop
    .trim()
    .replace(/^\[([^\]]*)\](?::\d+)?$/, '$1')
    .replace(/^([\d.]+):\d+$/, '$1')
    .replace(/%.*$/, '');
  if (isIP(bare) !== 6) return isIP(bare) === 4 ? bare : undefined;
  const { address } = new SocketAddress({ address: bare, family: 'ipv6' });
  return /^::ffff:([\d.]+)$/.exec(address)?.[1] ?? address;
}

/** Of IPv6 the first 48 bits: a single site is given as much (RFC 6177), and could come from all of it. */
function siteOf(address: string): string {
  if (isIP(address) === 4) return address;
  const [left = [], right = []] = address
    .split('::')
    .map((side) => side.split(':').filter((group) => group !== ''));
  const zeros = Array<string>(8 - left.length - right.length).fill('0');
  return `${[...left, ...zeros, ...right].slice(0, 3).join(':')}::/48`;
}
