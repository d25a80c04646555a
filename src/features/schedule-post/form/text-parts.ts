import type { Field } from '../../../forms/field.ts';
import { text } from '../../../forms/inputs/text.ts';
import { LIMITS } from '../../../slack/limits.ts';

/** The longest text that any platform takes (Reddit's, see posts/platform-rules). UTF-16 units. */
export const MOST_TEXT = 40_000;

/** As many fields as that needs; a field of Slack's holds 3,000. */
const TEXT_FIELDS = Math.ceil(MOST_TEXT / LIMITS.inputText);

type MoreName = `text${number}`;
const MORE: readonly MoreName[] = Array.from(
  { length: TEXT_FIELDS - 1 },
  (_, index): MoreName => `text${index + 2}`,
);

/** The fields after the first, in their order; they are there once somebody has asked for more. */
export const moreTexts: Readonly<Record<MoreName, Field<string>>> = Object.fromEntries(
  MORE.map((name, index) => [
    name,
    textField(`Text, part ${index + 2}`, 'It follows the part before it without anything in between.'),
  ]),
);

/** A text that may go on in the next field. */
export function textField(label: string, hint?: string): Field<string> {
  const field = text({
    label,
    api: 'Content',
    multiline: true,
    optional: true,
    live: true,
    ...(hint !== undefined && { hint }),
  });
  const fault: Field<string>['fault'] = (value, loaded) => {
    const words = field.fault?.(value, loaded);
    return words !== undefined && value.length > LIMITS.inputText
      ? `${words} [More text] adds a field.`
      : words;
  };
  return { ...field, fault };
}

/** What stands in the text's fields. */
type Texts = { text: string } & Readonly<Partial<Record<MoreName, string>>>;

/** What stands in them as one text: nothing lost, nothing added. */
export function joinedText(typed: Texts): string {
  return [typed.text, ...MORE.map((name) => typed[name] ?? '')].join('');
}

/** What stands in the fields after the first, as far as there is something. */
export function furtherTexts(typed: Texts): string[] {
  const all = MORE.map((name) => typed[name] ?? '');
  return all.slice(0, all.findLastIndex((part) => part !== '') + 1);
}

/** Values by field, for these parts. */
export function textValues([first = '', ...more]: readonly string[]): Record<string, string> {
  return Object.fromEntries([
    ['text', first],
    ...MORE.map((name, index) => [name, more[index] ?? ''] as const),
  ]);
}

/** How many of the fields are there: as many as were asked for, and at least those with something in them. */
export function textCount(typed: Texts, asked = 1): number {
  return Math.min(TEXT_FIELDS, Math.max(1, asked, furtherTexts(typed).length + 1));
}

/** The last field that is there: what belongs to the whole text stands below it. */
export function lastText(count: number): 'text' | MoreName {
  return MORE[count - 2] ?? 'text';
}

/** Those that are not there. */
export function hiddenTexts(count: number): readonly MoreName[] {
  return MORE.slice(count - 1);
}

/** All whose presence changes. */
export const mayHideTexts: readonly MoreName[] = MORE;

export function mayGrow(count: number): boolean {
  return count < TEXT_FIELDS;
}

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
