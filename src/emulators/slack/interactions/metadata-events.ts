import type { Json } from '../json.ts';
import type { Channel } from '../protocol.ts';
import type { Site } from '../site.ts';
import type { StoredMessage } from '../state/saved-state.ts';
import { makeEventTs, sendEvent } from './send-event.ts';

/** Whether the manifest subscribes to this metadata (docs.slack.dev, "Message metadata events"). */
function isSubscribed(site: Site, metadata: Json): boolean {
  return site.manifest.metadataSubscriptions.some(
    ({ appId, eventType }) =>
      (appId === '*' || appId === site.state.app.id) &&
      (eventType === '*' || eventType === metadata.event_type),
  );
}

function isSame(one: Json, other: Json): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/**
 * Notifies the app of added, changed or removed metadata. `before` is undefined for a new message, `after` for a
 * deleted one.
 */
export function sendMetadataEvent(
  site: Site,
  channel: Channel,
  { before, after }: { before?: StoredMessage | undefined; after?: StoredMessage | undefined },
): void {
  const [old, metadata, message] = [before?.metadata, after?.metadata, after ?? before];
  const { app, team } = site.state;
  const common = {
    app_id: app.id,
    bot_id: app.botId,
    user_id: message?.user,
    team_id: team.id,
    channel_id: channel.id,
    message_ts: message?.ts,
    event_ts: makeEventTs(site),
  };
  if (metadata && !isSubscribed(site, metadata)) return;
  if (metadata && old && !isSame(metadata, old)) {
    const event = { type: 'message_metadata_updated', ...common, previous_metadata: old, metadata };
    sendEvent(site, 'message_metadata_updated', event, { channel });
  } else if (metadata && !old) {
    const event = { type: 'message_metadata_posted', ...common, metadata };
    sendEvent(site, 'message_metadata_posted', event, { channel });
  } else if (old && !metadata && isSubscribed(site, old)) {
    const deleted = { previous_metadata: old, deleted_ts: makeEventTs(site) };
    const event = { type: 'message_metadata_deleted', ...common, ...deleted };
    sendEvent(site, 'message_metadata_deleted', event, { channel });
  }
}
