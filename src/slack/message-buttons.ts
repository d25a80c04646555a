import type { ActionsBlock, KnownBlock } from '@slack/types';
import type { Message } from './message.ts';

/** The same message, each button with what `change` makes of its value. */
export function mapButtonValues(message: Message, change: (value: string) => string): Message {
  const { blocks } = message;
  return blocks ? { ...message, blocks: blocks.map((block) => changedBlock(block, change)) } : message;
}

function changedBlock(block: KnownBlock, change: (value: string) => string): KnownBlock {
  if (block.type === 'actions') {
    return { ...block, elements: block.elements.map((element) => changedElement(element, change)) };
  }
  if (block.type !== 'section' || !block.accessory) return block;
  return { ...block, accessory: changedElement(block.accessory, change) };
}

function changedElement<Element extends { type: string }>(
  element: Element,
  change: (value: string) => string,
): Element {
  const value = 'value' in element ? element.value : undefined;
  return element.type === 'button' && typeof value === 'string'
    ? { ...element, value: change(value) }
    : element;
}

/** What a person may not do is not offered: the same message without those buttons. */
export function filterButtons(message: Message, mayPress: (actionId: string) => boolean): Message {
  const { blocks } = message;
  return blocks ? { ...message, blocks: blocks.flatMap((block) => offeredBlock(block, mayPress)) } : message;
}

function offeredBlock(block: KnownBlock, mayPress: (actionId: string) => boolean): KnownBlock[] {
  if (block.type === 'actions') {
    const elements = block.elements.filter((element) => isOffered(element, mayPress));
    if (elements.length === block.elements.length) return [block];
    const rest: ActionsBlock = { ...block, elements };
    return elements.length > 0 ? [rest] : [];
  }
  if (block.type !== 'section' || !block.accessory || isOffered(block.accessory, mayPress)) return [block];
  const { accessory: _, ...rest } = block;
  return [rest];
}

function isOffered(element: object, mayPress: (actionId: string) => boolean): boolean {
  const id = 'action_id' in element ? element.action_id : undefined;
  return typeof id !== 'string' || mayPress(id);
}
