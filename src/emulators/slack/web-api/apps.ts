import { Refusal } from '../refusal.ts';
import type { MethodEntry } from './methods.ts';

/** `apps.connections.open`: the address of a socket, with a ticket for one use. */
const connectionsOpen: MethodEntry = {
  token: 'app',
  tier: 3,
  scopes: [],
  run: ({ site }) => {
    if (!site.sockets) throw new Refusal('socket_mode_not_enabled');
    return { url: `${site.url.replace('http:', 'ws:')}/link?ticket=${site.sockets.createTicket()}` };
  },
};

/** Methods of Socket Mode. */
export const SOCKET_METHODS: ReadonlyMap<string, MethodEntry> = new Map([
  ['apps.connections.open', connectionsOpen],
]);
