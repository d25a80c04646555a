import type { Delivery } from './deliver/delivery.ts';
import { HttpDelivery } from './deliver/http-delivery.ts';
import { SocketDelivery } from './deliver/socket-delivery.ts';
import type { WorkspaceOptions } from './workspace-options.ts';

/** The way to the app; in Socket Mode the sockets too, which have to be let in. `changed`: it connects or leaves. */
export function openWire(
  to: NonNullable<WorkspaceOptions['delivery']>,
  about: { appId: string; signingSecret: string; now: () => number; changed: () => void },
): { sockets: SocketDelivery | undefined; wire: Delivery } {
  if (to.kind === 'http') return { sockets: undefined, wire: new HttpDelivery({ url: to.url, ...about }) };
  const sockets = new SocketDelivery(about.appId, about.changed);
  return { sockets, wire: sockets };
}
