import { z } from 'zod';
import type { Source } from '../../api/sources.ts';
import { clip, sanitizeLine } from '../../slack/blocks.ts';
import { LIMITS } from '../../slack/limits.ts';

/** A source as the service lists it. The value may be a secret, or a mask that the service shows instead. */
export const listedSourceSchema = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string().optional(),
  value: z.string().optional(),
});
export type ListedSource = z.infer<typeof listedSourceSchema>;

export const SOURCE_EXPLANATION =
  'A source is where the service finds material for posts, such as a blog or a calendar.';

/** The mask that people see instead of a value. Its length reveals nothing about the value. */
export const MASK = '••••••••';

const MAX_NAME_LENGTH = 100;

/** Converts a source. Its name is the name or description from the service. */
export function toListedSource({ id, name, description, value }: Source): ListedSource {
  const displayName = clip(sanitizeLine(name ?? description ?? '') || 'Unnamed source', MAX_NAME_LENGTH);
  return {
    id,
    name: displayName,
    ...(description !== undefined && { description }),
    ...(value !== undefined && { value }),
  };
}

/** Finds the reason why a field can't be prefilled with the value. Undefined if it can. */
export function findPrefillObstacle({
  value,
}: Pick<ListedSource, 'value'>): 'no-value' | 'masked' | 'too-long' | undefined {
  if (value === undefined) return 'no-value';
  if (looksMasked(value)) return 'masked';
  return value.length > LIMITS.inputText ? 'too-long' : undefined;
}

/** Returns the value, or undefined if the service shows none or only a mask. The value may be too long for a form. */
export function getVisibleValue({ value }: Pick<ListedSource, 'value'>): string | undefined {
  return value === undefined || looksMasked(value) ? undefined : value;
}

/** Whether texts are equal apart from their line endings, which forms change. */
export function isSameText(one: string | undefined, other: string | undefined): boolean {
  return normalizeLineEndings(one) === normalizeLineEndings(other);
}

function normalizeLineEndings(text: string | undefined): string {
  return (text ?? '').replaceAll(/\r\n?/g, '\n');
}

/** The text in which words are searched. It lacks the value, which may be a secret. */
export function getSourceSearchText({ name, description = '' }: ListedSource): string {
  return `${name}\n${description}`;
}

/** Masks that services show instead of secrets: a repeated character, a word in brackets, or an ellipsis. */
const MASK_PATTERNS = [
  /[*•●∙·▪■×✱＊]{3,}/u,
  /(?:^|[^\p{L}])x{3,}(?:$|[^\p{L}])/iu,
  /#{4,}/,
  /[…⋯]/u,
  /\.{3,}/,
  /[[<({]\s*(?:redacted|hidden|masked|filtered|secret|removed|private)\s*[\])}>]/i,
  /^\s*(?:redacted|hidden|masked|filtered)\s*$/i,
];

/** Whether a value looks like a mask. If a real value does, the author only has to type it again. */
export function looksMasked(value: string): boolean {
  return MASK_PATTERNS.some((pattern) => pattern.test(value));
}
