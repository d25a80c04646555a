import { type Json, recordIn, recordsIn, stringIn } from '../json.ts';

/** An element that a person can use, and the block that it stands in. */
export interface PlacedElement {
  block: Json;
  element: Json;
  type: string;
  blockId: string;
  actionId: string;
  /** It stands in an input block: Slack shows errors only there. */
  input: boolean;
}

function elementsIn(block: Json): Json[] {
  switch (block.type) {
    case 'input':
      return [recordIn(block, 'element') ?? {}];
    case 'section':
      return [recordIn(block, 'accessory') ?? {}];
    case 'actions':
    case 'context_actions':
      return recordsIn(block, 'elements');
    case 'card':
      return recordsIn(block, 'actions');
    default:
      return [];
  }
}

/** Card blocks in a carousel and the blocks in a container stand one level down. */
function flattened(blocks: readonly Json[]): Json[] {
  return blocks.flatMap((block) => {
    if (block.type === 'carousel') return recordsIn(block, 'elements');
    if (block.type === 'container') return recordsIn(block, 'child_blocks');
    return [block];
  });
}

/** Every element with an action_id, in reading order. */
export function elementsOf(blocks: readonly Json[]): PlacedElement[] {
  return flattened(blocks).flatMap((block) =>
    elementsIn(block).flatMap((element) => {
      const actionId = stringIn(element, 'action_id');
      const type = stringIn(element, 'type');
      const blockId = stringIn(block, 'block_id');
      if (actionId === undefined || type === undefined || blockId === undefined) return [];
      return [{ block, element, type, blockId, actionId, input: block.type === 'input' }];
    }),
  );
}

export function findElement(
  blocks: readonly Json[],
  blockId: string,
  actionId: string,
): PlacedElement | undefined {
  return elementsOf(blocks).find((placed) => placed.blockId === blockId && placed.actionId === actionId);
}
