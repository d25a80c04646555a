import type { KnownBlock } from '@slack/types';
import type { Message } from './message.ts';

/** The same message, each button with what `change` makes of its value. */
export function withValues(message: Message, change: (value: string) => string): Message {
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
