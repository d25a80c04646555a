import type { ListQuestion } from './list-question.ts';
import { partsOf } from './list-question.ts';
import type { Piece } from './piece.ts';

/** Pieces that belong to each other: each of the days at each of the times in each of the zones. */
export interface Block {
  days: readonly Piece[];
  times: readonly Piece[];
  zones: readonly Piece[];
}

interface OpenBlock {
  days: Piece[];
  times: Piece[];
  zones: Piece[];
}

/**
 * "mon and wed 9am, fri 10am and 5pm": a block grows while its pieces name more of the same, or what it still
 * lacks; what it then lacks, it has from the block before it, or else from the one after.
 */
export function blocksOf(pieces: readonly Piece[], question: ListQuestion): readonly Block[] {
  const blocks: OpenBlock[] = [];
  for (const piece of pieces) {
    const last = blocks.at(-1);
    const block =
      last !== undefined && takes(last, piece, question) ? last : { days: [], times: [], zones: [] };
    if (block !== last) blocks.push(block);
    if (piece.hasDay) block.days.push(piece);
    if (piece.hasTime) block.times.push(piece);
    if (piece.zones.length > 0) block.zones.push(piece);
  }
  return filled(blocks);
}

function takes({ days, times, zones }: OpenBlock, piece: Piece, question: ListQuestion): boolean {
  if (!piece.hasDay && !piece.hasTime) return true;
  if (zones.length > 0) return false;
  if (days.length > 0 && times.length > 0) return false;
  if (days.length > 0) return true;
  return !(piece.hasDay && piece.hasTime) || partsOf(piece, question)?.leads !== 'day';
}

/** A zone that is named once in all of the words is that of all. */
function filled(blocks: readonly Block[]): readonly Block[] {
  const fill = (aspect: keyof Block): readonly (readonly Piece[])[] => {
    const own = blocks.map((block) => block[aspect]);
    const first = own.find((pieces) => pieces.length > 0) ?? [];
    let before: readonly Piece[] = first;
    return own.map((pieces) => {
      before = pieces.length > 0 ? pieces : before;
      return before;
    });
  };
  const [days, times, zones] = [fill('days'), fill('times'), fill('zones')];
  return blocks.map((_, index) => ({
    days: days[index] ?? [],
    times: times[index] ?? [],
    zones: zones[index] ?? [],
  }));
}
