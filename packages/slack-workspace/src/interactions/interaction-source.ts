import { computeValues } from '../blocks/element-values.ts';
import { listMessageBlocks } from '../blocks/list-elements.ts';
import { getRecords, type Json } from '../json.ts';
import type { Container, ViewValues } from '../protocol.ts';
import { Refusal } from '../refusal.ts';
import type { Site } from '../site.ts';
import { findChannel } from '../state/directory.ts';
import { findHome, storeHomeValues } from '../state/home-tabs.ts';
import { findMessage } from '../state/messages.ts';
import { getModalStack, storeValues } from '../state/modals.ts';
import { makeResponseUrl } from '../state/response-urls.ts';
import type { StoredMessage } from '../state/saved-state.ts';
import { buildViewObject, formatState } from '../state/view-object.ts';
import { buildMessageObject } from './message-object.ts';
import { buildChannelPart } from './payload-parts.ts';

/** The message or view of an interaction. */
interface InteractionSource {
  blocks: readonly Json[];
  /** Payload fields: `container`, and `view` or `channel`, `message` and `state`. */
  fields: Json;
  viewId: string | undefined;
  /** The run of the step that made the message or view. */
  run: string | undefined;
  /** Makes a response_url, which only messages have. Each one is stored, so it is made only when needed. */
  makeResponseUrl: (() => string) | undefined;
}

function findViewSource(
  site: Site,
  person: string,
  viewId: string | undefined,
  values: ViewValues,
): InteractionSource {
  const found =
    viewId === undefined
      ? findHome(site, person)
      : getModalStack(site, person).find((entry) => entry.id === viewId);
  if (!found) throw new Refusal('not_found');
  const stored =
    viewId === undefined ? storeHomeValues(site, found, values) : storeValues(site, found, values);
  return {
    blocks: getRecords(stored.view, 'blocks'),
    fields: { container: { type: 'view', view_id: stored.id }, view: buildViewObject(site, stored) },
    viewId: stored.id,
    run: stored.run,
    makeResponseUrl: undefined,
  };
}

/** The fields of a container for a block in an attachment (docs.slack.dev, "block_actions payload"). */
function buildAttachmentPart(message: StoredMessage, blockId: string): Json {
  const attachment = message.attachments?.find((entry) =>
    getRecords(entry, 'blocks').some((block) => block.block_id === blockId),
  );
  if (!attachment) return {};
  return {
    type: 'message_attachment',
    attachment_id: attachment.id,
    is_app_unfurl: attachment.is_app_unfurl === true,
  };
}

function findMessageSource(
  site: Site,
  person: string,
  at: { channel: string; ts: string },
  pressed: { blockId: string; values: ViewValues },
): InteractionSource {
  const channel = findChannel(site, at.channel);
  const message = channel && findMessage(site, channel.id, at.ts);
  if (!channel || !message || (message.ephemeralTo ?? person) !== person)
    throw new Refusal('message_not_found');
  const blocks = listMessageBlocks(message);
  const isEphemeral = message.ephemeralTo !== undefined;
  return {
    blocks,
    fields: {
      container: {
        type: 'message',
        message_ts: at.ts,
        channel_id: at.channel,
        is_ephemeral: isEphemeral,
        ...buildAttachmentPart(message, pressed.blockId),
        ...(message.threadTs === undefined ? {} : { thread_ts: message.threadTs }),
      },
      channel: buildChannelPart(channel),
      // Slack leaves out ephemeral messages.
      ...(isEphemeral ? {} : { message: buildMessageObject(site, message) }),
      state: formatState(site, computeValues(blocks, pressed.values)),
    },
    viewId: undefined,
    run: message.run,
    makeResponseUrl: () => makeResponseUrl(site, { channel: at.channel, person, ts: at.ts }),
  };
}

/**
 * Finds the message or view of an interaction, and stores the values of its inputs. Throws `not_found` or
 * `message_not_found` if this person doesn't see it any more.
 */
export function findSource(
  site: Site,
  person: string,
  container: Container,
  pressed: { blockId: string; values: ViewValues },
): InteractionSource {
  const { values } = pressed;
  switch (container.type) {
    case 'message':
      return findMessageSource(site, person, container, pressed);
    case 'view':
      return findViewSource(site, person, container.viewId, values);
    case 'home':
      return findViewSource(site, person, undefined, values);
  }
}
