import type { FoundZone } from './found-zone.ts';
import { needsMarker, plainWords, zoneNamed } from './zone-index.ts';

/** The longest names of a zone's clock have four words ("australian eastern daylight time"). */
const MOST_WORDS = 4;

/** "London time", "Pacific", "in New York": the longest name found that fits, the last one of those. */
export function findPlaceName(text: string, fits: (found: FoundZone) => boolean): FoundZone | undefined {
  const words = [...text.matchAll(/[\p{L}\p{M}]+/gu)];
  for (let length = Math.min(MOST_WORDS, words.length); length >= 1; length -= 1) {
    for (let first = words.length - length; first >= 0; first -= 1) {
      const found = nameAt(text, words[first], words[first + length - 1]);
      if (found !== undefined && fits(found)) return found;
    }
  }
  return undefined;
}

function nameAt(text: string, first?: RegExpExecArray, last?: RegExpExecArray): FoundZone | undefined {
  if (first === undefined || last === undefined) return undefined;
  const start = first.index;
  const end = last.index + last[0].length;
  const name = plainWords(text.slice(start, end));
  const meaning = zoneNamed(name);
  if (meaning === undefined || (needsMarker(name) && !isMarked(text, start, end))) return undefined;
  return { start, end, meanings: [meaning] };
}

function isMarked(text: string, start: number, end: number): boolean {
  return /(?:\(|\bin\s+)$/i.test(text.slice(0, start)) || /^\s+time\b/i.test(text.slice(end));
}
