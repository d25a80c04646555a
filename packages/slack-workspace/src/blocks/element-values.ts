import type { Json } from '../json.ts';
import type { ElementState, ViewValues } from '../protocol.ts';
import { listElements } from './list-elements.ts';

/**
 * Element type → the field of its value in the state, the field of its initial value in the element, and the empty
 * value. Buttons and overflow menus have no state.
 */
const STATE_FIELDS: Record<string, readonly [field: string, initial: string, empty: null | readonly []]> = {
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

/** The field of the value in the state of this element type. Undefined if the type has no state. */
export function getStateField(type: string): string | undefined {
  return STATE_FIELDS[type]?.[0];
}

export function isEmptyState(state: ElementState): boolean {
  const field = getStateField(state.type);
  const value = field === undefined ? undefined : state[field];
  return (
    value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0)
  );
}

function createInitialState(element: Json): ElementState | undefined {
  const type = String(element.type);
  const entry = STATE_FIELDS[type];
  if (!entry) return undefined;
  const [field, initial, empty] = entry;
  return { type, [field]: element[initial] ?? empty };
}

/** Slack sends null for a cleared text field, never an empty string. */
function normalizeState(state: ElementState): ElementState {
  return state.value === '' ? { ...state, value: null } : state;
}

/**
 * `view.state.values` of these blocks. An element keeps its previous state if its block_id, action_id and type are
 * unchanged. Otherwise its initial value applies (bolt-js #290, #1073, #1258).
 */
export function computeValues(blocks: readonly Json[], previous: ViewValues): ViewValues {
  const values: ViewValues = {};
  for (const { element, type, blockId, actionId } of listElements(blocks)) {
    const initial = createInitialState(element);
    if (!initial) continue;
    const state = previous[blockId]?.[actionId];
    values[blockId] = {
      ...values[blockId],
      [actionId]: state?.type === type ? normalizeState(state) : initial,
    };
  }
  return values;
}
