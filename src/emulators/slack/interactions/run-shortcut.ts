import { Refusal } from '../refusal.ts';
import type { Site } from '../site.ts';
import { findChannel } from '../state/directory.ts';
import { findMessage } from '../state/messages.ts';
import { makeResponseUrl } from '../state/response-urls.ts';
import { listShortcuts } from './available-commands.ts';
import { getDeliveryError } from './delivery-error.ts';
import { buildMessageObject } from './message-object.ts';
import { buildChannelPart, buildInteractionPart } from './payload-parts.ts';

/** Sends a shortcut from the + menu (`shortcut`) or from a message's menu (`message_action`) to the app. */
export async function runShortcut(
  site: Site,
  person: string,
  callbackId: string,
  on?: { channel: string; ts: string },
): Promise<void> {
  const type = on ? 'message' : 'global';
  const found = listShortcuts(site, person).find(
    (entry) => entry.callbackId === callbackId && entry.type === type,
  );
  if (!found) throw new Refusal('not_found');
  const channel = on && findChannel(site, on.channel);
  const message = on && channel && findMessage(site, channel.id, on.ts);
  if (on && (!channel || !message)) throw new Refusal('message_not_found');
  const kind = on ? 'message_action' : 'shortcut';
  const payload = {
    ...buildInteractionPart(site, kind, person),
    action_ts: (site.now() / 1000).toFixed(6),
    callback_id: callbackId,
    trigger_id: site.triggers.make(person),
    ...(channel && message
      ? {
          channel: buildChannelPart(channel),
          message_ts: message.ts,
          message: buildMessageObject(site, message),
          response_url: makeResponseUrl(site, { channel: channel.id, person }),
        }
      : {}),
  };
  const answer = await site.connection.deliver(
    { kind, label: callbackId },
    { type: 'interactive', payload, acceptsResponse: false },
  );
  const error = getDeliveryError(answer);
  if (error === undefined) return;
  site.audience.sendTo([person], { type: 'notice', text: `${found.name} failed with the error "${error}"` });
  throw new Refusal(error);
}
