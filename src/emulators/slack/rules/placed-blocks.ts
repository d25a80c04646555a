import { type Json, recordsIn } from '../json.ts';

/** A block, and where it stands (a JSON pointer). */
interface PlacedBlock {
  block: Json;
  at: string;
}

/** Every block, those in containers and carousels too, in reading order. */
export function placedBlocks(blocks: readonly Json[], pointer: string): PlacedBlock[] {
  return blocks.flatMap((block, index) => {
    const at = `${pointer}/${index}`;
    const inner =
      block.type === 'container' ? 'child_blocks' : block.type === 'carousel' ? 'elements' : undefined;
    const within = inner === undefined ? [] : placedBlocks(recordsIn(block, inner), `${at}/${inner}`);
    return [{ block, at }, ...within];
  });
}
