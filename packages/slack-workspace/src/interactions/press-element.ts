import { computeValues, findElement, listMessageBlocks, mergeValues } from '../blocks/element-values.ts';
import { addDefaults } from '../blocks/returned-text.ts';
import { type Answer, getDeliveryError } from '../deliver/app-connection.ts';
import { getRecord, getRecords, type Json } from '../json.ts';
import type { PageRequest } from '../page-request.ts';
import type { Container, ElementState, ViewValues } from '../protocol.ts';
import { Refusal } from '../refusal.ts';
import type { Site } from '../site.ts';
import { findChannel } from '../state/directory.ts';
import { findMessage, takeNextTs } from '../state/messages.ts';
import type { StoredMessage } from '../state/saved-state.ts';
import { makeResponseUrl, makeTrigger } from '../state/triggers-and-response-urls.ts';
import {
  buildViewObject,
  findHome,
  formatElementState,
  formatState,
  getModalStack,
  storeValues,
} from '../state/views.ts';
import { makeWordSet } from '../words.ts';
import { buildMessageObject } from './message-object.ts';
import { buildChannelPart, buildInteractionPart } from './payloads.ts';
import { buildStepPart } from './run-step.ts';

/** Fields of an element that its action contains too. */
const REPEATED_FIELDS = makeWordSet('text value style confirm accessibility_label placeholder');

type PressRequest = Extract<PageRequest, { act: 'press' }>;

/** Throws the error for the person if the app didn't acknowledge. */
export function requireAcknowledged(answer: Answer): asserts answer is Answer & { kind: 'acknowledged' } {
  const error = getDeliveryError(answer);
  if (error !== undefined) throw new Refusal(error);
}

/** Finds the pressed one of two feedback buttons, which have the same action_id. */
function findPressedButton(element: Json, { value }: ElementState): Json | undefined {
  const buttons = [getRecord(element, 'positive_button'), getRecord(element, 'negative_button')];
  return buttons.find((button) => button !== undefined && button.value === value);
}

/** Sends `block_actions` to the app. Rejects if it didn't acknowledge. */
export async function pressElement(site: Site, person: string, request: PressRequest): Promise<void> {
  const { blockId, actionId, element: state } = request;
  const values: ViewValues =
    state.type === 'button' || state.type === 'overflow'
      ? request.values
      : mergeValues(request.values, { [blockId]: { [actionId]: state } });
  const source = findSource(site, person, request.container, { blockId, values });
  const placed = findElement(source.blocks, blockId, actionId);
  // The app has changed its message or view in the meantime.
  if (!placed) throw new Refusal('element_not_found');
  const element = findPressedButton(placed.element, state) ?? placed.element;
  const repeated = Object.entries(addDefaults(element)).filter(([key]) => REPEATED_FIELDS.has(key));
  const triggerId = makeTrigger(site, person, source.viewId);
  const payload = {
    ...buildInteractionPart(site, 'block_actions', person, source.viewId !== undefined),
    ...source.fields,
    trigger_id: triggerId,
    ...buildStepPart(site, person, { run: source.run, pointer: triggerId, isForm: false }),
    ...(source.makeResponseUrl ? { response_url: source.makeResponseUrl() } : {}),
    actions: [
      {
        ...Object.fromEntries(repeated),
        ...formatElementState(site, state),
        type: placed.type,
        action_id: actionId,
        block_id: blockId,
        action_ts: takeNextTs(site),
      },
    ],
  };
  requireAcknowledged(await site.connection.deliver(actionId, { type: 'interactive', payload }));
}

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
  const stored = storeValues(site, found, values);
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
