import type { Field } from '../../../forms/field.ts';
import { textField } from '../../../forms/inputs/text.ts';
import { LIMITS } from '../../../slack/limits.ts';

/** The longest text that any platform takes (Reddit's, see posts/platform-rules). UTF-16 units. */
export const MAX_TEXT_LENGTH = 40_000;

/** How many fields that text needs; a Slack input holds 3,000 characters. */
const TEXT_FIELDS = Math.ceil(MAX_TEXT_LENGTH / LIMITS.inputText);

type MoreName = `text${number}`;
const MORE: readonly MoreName[] = Array.from(
  { length: TEXT_FIELDS - 1 },
  (_, index): MoreName => `text${index + 2}`,
);

/** The fields after the first, in order. [More text] shows them one by one. */
export const moreTexts: Readonly<Record<MoreName, Field<string>>> = Object.fromEntries(
  MORE.map((name, index) => [
    name,
    postTextField(`Text, part ${index + 2}`, 'It follows the part before it without anything in between.'),
  ]),
);

/** A field for text that may continue in the next field. */
export function postTextField(label: string, hint?: string): Field<string> {
  const field = textField({
    label,
    api: 'Content',
    multiline: true,
    optional: true,
    isLive: true,
    ...(hint !== undefined && { hint }),
  });
  const validate: Field<string>['validate'] = (value, formContext) => {
    const words = field.validate?.(value, formContext);
    return words !== undefined && value.length > LIMITS.inputText
      ? `${words} [More text] adds a field.`
      : words;
  };
  return { ...field, validate };
}

/** The values of the text fields. */
type Texts = { text: string } & Readonly<Partial<Record<MoreName, string>>>;

/** Joins the text fields without adding or removing anything. */
export function joinedText(values: Texts): string {
  return [values.text, ...MORE.map((name) => values[name] ?? '')].join('');
}

/** The values of the fields after the first, up to the last that isn't empty. */
export function furtherTexts(values: Texts): string[] {
  const all = MORE.map((name) => values[name] ?? '');
  return all.slice(0, all.findLastIndex((part) => part !== '') + 1);
}

/** Assigns the parts of a text to the text fields. */
export function textValues([first = '', ...more]: readonly string[]): Record<string, string> {
  return Object.fromEntries([
    ['text', first],
    ...MORE.map((name, index) => [name, more[index] ?? ''] as const),
  ]);
}

/** How many text fields the form shows: as many as were requested, and at least those with text. */
export function textCount(values: Texts, asked = 1): number {
  return Math.min(TEXT_FIELDS, Math.max(1, asked, furtherTexts(values).length + 1));
}

/** The last text field that is shown. Blocks about the whole text are below it. */
export function lastText(count: number): 'text' | MoreName {
  return MORE[count - 2] ?? 'text';
}

/** The text fields that aren't shown. */
export function hiddenTexts(count: number): readonly MoreName[] {
  return MORE.slice(count - 1);
}

/** The text fields that may be hidden. */
export const mayHideTexts: readonly MoreName[] = MORE;

export function mayGrow(count: number): boolean {
  return count < TEXT_FIELDS;
}

/** The shortest part that `splitText` may cut. Shorter parts might need more fields than there are. */
const MIN_PART_LENGTH = Math.ceil(MAX_TEXT_LENGTH / TEXT_FIELDS);

/** Preferred ends of a part, best first. A part ends at the last occurrence that keeps it long enough. */
const ENDS = ['\n\n', '\n', '. ', ' '];

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/**
 * Splits a text into parts that fit the fields; joined, they are the text again. `rest` is the text that fits no field.
 * A part ends after a paragraph, line, sentence or word if possible, and never within a character.
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
    if (found >= MIN_PART_LENGTH && found <= LIMITS.inputText) return found;
  }
  let whole = 0;
  for (const { index, segment } of graphemes.segment(begin)) {
    if (index + segment.length > LIMITS.inputText) break;
    whole = index + segment.length;
  }
  return whole > 0 ? whole : withoutHalf(room);
}

/** A grapheme longer than a field has to be cut, but not within a surrogate pair. */
function withoutHalf(room: string): number {
  return room.isWellFormed() ? room.length : room.length - 1;
}
