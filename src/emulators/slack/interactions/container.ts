import { computeValues } from '../blocks/element-values.ts';
import { listMessageBlocks } from '../blocks/list-message-blocks.ts';
import { type Json, recordsIn } from '../json.ts';
import type { Container, ViewValues } from '../protocol.ts';
import { Refusal } from '../refusal.ts';
import type { Site } from '../site.ts';
import { findChannel } from '../state/directory.ts';
import { findHome, storeHomeValues } from '../state/home-tabs.ts';
import { findMessage } from '../state/messages.ts';
import { getModalStack, storeValues } from '../state/modals.ts';
import { makeResponseUrl } from '../state/response-urls.ts';
import type { StoredMessage } from '../state/saved-state.ts';
import { stateForApp, viewObject } from '../state/view-object.ts';
import { messagePart } from './message-part.ts';
import { channelPart } from './payload-parts.ts';

/** Where an interaction came from, as its payload says it. */
interface Scene {
  blocks: readonly Json[];
  /** `container`, and `view` or `channel`, `message` and `state`. */
  fields: Json;
  viewId: string | undefined;
  /** The run of a step that made it. */
  run: string | undefined;
  /** Only a message has one; made when asked, since each is remembered. */
  responseUrl: (() => string) | undefined;
}

function sceneOfView(site: Site, person: string, viewId: string | undefined, values: ViewValues): Scene {
  const open =
    viewId === undefined
      ? findHome(site, person)
      : getModalStack(site, person).find((entry) => entry.id === viewId);
  if (!open) throw new Refusal('not_found');
  const stored = viewId === undefined ? storeHomeValues(site, open, values) : storeValues(site, open, values);
  return {
    blocks: recordsIn(stored.view, 'blocks'),
    fields: { container: { type: 'view', view_id: stored.id }, view: viewObject(site, stored) },
    viewId: stored.id,
    run: stored.run,
    responseUrl: undefined,
  };
}

/** In which attachment a block is (docs.slack.dev, "block_actions payload"). */
function attachmentPart(message: StoredMessage, blockId: string): Json {
  const attachment = message.attachments?.find((one) =>
    recordsIn(one, 'blocks').some((block) => block.block_id === blockId),
  );
  if (!attachment) return {};
  return {
    type: 'message_attachment',
    attachment_id: attachment.id,
    is_app_unfurl: attachment.is_app_unfurl === true,
  };
}

function sceneOfMessage(
  site: Site,
  person: string,
  at: { channel: string; ts: string },
  pressed: { blockId: string; values: ViewValues },
): Scene {
  const channel = findChannel(site, at.channel);
  const message = channel && findMessage(site, channel.id, at.ts);
  if (!channel || !message || (message.ephemeralTo ?? person) !== person)
    throw new Refusal('message_not_found');
  const blocks = listMessageBlocks(message);
  const ephemeral = message.ephemeralTo !== undefined;
  return {
    blocks,
    fields: {
      container: {
        type: 'message',
        message_ts: at.ts,
        channel_id: at.channel,
        is_ephemeral: ephemeral,
        ...attachmentPart(message, pressed.blockId),
        ...(message.threadTs === undefined ? {} : { thread_ts: message.threadTs }),
      },
      channel: channelPart(channel),
      // Slack leaves the message out where only one person sees it.
      ...(ephemeral ? {} : { message: messagePart(site, message) }),
      state: stateForApp(site, computeValues(blocks, pressed.values)),
    },
    viewId: undefined,
    run: message.run,
    responseUrl: () => makeResponseUrl(site, { channel: at.channel, person, ts: at.ts }),
  };
}

/** Refuses with `not_found` or `message_not_found` where the place is no longer there for this person. */
export function sceneOf(
  site: Site,
  person: string,
  container: Container,
  pressed: { blockId: string; values: ViewValues },
): Scene {
  const { values } = pressed;
  switch (container.type) {
    case 'message':
      return sceneOfMessage(site, person, container, pressed);
    case 'view':
      return sceneOfView(site, person, container.viewId, values);
    case 'home':
      return sceneOfView(site, person, undefined, values);
  }
}
