import type { KnownBlock, TextObject } from '@slack/types';
import { isRecord } from '../json.ts';

export type PageBlock = KnownBlock & { block_id?: string };

/**
 * Checks only the `type`, because the workspace accepts only valid blocks. An error while rendering a block affects
 * only that block.
 */
function isBlock(value: unknown): value is PageBlock {
  return isRecord(value) && typeof value.type === 'string';
}

export function readBlocks(value: unknown): PageBlock[] {
  return Array.isArray(value) ? value.filter(isBlock) : [];
}

export function isTextObject(value: unknown): value is TextObject {
  return (
    isRecord(value) &&
    typeof value.text === 'string' &&
    (value.type === 'plain_text' || value.type === 'mrkdwn')
  );
}

export function getActionId(element: { action_id?: string }) {
  return element.action_id ?? '';
}
