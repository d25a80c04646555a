import type { ActionsBlock, KnownBlock } from '@slack/types';
import type { Message } from './message.ts';

/** Returns the message with the value of each button converted. */
export function mapButtonValues(message: Message, convert: (value: string) => string): Message {
  const { blocks } = message;
  return blocks ? { ...message, blocks: blocks.map((block) => mapBlock(block, convert)) } : message;
}

function mapBlock(block: KnownBlock, convert: (value: string) => string): KnownBlock {
  if (block.type === 'actions') {
    return { ...block, elements: block.elements.map((element) => mapElement(element, convert)) };
  }
  if (block.type !== 'section' || !block.accessory) return block;
  return { ...block, accessory: mapElement(block.accessory, convert) };
}

function mapElement<Element extends { type: string }>(
  element: Element,
  convert: (value: string) => string,
): Element {
  const value = 'value' in element ? element.value : undefined;
  return element.type === 'button' && typeof value === 'string'
    ? { ...element, value: convert(value) }
    : element;
}

/** Returns the message without the buttons that the actor may not press. */
export function filterButtons(message: Message, mayPress: (actionId: string) => boolean): Message {
  const { blocks } = message;
  return blocks ? { ...message, blocks: blocks.flatMap((block) => filterBlock(block, mayPress)) } : message;
}

function filterBlock(block: KnownBlock, mayPress: (actionId: string) => boolean): KnownBlock[] {
  if (block.type === 'actions') {
    const elements = block.elements.filter((element) => isAllowed(element, mayPress));
    if (elements.length === block.elements.length) return [block];
    const remainingBlock: ActionsBlock = { ...block, elements };
    return elements.length > 0 ? [remainingBlock] : [];
  }
  if (block.type !== 'section' || !block.accessory || isAllowed(block.accessory, mayPress)) return [block];
  const { accessory: _, ...rest } = block;
  return [rest];
}

function isAllowed(element: object, mayPress: (actionId: string) => boolean): boolean {
  const id = 'action_id' in element ? element.action_id : undefined;
  return typeof id !== 'string' || mayPress(id);
}
