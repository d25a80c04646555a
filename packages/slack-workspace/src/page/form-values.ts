import type {
  ActionsBlockElement,
  ContextActionsBlockElement,
  InputBlockElement,
  SectionBlockAccessory,
} from '@slack/types';
import type { ElementState, ViewValues } from '../protocol.ts';
import { getNestedId } from './blocks/nested-id.ts';
import { getActionId, getBlockId, type PageBlock } from './slack-json.ts';

export type FormElement =
  | ActionsBlockElement
  | ContextActionsBlockElement
  | InputBlockElement
  | SectionBlockAccessory;

/** All elements of the blocks, including those in containers. */
function listElements(
  blocks: readonly PageBlock[],
): { blockId: string; actionId: string; element: FormElement; block: PageBlock }[] {
  return blocks.flatMap((block, index) => listBlockElements(block, getBlockId(block, index)));
}

function listBlockElements(block: PageBlock, blockId: string): ReturnType<typeof listElements> {
  const elements = readElements(block).map((element) => ({
    blockId,
    actionId: getActionId(element),
    element,
    block,
  }));
  const inner = block.type === 'container' ? block.child_blocks : [];
  return [
    ...elements,
    ...inner.flatMap((child, index) => listBlockElements(child, getNestedId(child, blockId, index))),
  ];
}

function readElements(block: PageBlock): FormElement[] {
  if (block.type === 'input') return [block.element];
  if (block.type === 'actions') return block.elements;
  if (block.type === 'section' && block.accessory !== undefined) return [block.accessory];
  return [];
}

/**
 * The values of all elements. An element keeps its previous state if its block_id, action_id and type are unchanged.
 * Otherwise its initial value applies, as in Slack.
 */
export function computeValues(blocks: readonly PageBlock[], previous: ViewValues = {}): ViewValues {
  const values: ViewValues = {};
  for (const { blockId, actionId, element } of listElements(blocks)) {
    const previousState = previous[blockId]?.[actionId];
    const state = previousState?.type === element.type ? previousState : createInitialState(element);
    if (state !== undefined) values[blockId] = { ...values[blockId], [actionId]: state };
  }
  return values;
}

function createInitialState(element: FormElement): ElementState | undefined {
  const { type } = element;
  switch (element.type) {
    case 'plain_text_input':
    case 'email_text_input':
    case 'url_text_input':
    case 'number_input':
      return { type, value: element.initial_value ?? null };
    case 'rich_text_input':
      return { type, rich_text_value: element.initial_value ?? null };
    case 'file_input':
      return { type, files: [] };
    case 'static_select':
    case 'external_select':
    case 'radio_buttons':
      return { type, selected_option: element.initial_option ?? null };
    case 'multi_static_select':
    case 'multi_external_select':
    case 'checkboxes':
      return { type, selected_options: element.initial_options ?? [] };
    case 'users_select':
      return { type, selected_user: element.initial_user ?? null };
    case 'conversations_select':
      return { type, selected_conversation: element.initial_conversation ?? null };
    case 'channels_select':
      return { type, selected_channel: element.initial_channel ?? null };
    case 'multi_users_select':
      return { type, selected_users: element.initial_users ?? [] };
    case 'multi_conversations_select':
      return { type, selected_conversations: element.initial_conversations ?? [] };
    case 'multi_channels_select':
      return { type, selected_channels: element.initial_channels ?? [] };
    case 'datepicker':
      return { type, selected_date: element.initial_date ?? null };
    case 'timepicker':
      return { type, selected_time: element.initial_time ?? null };
    case 'datetimepicker':
      return { type, selected_date_time: element.initial_date_time ?? null };
    default:
      return undefined;
  }
}
