import type { SocketDelivery } from '../deliver/socket-delivery.ts';
import { Refusal } from '../refusal.ts';
import type { MethodEntry } from './methods.ts';

/** `apps.connections.open`: the address of a socket, with a ticket for one use. */
export function connectionsOpen(sockets: SocketDelivery | undefined): ReadonlyMap<string, MethodEntry> {
  const entry: MethodEntry = {
    token: 'app',
    tier: 3,
    scopes: [],
    run: ({ site }) => {
      if (!sockets) throw new Refusal('socket_mode_not_enabled');
      return { url: `${site.url.replace('http:', 'ws:')}/link?ticket=${sockets.createTicket()}` };
    },
  };
  return new Map([['apps.connections.open', entry]]);
}
