import { uninstallApp } from '../interactions/uninstall-app.ts';
import { Refusal } from '../refusal.ts';
import type { Method } from './call.ts';
import { requireClient } from './oauth.ts';

/** Returns the address of a Socket Mode connection. Its ticket works once. */
export const appsConnectionsOpen: Method = ({ site }) => {
  if (!site.sockets) throw new Refusal('socket_mode_not_enabled');
  return { url: `${site.url.replace('http:', 'ws:')}/link?ticket=${site.sockets.createTicket()}` };
};

/** Revokes all tokens of the installation. */
export const appsUninstall: Method = (call) => {
  requireClient(call);
  uninstallApp(call.site);
  return {};
};
