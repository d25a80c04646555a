import type { Field } from '../../../forms/field.ts';
import { multiSelectField } from '../../../forms/inputs/choice.ts';
import { isBlank, textField } from '../../../forms/inputs/text.ts';
import { listPlatformChoices } from '../../../posts/platforms.ts';
import { LIMITS } from '../../../slack/limits.ts';
import { findGraphemeEnd } from '../../../words.ts';

/** Text fields of the form. A Slack input holds 3,000 characters. */
const MAX_TEXT_FIELDS = 3;

/** The length of the text that the form takes, in UTF-16 units. */
export const MAX_TEXT_LENGTH = MAX_TEXT_FIELDS * LIMITS.inputText;

type FurtherFieldName = `text${number}`;
export const FURTHER_FIELD_NAMES: readonly FurtherFieldName[] = ['text2', 'text3'];

const FURTHER_HINT = 'Joined directly to the part before.';

/** The text fields after the first, in order. [Add text field] shows them one by one. */
export const furtherTextFields: Readonly<Record<FurtherFieldName, Field<string>>> = {
  text2: createTextField('Text, part 2', { hint: FURTHER_HINT }),
  text3: createTextField('Text, part 3', { hint: FURTHER_HINT, isLast: true }),
};

/** Creates a field for text that may continue in the next field, unless it is the last. */
export function createTextField(
  label: string,
  { hint, isLast = false }: { hint?: string; isLast?: boolean } = {},
): Field<string> {
  const field = textField({
    label,
    apiFields: 'Content',
    multiline: true,
    optional: true,
    isLive: true,
    ...(hint !== undefined && { hint }),
  });
  const validate: Field<string>['validate'] = (value, formContext) => {
    const error = field.validate?.(value, formContext);
    return error !== undefined && value.length > LIMITS.inputText
      ? `${error} Press “Add text field” for more room.`
      : error;
  };
  return isLast ? field : { ...field, validate };
}

type TextValues = { text: string } & Readonly<Partial<Record<FurtherFieldName, string>>>;

/** Joins the text fields without adding or removing anything. */
export function joinTexts(values: TextValues): string {
  return [values.text, ...FURTHER_FIELD_NAMES.map((name) => values[name] ?? '')].join('');
}

/** Returns the values of the fields after the first, up to the last field that isn't empty. */
export function getFurtherTexts(values: TextValues): string[] {
  const texts = FURTHER_FIELD_NAMES.map((name) => values[name] ?? '');
  return texts.slice(0, texts.findLastIndex((part) => part !== '') + 1);
}

export function toTextValues([text = '', text2 = '', text3 = '']: readonly string[]) {
  return { text, text2, text3 };
}

/** Fits a prefill's texts into the fields. One may be longer than a field. `excessText`: the end that doesn't fit. */
export function fitPrefilledTexts(prefill: Readonly<Record<string, unknown>>) {
  const texts = ['text', ...FURTHER_FIELD_NAMES].flatMap((name) => {
    const { [name]: value } = prefill;
    return typeof value === 'string' ? [value] : [];
  });
  const fits = texts.every((text) => text.length <= LIMITS.inputText);
  const { parts, excessText } = fits ? { parts: texts, excessText: '' } : splitText(texts.join(''));
  return { values: toTextValues(parts), excessText };
}

/** Counts the text fields to show. Shows at least the requested number, and all fields up to the last one with text. */
export function countTextFields(values: TextValues, requestedCount = 1): number {
  return Math.min(MAX_TEXT_FIELDS, Math.max(1, requestedCount, getFurtherTexts(values).length + 1));
}

/** Returns the last of `count` visible text fields. Blocks about the whole text are below this field. */
export function getLastTextField(count: number): 'text' | FurtherFieldName {
  return FURTHER_FIELD_NAMES[count - 2] ?? 'text';
}

/** Length of the text, in UTF-16 units, from which the form offers a second text field. */
const LONG_TEXT_LENGTH = 2_000;

/** Whether the form offers another text field: if the text is long, or continues in a second field already. */
export function mayAddTextField(values: TextValues, count: number): boolean {
  return count < MAX_TEXT_FIELDS && (count > 1 || values.text.length >= LONG_TEXT_LENGTH);
}

/** Minimum length of a part that ends before the limit of its field. */
const MIN_PART_LENGTH = 2_000;

/** Preferred ends of a part, best first. A part ends at the last occurrence from which on the rest fits into the other fields. */
const PREFERRED_ENDS = ['\n\n', '\n', '. ', ' '];

/**
 * Splits a text into one part for each field, without adding or removing anything. `excessText` is the text that
 * doesn't fit in the fields. A part ends after a paragraph, line, sentence or word if possible, and within a character
 * only if the rest wouldn't fit otherwise.
 */
export function splitText(text: string): { parts: string[]; excessText: string } {
  const parts: string[] = [];
  let start = 0;
  while (start < text.length && parts.length < MAX_TEXT_FIELDS) {
    const fieldCount = MAX_TEXT_FIELDS - parts.length;
    const restLength = text.length - start;
    const fits = restLength <= fieldCount * LIMITS.inputText;
    // Each later part may end a unit early, so that it doesn't split a surrogate pair.
    const minLength = fits ? restLength - (fieldCount - 1) * (LIMITS.inputText - 1) : 0;
    const end = start + computePartLength(text.slice(start, start + LIMITS.inputText + 2), minLength);
    parts.push(text.slice(start, end));
    start = end;
  }
  return { parts, excessText: text.slice(start) };
}

/**
 * Computes the length of the next part. `window` is the start of the remaining text. If it is longer than a field, the
 * text continues in another part. `minLength`: the rest of a shorter part wouldn't fit into the other fields.
 */
function computePartLength(window: string, minLength: number): number {
  if (window.length <= LIMITS.inputText) return window.length;
  const maxPart = window.slice(0, LIMITS.inputText);
  for (const preferredEnd of PREFERRED_ENDS) {
    const length = maxPart.lastIndexOf(preferredEnd) + preferredEnd.length;
    if (length >= Math.max(MIN_PART_LENGTH, minLength) && length <= LIMITS.inputText) return length;
  }
  const length = findGraphemeEnd(window, LIMITS.inputText);
  return length > 0 && length >= minLength ? length : computeWellFormedLength(maxPart);
}

/** Computes where to cut a grapheme that is longer than a field. Doesn't split a surrogate pair. */
function computeWellFormedLength(part: string): number {
  return part.isWellFormed() ? part.length : part.length - 1;
}

/** A line of dashes between the texts of a series. */
const SERIES_SEPARATOR = /^[ \t]*[-–—]{3,}[ \t]*$/m;

/**
 * Our own limit: a text a day for three months. Each is checked for each platform, whenever a field of the form changes.
 */
export const MAX_SERIES_TEXTS = 90;

/** Splits the texts of a series. If it has too many, returns one more than the limit. */
export function splitSeriesTexts(text: string): string[] {
  const texts = text.split(SERIES_SEPARATOR).map((part) => part.trim());
  const filled = texts.filter((part) => part !== '');
  return texts.length === 1 || filled.length === 0 ? [text] : filled.slice(0, MAX_SERIES_TEXTS + 1);
}

export function joinSeriesTexts(texts: readonly string[]): string {
  return texts.join('\n\n---\n\n');
}

/** The field with a platform's own text. A platform without one, or with an empty one, gets the main text. */
type OwnTextName = `own${string}`;

export function getOwnTextName(platform: string): OwnTextName {
  return `own${platform}`;
}

export const differsField = multiSelectField({
  label: 'Different text for',
  optional: true,
  isLive: true,
  placeholder: 'Choose platforms',
  hint: 'The others, and those with an empty text, get the main text.',
  choices: listPlatformChoices().map(({ platform, name }) => ({ value: platform, name })),
});

export const ownTextFields: Readonly<Record<OwnTextName, Field<string>>> = Object.fromEntries(
  listPlatformChoices().map(({ platform, name }) => [
    getOwnTextName(platform),
    textField({
      label: `Text for ${name}`,
      // Not a name of the service: `editHeldPostInForm` gives it to the problems of a part that had this text.
      apiFields: getOwnTextName(platform),
      optional: true,
      isLive: true,
      multiline: true,
    }),
  ]),
);

interface OwnTextValues {
  platforms: readonly string[];
  differs: readonly string[];
  [name: OwnTextName]: string;
}

export const hideableOwnTexts: readonly ('differs' | OwnTextName)[] = [
  'differs',
  ...listPlatformChoices().map(({ platform }) => getOwnTextName(platform)),
];

/** Lists the fields about own texts that the form doesn't show. With one platform, there is one text. */
export function listHiddenOwnTexts({ platforms, differs }: OwnTextValues): ('differs' | OwnTextName)[] {
  const isOffered = platforms.length > 1 || differs.length > 0;
  const shown = differs.map(getOwnTextName);
  return hideableOwnTexts.filter((name) => (name === 'differs' ? !isOffered : !shown.includes(name)));
}

export function listTypedOwnTexts(values: OwnTextValues): (readonly [platform: string, text: string])[] {
  const texts = new Map(listShownOwnTexts(values));
  return values.platforms.flatMap((platform) => {
    const text = texts.get(platform) ?? '';
    return isBlank(text) ? [] : [[platform, text] as const];
  });
}

/** Lists the texts that the form shows for platforms, also for those that aren't chosen. */
export function listShownOwnTexts({
  differs,
  ...values
}: Omit<OwnTextValues, 'platforms'>): (readonly [platform: string, text: string])[] {
  return differs.map((platform) => [platform, values[getOwnTextName(platform)] ?? ''] as const);
}

/** Lists the platforms with a text that nobody gets, because they aren't chosen. */
export function listUnusedOwnTexts({ platforms, differs, ...values }: OwnTextValues): string[] {
  return listShownOwnTexts({ differs, ...values }).flatMap(([platform, text]) =>
    platforms.includes(platform) || isBlank(text) ? [] : [platform],
  );
}

export function toOwnTextValues(ownTexts: Readonly<Record<string, string>>) {
  return {
    differs: Object.keys(ownTexts),
    ...Object.fromEntries(
      Object.entries(ownTexts).map(([platform, text]) => [getOwnTextName(platform), text]),
    ),
  };
}
