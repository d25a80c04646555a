import type { Delivery } from './deliver/delivery.ts';
import { HttpDelivery } from './deliver/http-delivery.ts';
import { SocketDelivery } from './deliver/socket-delivery.ts';
import type { WorkspaceOptions } from './workspace-options.ts';

/**
 * Opens the delivery to an app. In Socket Mode, `sockets` accepts the app's connections. `onChange` is called when the
 * app connects or disconnects.
 */
export function openDelivery(
  to: NonNullable<WorkspaceOptions['delivery']>,
  about: { appId: string; signingSecret: string; now: () => number; onChange: () => void },
): { sockets: SocketDelivery | undefined; wire: Delivery } {
  if (to.kind === 'http') return { sockets: undefined, wire: new HttpDelivery({ url: to.url, ...about }) };
  const sockets = new SocketDelivery(about.appId, about.onChange);
  return { sockets, wire: sockets };
}
