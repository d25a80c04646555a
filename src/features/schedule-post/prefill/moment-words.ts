import { findLeadingMoments, understandMoments } from '../../../when/when.ts';

/** Reads moments in the words of a line, in the author's language. */
export interface MomentWords {
  /** Whether the whole text names one or several moments. */
  isMoment(text: string): boolean;
  findLeading(text: string): { words: string; rest: string } | undefined;
}

/** Creates the readers for a line that somebody types now. `locale`: the author's, if known. */
export function createMomentWords(now: Date, locale: string | undefined): MomentWords {
  const question = { now, zone: 'UTC', ...(locale !== undefined && { locale }) };
  return {
    isMoment: (text) => understandMoments({ ...question, text }).kind !== 'not-understood',
    findLeading: (text) => findLeadingMoments({ ...question, text }),
  };
}
