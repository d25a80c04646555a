import type { Delivery } from './deliver/delivery.ts';
import { HttpDelivery } from './deliver/http-delivery.ts';
import { SocketDelivery } from './deliver/socket-delivery.ts';
import { FaultyDelivery } from './faults/faulty-delivery.ts';
import { SlackFaults } from './faults/slack-faults.ts';
import type { WorkspaceOptions } from './workspace-options.ts';

/** The delivery to an app, with its faults. In Socket Mode, `sockets` accepts the app's WebSockets. */
interface OpenDelivery {
  delivery: Delivery;
  sockets: SocketDelivery | undefined;
  faults: SlackFaults;
}

/**
 * Opens the delivery to an app. `onChange` is called when the app connects or disconnects. The app checks signatures by
 * `now`, the computer's clock, which tests can't move.
 */
export function openDelivery(
  to: WorkspaceOptions['delivery'],
  about: { appId: string; signingSecret: string; now: () => number; onChange: () => void },
): OpenDelivery {
  const faults = new SlackFaults();
  if (to?.kind === 'http') {
    const http = new HttpDelivery({ url: to.url, ...about });
    return { faults, sockets: undefined, delivery: new FaultyDelivery(http, faults, about.now) };
  }
  const sockets = new SocketDelivery(about.appId, about.onChange);
  return { faults, sockets, delivery: new FaultyDelivery(sockets, faults, about.now) };
}
