import { findElement } from '../blocks/list-elements.ts';
import { addDefaults } from '../blocks/returned-blocks.ts';
import { type Answer, getDeliveryError } from '../deliver/app-connection.ts';
import { getRecord, type Json } from '../json.ts';
import type { Container, ElementState, ViewValues } from '../protocol.ts';
import { Refusal } from '../refusal.ts';
import type { Site } from '../site.ts';
import { formatElementState } from '../state/view-object.ts';
import { findSource } from './interaction-source.ts';
import { buildInteractionPart } from './payload-parts.ts';
import { buildStepPart } from './run-step.ts';

/** Fields of an element that its action contains too. */
const REPEATED_FIELDS = ['text', 'value', 'style', 'confirm', 'accessibility_label', 'placeholder'] as const;

interface PressRequest {
  container: Container;
  blockId: string;
  actionId: string;
  element: ElementState;
  values: ViewValues;
}

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

/**
 * Sends `block_actions` to the app, for a press or a choice in a message, a modal or Home. Rejects if the app didn't
 * acknowledge.
 */
export async function pressElement(site: Site, person: string, request: PressRequest): Promise<void> {
  const { blockId, actionId, element: state } = request;
  const values: ViewValues =
    state.type === 'button' || state.type === 'overflow'
      ? request.values
      : { ...request.values, [blockId]: { ...request.values[blockId], [actionId]: state } };
  const source = findSource(site, person, request.container, { blockId, values });
  const placed = findElement(source.blocks, blockId, actionId);
  // The app has changed its message or view in the meantime.
  if (!placed) throw new Refusal('element_not_found');
  const element = findPressedButton(placed.element, state) ?? placed.element;
  const repeated = Object.fromEntries(
    REPEATED_FIELDS.flatMap((key) => (key in element ? [[key, addDefaults(element[key])]] : [])),
  );
  const triggerId = site.triggers.make(person, source.viewId);
  const payload = {
    ...buildInteractionPart(site, 'block_actions', person, source.viewId !== undefined),
    ...source.fields,
    trigger_id: triggerId,
    ...buildStepPart(site, person, { run: source.run, pointer: triggerId, isForm: false }),
    ...(source.makeResponseUrl ? { response_url: source.makeResponseUrl() } : {}),
    actions: [
      {
        ...repeated,
        ...formatElementState(site, state),
        type: placed.type,
        action_id: actionId,
        block_id: blockId,
        action_ts: (site.now() / 1000).toFixed(6),
      },
    ],
  };
  const answer = await site.connection.deliver(
    { kind: 'block_actions', label: actionId },
    { type: 'interactive', payload, acceptsResponse: false },
  );
  requireAcknowledged(answer);
}
