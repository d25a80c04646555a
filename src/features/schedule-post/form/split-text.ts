import { LIMITS } from '../../../slack/limits.ts';
import { MOST_TEXT, TEXT_FIELDS } from './text-parts.ts';

/** Parts that are shorter could be more than there are fields. */
const LEAST = Math.ceil(MOST_TEXT / TEXT_FIELDS);

/** What a part ends with, where it can be chosen: the latest of the first kind that is not too early. */
const ENDS = ['\n\n', '\n', '. ', ' '];

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/**
 * The text in parts that a field holds, which joined are the text again; `rest` is what is beyond all fields. A part
 * ends with a paragraph, a line, a sentence or a word where it can, and never within a character.
 */
export function splitText(text: string): { parts: string[]; rest: string } {
  const parts: string[] = [];
  let at = 0;
  while (at < text.length && parts.length < TEXT_FIELDS) {
    const end = at + partLength(text.slice(at, at + LIMITS.inputText + 1));
    parts.push(text.slice(at, end));
    at = end;
  }
  return { parts, rest: text.slice(at) };
}

function partLength(begin: string): number {
  if (begin.length <= LIMITS.inputText) return begin.length;
  const room = begin.slice(0, LIMITS.inputText);
  for (const end of ENDS) {
    const found = room.lastIndexOf(end) + end.length;
    if (found >= LEAST && found <= LIMITS.inputText) return found;
  }
  let whole = 0;
  for (const { index, segment } of graphemes.segment(begin)) {
    if (index + segment.length > LIMITS.inputText) break;
    whole = index + segment.length;
  }
  return whole > 0 ? whole : withoutHalf(room);
}

/** One character of more than a field holds is parted all the same, but not within a surrogate pair. */
function withoutHalf(room: string): number {
  return room.isWellFormed() ? room.length : room.length - 1;
}
