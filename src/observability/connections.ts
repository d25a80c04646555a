import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { identifyClient, isProxy, parseProxies, readPeerAddress, setClient } from '../clients.ts';
import { createPlaces } from '../places.ts';

/** Open connections whose clients aren't verified. Proxies and scrapers use a few dozen, and each takes 45 KB. */
const MAX_CONNECTIONS = 1_000;
/**
 * Open connections whose latest request was signed by Slack. Beyond this number of all connections, the server accepts
 * none. Nobody but Slack and your proxies can reach it.
 */
const MAX_VERIFIED_CONNECTIONS = 2_000;

interface Connection {
  place?: ReturnType<ReturnType<typeof createPlaces>['enter']> | undefined;
  key: string | object;
  /** The latest request. */
  exchange?: { request: IncomingMessage; response: ServerResponse };
}

/**
 * Limits the connections of clients. New ones are always accepted: if there are too many, the address with the most of
 * them loses the oldest that is idle. A connection is idle while it waits for its client: for the rest of a head or
 * body, for the client to read a whole answer, or for the next request.
 *
 * A connection of a trusted proxy counts against nobody until a request names the client, and again after its answer.
 * That of a signed request doesn't count until its next request.
 *
 * Call the returned function at the beginning of each request. It reports whether the request can be handled, and
 * sets its client.
 */
export function limitConnections(
  server: Server,
  options: { trustedProxies?: readonly string[]; maxConnections?: number },
): (request: IncomingMessage, response: ServerResponse) => boolean {
  const { maxConnections = MAX_CONNECTIONS } = options;
  const trustedProxies = parseProxies(options.trustedProxies ?? []);
  const places = createPlaces(maxConnections);
  const connections = new WeakMap<Socket, Connection>();
  server.maxConnections = maxConnections + MAX_VERIFIED_CONNECTIONS;

  function count(socket: Socket, connection: Connection, key: string | object): void {
    if (connection.place && connection.key === key) return;
    connection.place?.leave();
    connection.key = key;
    connection.place = places.enter({
      keys: [key],
      isIdle: () => isIdle(connection),
      evict: () => socket.destroy(),
    });
  }

  server.on('connection', (socket) => {
    const connection: Connection = { key: socket };
    connections.set(socket, connection);
    count(socket, connection, isProxy(socket, trustedProxies) ? socket : readPeerAddress(socket));
    socket.once('close', () => connection.place?.leave());
  });

  return (request, response) => {
    const { socket } = request;
    const connection = connections.get(socket);
    if (!connection || socket.destroyed) return false;
    connection.exchange = { request, response };
    const address = identifyClient(request, trustedProxies);
    count(socket, connection, address);
    setClient(request, {
      address,
      verify: () => {
        connection.place?.leave();
        connection.place = undefined;
      },
    });
    if (isProxy(socket, trustedProxies))
      response.once('close', () => {
        if (connection.place && !socket.destroyed) count(socket, connection, socket);
      });
    return !socket.destroyed;
  };
}

function isIdle({ exchange }: Connection): boolean {
  return !exchange?.request.complete || exchange.response.writableEnded;
}
