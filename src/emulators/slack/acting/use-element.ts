import { stateField } from '../blocks/element-state.ts';
import type { PlacedElement } from '../blocks/elements-of.ts';
import { act } from '../interactions/act.ts';
import { recordIn, stringsIn } from '../json.ts';
import type { ElementState } from '../protocol.ts';
import { elementNamed, isButton, type Place, pressedState } from './place.ts';

/** Gives an element its new state, and tells the app where a client would. */
export type SetState = (placed: PlacedElement, state: ElementState) => Promise<void>;

function readAs(type: string, text: string): unknown {
  if (text === '') return null;
  return type === 'datetimepicker' ? Math.floor(Date.parse(text) / 1000) : text;
}

/** Writes into a field: text, a number, `2026-12-01`, `09:00`, for datetimepicker an ISO moment. */
export async function fill(place: Place, set: SetState, label: string, text: string): Promise<void> {
  const placed = elementNamed(place, label, (one) => !isButton(one));
  const field = stateField(placed.type);
  if (field === undefined || field.startsWith('selected_option')) {
    throw new Error(`“${label}” in ${place.name} is a ${placed.type}: nobody can write into it`);
  }
  await set(placed, { type: placed.type, [field]: readAs(placed.type, text) });
}

/** A choice by hand always dispatches outside an input block; inside, where the block says so. */
export function dispatches({ block, element, input, type }: PlacedElement): boolean {
  if (!input) return true;
  if (block.dispatch_action !== true) return false;
  if (!type.endsWith('_input')) return true;
  const config = recordIn(element, 'dispatch_action_config');
  return config !== undefined && stringsIn(config, 'trigger_actions_on').includes('on_character_entered');
}

/** Presses a button; resolves when the app has acknowledged. */
export async function pressButton(place: Place, name: string): Promise<void> {
  const placed = elementNamed(place, name, isButton);
  await dispatch(place, placed, pressedState(placed, name));
}

export async function dispatch(place: Place, placed: PlacedElement, element: ElementState): Promise<void> {
  const { blockId, actionId } = placed;
  await act(place.site, place.person.id, {
    id: 0,
    act: 'press',
    container: place.container,
    blockId,
    actionId,
    element,
    values: place.values(),
  });
}
