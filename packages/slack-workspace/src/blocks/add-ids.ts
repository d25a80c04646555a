import { getRecords, isRecord, type Json } from '../json.ts';
import { makeShortId } from '../state/ids.ts';
import { CHILD_FIELDS, ELEMENT_FIELDS } from './element-values.ts';

const STATIC_TYPES = new Set(['image', 'plain_text', 'mrkdwn']);

function addActionId(element: unknown): unknown {
  if (!isRecord(element) || typeof element.type !== 'string' || STATIC_TYPES.has(element.type))
    return element;
  return { ...element, action_id: element.action_id ?? makeShortId() };
}

function addActionIds(block: Json): Json {
  const type = String(block.type);
  const children = CHILD_FIELDS[type];
  if (children !== undefined) return { ...block, [children]: addIds(getRecords(block, children)) };
  const field = ELEMENT_FIELDS[type];
  const value = field === undefined ? undefined : block[field];
  if (field === undefined || value === undefined) return block;
  return { ...block, [field]: Array.isArray(value) ? value.map(addActionId) : addActionId(value) };
}

/** Adds random ids wherever the app has set none, as Slack does. They are new in each update of a view. */
export function addIds(blocks: readonly Json[]): Json[] {
  return blocks.map((block) => ({ ...addActionIds(block), block_id: block.block_id ?? makeShortId() }));
}
