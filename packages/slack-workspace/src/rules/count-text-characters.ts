import { isRecord } from '../json.ts';

/**
 * The length of all texts in blocks or table cells together. Markdown blocks aren't counted, because they have a limit
 * of their own.
 */
export function countTextCharacters(value: unknown): number {
  if (Array.isArray(value)) {
    return value.reduce<number>((sum, entry) => sum + countTextCharacters(entry), 0);
  }
  if (!isRecord(value) || value.type === 'markdown') return 0;
  return Object.entries(value).reduce(
    (sum, [key, inner]) =>
      sum + (key === 'text' && typeof inner === 'string' ? inner.length : countTextCharacters(inner)),
    0,
  );
}
