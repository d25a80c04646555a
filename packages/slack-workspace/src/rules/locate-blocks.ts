import { getRecords, type Json } from '../json.ts';

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
