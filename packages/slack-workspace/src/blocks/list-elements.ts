import { getRecord, getRecords, getString, type Json } from '../json.ts';

/** An interactive element and its block. */
export interface InteractiveElement {
  block: Json;
  element: Json;
  type: string;
  blockId: string;
  actionId: string;
  /** Whether the block is an input block. Slack shows errors only in input blocks. */
  isInput: boolean;
}

function readElements(block: Json): Json[] {
  switch (block.type) {
    case 'input':
      return [getRecord(block, 'element') ?? {}];
    case 'section':
      return [getRecord(block, 'accessory') ?? {}];
    case 'actions':
    case 'context_actions':
      return getRecords(block, 'elements');
    case 'card':
      return getRecords(block, 'actions');
    default:
      return [];
  }
}

/** Replaces each carousel and container by the blocks in it. */
function flattenBlocks(blocks: readonly Json[]): Json[] {
  return blocks.flatMap((block) => {
    if (block.type === 'carousel') return getRecords(block, 'elements');
    if (block.type === 'container') return getRecords(block, 'child_blocks');
    return [block];
  });
}

/** Every element with an action_id, in reading order. */
export function listElements(blocks: readonly Json[]): InteractiveElement[] {
  return flattenBlocks(blocks).flatMap((block) =>
    readElements(block).flatMap((element) => {
      const actionId = getString(element, 'action_id');
      const type = getString(element, 'type');
      const blockId = getString(block, 'block_id');
      if (actionId === undefined || type === undefined || blockId === undefined) return [];
      return [{ block, element, type, blockId, actionId, isInput: block.type === 'input' }];
    }),
  );
}

export function findElement(
  blocks: readonly Json[],
  blockId: string,
  actionId: string,
): InteractiveElement | undefined {
  return listElements(blocks).find((placed) => placed.blockId === blockId && placed.actionId === actionId);
}

interface LocatedBlock {
  block: Json;
  /** JSON pointer to the block. */
  pointer: string;
}

/** All blocks in reading order, including those in containers and carousels. */
export function locateBlocks(blocks: readonly Json[], pointer: string): LocatedBlock[] {
  return blocks.flatMap((block, index) => {
    const own = { block, pointer: `${pointer}/${index}` };
    const field =
      block.type === 'container' ? 'child_blocks' : block.type === 'carousel' ? 'elements' : undefined;
    return field === undefined
      ? [own]
      : [own, ...locateBlocks(getRecords(block, field), `${own.pointer}/${field}`)];
  });
}

/** All blocks of a message, including those in its attachments. */
export function listMessageBlocks(message: { blocks?: unknown[]; attachments?: readonly Json[] }): Json[] {
  return [
    ...getRecords({ blocks: message.blocks }, 'blocks'),
    ...(message.attachments ?? []).flatMap((attachment) => getRecords(attachment, 'blocks')),
  ];
}
