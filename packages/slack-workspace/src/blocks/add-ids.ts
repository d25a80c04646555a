import { getRecords, isRecord, type Json } from '../json.ts';
import { makeShortId } from '../state/ids.ts';

const STATIC_TYPES = new Set(['image', 'plain_text', 'mrkdwn']);

function addActionId(element: unknown): unknown {
  if (!isRecord(element) || typeof element.type !== 'string' || STATIC_TYPES.has(element.type))
    return element;
  return { ...element, action_id: element.action_id ?? makeShortId() };
}

function addActionIds(block: Json): Json {
  switch (block.type) {
    case 'input':
      return { ...block, element: addActionId(block.element) };
    case 'section':
      return 'accessory' in block ? { ...block, accessory: addActionId(block.accessory) } : block;
    case 'actions':
    case 'context_actions':
      return Array.isArray(block.elements) ? { ...block, elements: block.elements.map(addActionId) } : block;
    case 'card':
      return Array.isArray(block.actions) ? { ...block, actions: block.actions.map(addActionId) } : block;
    case 'carousel':
      return { ...block, elements: addIds(getRecords(block, 'elements')) };
    case 'container':
      return { ...block, child_blocks: addIds(getRecords(block, 'child_blocks')) };
    default:
      return block;
  }
}

/**
 * Adds a random block_id and action_id wherever the app has set none, as Slack does. The ids are new in each update of
 * a view, so a block without its own block_id loses its typed text.
 */
export function addIds(blocks: readonly Json[]): Json[] {
  return blocks.map((block) => ({ ...addActionIds(block), block_id: block.block_id ?? makeShortId() }));
}
