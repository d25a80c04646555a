import type { Json } from '../json.ts';
import type { ElementState, ViewValues } from '../protocol.ts';
import { elementsOf } from './elements-of.ts';

/**
 * Element type → the field of its state, the field of its first value, what stands there when it is empty.
 * Types that are not here (buttons, overflow) have no state.
 */
const STATES: Record<string, readonly [field: string, initial: string, empty: null | readonly []]> = {
  plain_text_input: ['value', 'initial_value', null],
  email_text_input: ['value', 'initial_value', null],
  url_text_input: ['value', 'initial_value', null],
  number_input: ['value', 'initial_value', null],
  rich_text_input: ['rich_text_value', 'initial_value', null],
  static_select: ['selected_option', 'initial_option', null],
  external_select: ['selected_option', 'initial_option', null],
  radio_buttons: ['selected_option', 'initial_option', null],
  multi_static_select: ['selected_options', 'initial_options', []],
  multi_external_select: ['selected_options', 'initial_options', []],
  checkboxes: ['selected_options', 'initial_options', []],
  users_select: ['selected_user', 'initial_user', null],
  multi_users_select: ['selected_users', 'initial_users', []],
  conversations_select: ['selected_conversation', 'initial_conversation', null],
  multi_conversations_select: ['selected_conversations', 'initial_conversations', []],
  channels_select: ['selected_channel', 'initial_channel', null],
  multi_channels_select: ['selected_channels', 'initial_channels', []],
  datepicker: ['selected_date', 'initial_date', null],
  timepicker: ['selected_time', 'initial_time', null],
  datetimepicker: ['selected_date_time', 'initial_date_time', null],
  file_input: ['files', 'initial_files', []],
};

/** The field in which an element of this type keeps its state; undefined where it keeps none. */
export function stateField(type: string): string | undefined {
  return STATES[type]?.[0];
}

export function isEmptyState(state: ElementState): boolean {
  const field = stateField(state.type);
  const value = field === undefined ? undefined : state[field];
  return (
    value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0)
  );
}

/** As an app sees it before anybody touches it. */
function firstState(element: Json): ElementState | undefined {
  const type = String(element.type);
  const entry = STATES[type];
  if (!entry) return undefined;
  const [field, initial, empty] = entry;
  return { type, [field]: element[initial] ?? empty };
}

/** Slack sends an emptied field as null, never as an empty string. */
function normal(state: ElementState): ElementState {
  return state.value === '' ? { ...state, value: null } : state;
}

/**
 * `view.state.values` of these blocks: what was given where block_id, action_id and type are still there, else the
 * element's first value. An `initial_value` therefore counts only where an id is new (bolt-js #290, #1073, #1258).
 */
export function valuesOf(blocks: readonly Json[], given: ViewValues): ViewValues {
  const values: ViewValues = {};
  for (const { element, type, blockId, actionId } of elementsOf(blocks)) {
    const first = firstState(element);
    if (!first) continue;
    const kept = given[blockId]?.[actionId];
    values[blockId] = { ...values[blockId], [actionId]: kept?.type === type ? normal(kept) : first };
  }
  return values;
}
