import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { BlockList, isIP, SocketAddress } from 'node:net';

/** Who sent a request. */
interface Client {
  /** An IPv4 address, or the /48 network of an IPv6 address. Empty if the socket is closed. */
  address: string;
  /** Called when the request's signature is right. From then on, the socket doesn't count against its address. */
  verify(): void;
}

const clients = new WeakMap<IncomingMessage, Client>();

/** Called by the server at the beginning of each request. */
export function setClient(request: IncomingMessage, client: Client): void {
  clients.set(request, client);
}

/** The request's client. Without a server that sets it, its address is that of the socket. */
export function getClient(request: IncomingMessage): Client {
  return clients.get(request) ?? { address: readPeerAddress(request.socket), verify: () => undefined };
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

interface Peer {
  remoteAddress?: string | undefined;
}

/** Whether the other end of the socket is a trusted proxy. */
export function isProxy({ remoteAddress = '' }: Peer, trustedProxies: BlockList): boolean {
  const address = normalizeAddress(remoteAddress);
  return address !== undefined && isTrusted(address, trustedProxies);
}

/** The address of the other end of the socket, in the form of `identifyClient`. */
export function readPeerAddress({ remoteAddress = '' }: Peer): string {
  const address = normalizeAddress(remoteAddress);
  return address === undefined ? '' : getSiteNetwork(address);
}

/**
 * The client's IPv4 address, or the /48 network of the client's IPv6 address. Each trusted proxy appends the address
 * of its client to `X-Forwarded-For`, so the last address that isn't a trusted proxy's is the client's. The client
 * can forge everything before it. If a proxy appends no valid address, the proxy counts as the client.
 */
export function identifyClient(
  { headers, socket }: { headers: IncomingHttpHeaders; socket: Peer },
  trustedProxies: BlockList,
): string {
  const forwardedAddresses = [headers['x-forwarded-for'] ?? []].flat().join(',').split(',');
  let client = normalizeAddress(socket.remoteAddress ?? '');
  while (client !== undefined && forwardedAddresses.length > 0 && isTrusted(client, trustedProxies)) {
    const previous = normalizeAddress(forwardedAddresses.pop() ?? '');
    if (previous === undefined) break;
    client = previous;
  }
  return client === undefined ? '' : getSiteNetwork(client);
}

function isTrusted(address: string, trustedProxies: BlockList): boolean {
  return trustedProxies.check(address, isIP(address) === 4 ? 'ipv4' : 'ipv6');
}

/**
 * The address in a uniform format; undefined if the text contains none. Some proxies add a port, and brackets around
 * IPv6. Sockets write IPv4 addresses as IPv6 (`::ffff:10.0.0.1`), and add zones (`%eth0`).
 */
function normalizeAddress(text: string): string | undefined {
  const bareAddress = text
    .trim()
    .replace(/^\[([^\]]*)\](?::\d+)?$/, '$1')
    .replace(/^([\d.]+):\d+$/, '$1')
    .replace(/%.*$/, '');
  if (isIP(bareAddress) !== 6) return isIP(bareAddress) === 4 ? bareAddress : undefined;
  const { address } = new SocketAddress({ address: bareAddress, family: 'ipv6' });
  return /^::ffff:([\d.]+)$/.exec(address)?.[1] ?? address;
}

/**
 * Returns an IPv4 address unchanged, and the /48 network of an IPv6 address. A single site can be assigned a whole /48
 * (RFC 6177) and can use any address in it.
 */
function getSiteNetwork(address: string): string {
  if (isIP(address) === 4) return address;
  const [leftGroups = [], rightGroups = []] = address
    .split('::')
    .map((side) => side.split(':').filter((group) => group !== ''));
  const zeros = Array<string>(8 - leftGroups.length - rightGroups.length).fill('0');
  return `${[...leftGroups, ...zeros, ...rightGroups].slice(0, 3).join(':')}::/48`;
}
