import type { ReadingLexicon } from '../words/reading-lexicon.ts';
import type { Named, RangeContext } from './stretch.ts';

/** One idea of how words name a stretch of time: all that they can mean, or undefined where they are not of it. */
export type PeriodRule = (
  words: string,
  lexicon: ReadingLexicon,
  context: RangeContext,
) => readonly Named[] | undefined;
