import { findRange, type Range } from '../../when/when.ts';

/** What the words say of days, and the words that are left for a search. */
type LogWords =
  | { kind: 'read'; words: string; range?: Range }
  | { kind: 'too-long'; reason: string }
  | { kind: 'ask'; words: string; asked: string; candidates: readonly { range: Range; said: string }[] };

/** "errors last week" is a stretch of time and a word to look for. Pure. */
export function readLogWords(
  text: string,
  reader: { now: Date; zone: string; locale?: string | undefined },
): LogWords {
  const { now, zone, locale } = reader;
  const found = findRange({ text, now, zone, ...(locale !== undefined && { locale }) });
  if (!found) return { kind: 'read', words: text.trim() };
  if (found.kind === 'not-understood') return { kind: 'too-long', reason: found.reason };
  const { reading, rest } = found;
  const words = rest.trim();
  if (reading.kind === 'understood') return { kind: 'read', words, range: reading.range };
  return { kind: 'ask', words, asked: found.words, candidates: reading.candidates };
}
