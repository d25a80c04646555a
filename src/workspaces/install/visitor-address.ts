import type { IncomingHttpHeaders } from 'node:http';
import { BlockList, isIP, SocketAddress } from 'node:net';

interface Request {
  headers: IncomingHttpHeaders;
  socket: { remoteAddress?: string | undefined };
}

/** `networks`: the addresses (`10.0.0.1`) or networks (`10.0.0.0/8`) of the trusted proxies. */
export function parseProxies(networks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', prefix] = network.split('/');
    const family = isIP(address) === 4 ? 'ipv4' : 'ipv6';
    list.addSubnet(address, Number(prefix ?? (family === 'ipv4' ? 32 : 128)), family);
  }
  return list;
}

/**
 * The visitor's IPv4 address, or the /48 network of the visitor's IPv6 address. Each trusted proxy appends the address
 * of its client to `X-Forwarded-For`, so the last address that isn't a trusted proxy's is the visitor's. The visitor
 * can forge everything before it. A proxy that names no address counts as the visitor.
 */
export function visitorOf({ headers, socket }: Request, trusted: BlockList): string {
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

/**
 * The address in its normal form. Some proxies add a port, and brackets around IPv6. Sockets write IPv4 addresses as
 * IPv6 (`::ffff:10.0.0.1`), and add zones (`%eth0`).
 */
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

/** IPv4 unchanged; the first 48 bits of IPv6, because one site can own that much (RFC 6177) and use all of it. */
function siteOf(address: string): string {
  if (isIP(address) === 4) return address;
  const [left = [], right = []] = address
    .split('::')
    .map((side) => side.split(':').filter((group) => group !== ''));
  const zeros = Array<string>(8 - left.length - right.length).fill('0');
  return `${[...left, ...zeros, ...right].slice(0, 3).join(':')}::/48`;
}
