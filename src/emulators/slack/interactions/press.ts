import { findElement } from '../blocks/list-elements.ts';
import { addDefaults } from '../blocks/returned-blocks.ts';
import type { Answer } from '../deliver/courier.ts';
import { type Json, recordIn } from '../json.ts';
import type { Container, ElementState, ViewValues } from '../protocol.ts';
import { Refusal } from '../refusal.ts';
import type { Site } from '../site.ts';
import { elementStateForApp } from '../state/view-object.ts';
import { sceneOf } from './container.ts';
import { failure } from './failure.ts';
import { interaction } from './payload-parts.ts';
import { stepPart } from './steps.ts';

/** Fields of an element that Slack repeats in the action. */
const REPEATED = ['text', 'value', 'style', 'confirm', 'accessibility_label', 'placeholder'] as const;

interface Press {
  container: Container;
  blockId: string;
  actionId: string;
  element: ElementState;
  values: ViewValues;
}

/** Refuses with the error to show when the app did not acknowledge. */
export function demandAcknowledged(answer: Answer): asserts answer is Answer & { kind: 'acknowledged' } {
  const failed = failure(answer);
  if (failed !== undefined) throw new Refusal(failed);
}

/** The pressed one of two feedback buttons, which have the same action_id. */
function pressedSide(element: Json, { value }: ElementState): Json | undefined {
  const sides = [recordIn(element, 'positive_button'), recordIn(element, 'negative_button')];
  return sides.find((side) => side !== undefined && side.value === value);
}

/** A press or a choice in a message, a modal or Home: `block_actions` to the app. */
export async function press(site: Site, person: string, pressed: Press): Promise<void> {
  const { blockId, actionId, element: state } = pressed;
  const values: ViewValues =
    state.type === 'button' || state.type === 'overflow'
      ? pressed.values
      : { ...pressed.values, [blockId]: { ...pressed.values[blockId], [actionId]: state } };
  const scene = sceneOf(site, person, pressed.container, { blockId, values });
  const placed = findElement(scene.blocks, blockId, actionId);
  // The app has changed what it shows meanwhile: no fault of the modal, which is still open.
  if (!placed) throw new Refusal('element_not_found');
  const element = pressedSide(placed.element, state) ?? placed.element;
  const repeated = Object.fromEntries(
    REPEATED.flatMap((key) => (key in element ? [[key, addDefaults(element[key])]] : [])),
  );
  const trigger = site.triggers.make(person, scene.viewId);
  const payload = {
    ...interaction(site, 'block_actions', person, scene.viewId !== undefined),
    ...scene.fields,
    trigger_id: trigger,
    ...stepPart(site, person, { run: scene.run, pointer: trigger, isForm: false }),
    ...(scene.responseUrl ? { response_url: scene.responseUrl() } : {}),
    actions: [
      {
        ...repeated,
        ...elementStateForApp(site, state),
        type: placed.type,
        action_id: actionId,
        block_id: blockId,
        action_ts: (site.now() / 1000).toFixed(6),
      },
    ],
  };
  const answer = await site.courier.deliver(
    { kind: 'block_actions', label: actionId },
    { type: 'interactive', payload, acceptsResponse: false },
  );
  demandAcknowledged(answer);
}
