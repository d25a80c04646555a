import { getRecords, getString, isRecord, type Json } from '../json.ts';
import type { ElementState, ViewValues } from '../protocol.ts';

/** Element type → the fields of its value and initial value, and the empty value. Buttons have no state. */
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
export const getStateField = (type: string): string | undefined => STATE_FIELDS[type]?.[0];

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

/** Replaces the states of the changed elements. */
export function mergeValues(values: ViewValues, changed: ViewValues): ViewValues {
  const merged = { ...values };
  for (const [blockId, states] of Object.entries(changed))
    merged[blockId] = { ...merged[blockId], ...states };
  return merged;
}

export interface InteractiveElement {
  block: Json;
  element: Json;
  type: string;
  blockId: string;
  actionId: string;
  /** Whether the block is an input block. Slack shows errors only in input blocks. */
  isInput: boolean;
}

/** Block type → the field with its element or elements. */
export const ELEMENT_FIELDS: Readonly<Record<string, string>> = {
  input: 'element',
  section: 'accessory',
  actions: 'elements',
  context_actions: 'elements',
  card: 'actions',
};

/** Block type → the field with the blocks in it. */
export const CHILD_FIELDS: Readonly<Record<string, string>> = {
  carousel: 'elements',
  container: 'child_blocks',
};

/** Every element with an action_id, in reading order. */
export function listElements(blocks: readonly Json[]): InteractiveElement[] {
  return locateBlocks(blocks, '').flatMap(({ block }) =>
    [block[ELEMENT_FIELDS[String(block.type)] ?? '']]
      .flat()
      .filter(isRecord)
      .flatMap((element) => {
        const actionId = getString(element, 'action_id');
        const type = getString(element, 'type');
        const blockId = getString(block, 'block_id');
        if (actionId === undefined || type === undefined || blockId === undefined) return [];
        return [{ block, element, type, blockId, actionId, isInput: block.type === 'input' }];
      }),
  );
}

/** The options of an element or of an app's answer, also those in groups. */
export function listOptions(holder: Json): Json[] {
  return [holder, ...getRecords(holder, 'option_groups')].flatMap((list) => getRecords(list, 'options'));
}

export function findElement(
  blocks: readonly Json[],
  blockId: string,
  actionId: string,
): InteractiveElement | undefined {
  return listElements(blocks).find((placed) => placed.blockId === blockId && placed.actionId === actionId);
}

/** All blocks with their JSON pointers in reading order, including those in containers and carousels. */
export function locateBlocks(blocks: readonly Json[], pointer: string): { block: Json; pointer: string }[] {
  return blocks.flatMap((block, index) => {
    const own = { block, pointer: `${pointer}/${index}` };
    const field = CHILD_FIELDS[String(block.type)];
    if (field === undefined) return [own];
    return [own, ...locateBlocks(getRecords(block, field), `${own.pointer}/${field}`)];
  });
}

/** All blocks of a message, including those in its attachments. */
export function listMessageBlocks(message: { blocks?: unknown[]; attachments?: readonly Json[] }): Json[] {
  return [
    ...getRecords({ blocks: message.blocks }, 'blocks'),
    ...(message.attachments ?? []).flatMap((attachment) => getRecords(attachment, 'blocks')),
  ];
}
