import { isRecord, type Json, recordsIn } from '../json.ts';
import { makeShortId } from '../state/ids.ts';

const PLAIN = new Set(['image', 'plain_text', 'mrkdwn']);

function withActionId(element: unknown): unknown {
  if (!isRecord(element) || typeof element.type !== 'string' || PLAIN.has(element.type)) return element;
  return { ...element, action_id: element.action_id ?? makeShortId() };
}

function withActionIds(block: Json): Json {
  switch (block.type) {
    case 'input':
      return { ...block, element: withActionId(block.element) };
    case 'section':
      return 'accessory' in block ? { ...block, accessory: withActionId(block.accessory) } : block;
    case 'actions':
    case 'context_actions':
      return Array.isArray(block.elements) ? { ...block, elements: block.elements.map(withActionId) } : block;
    case 'card':
      return Array.isArray(block.actions) ? { ...block, actions: block.actions.map(withActionId) } : block;
    case 'carousel':
      return { ...block, elements: withIds(recordsIn(block, 'elements')) };
    case 'container':
      return { ...block, child_blocks: withIds(recordsIn(block, 'child_blocks')) };
    default:
      return block;
  }
}

/**
 * Blocks as Slack stores them: a block_id or action_id that the app left out is drawn anew each time. That is why
 * `views.update` forgets what was typed into a block without a block_id.
 */
export function withIds(blocks: readonly Json[]): Json[] {
  return blocks.map((block) => ({ ...withActionIds(block), block_id: block.block_id ?? makeShortId() }));
}
