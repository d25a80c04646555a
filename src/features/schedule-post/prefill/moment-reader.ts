import { findLeadingMoments, isRepeating, understandMoments } from '../../../when/when.ts';

/** Finds moments in the text of a line, in the author's language. */
export interface MomentReader {
  /** Whether the whole text names one or several moments. */
  isMoment(text: string): boolean;
  /** Whether the whole text repeats, such as "every monday". */
  isRepeating(text: string): boolean;
  /** Finds the moments at the start of the text. `words` names them, and `rest` is the text after them. */
  findLeadingMoments(text: string): { words: string; rest: string } | undefined;
}

/** Creates a reader for a line that somebody types now. `locale`: the author's, if known. */
export function createMomentReader(now: Date, locale: string | undefined): MomentReader {
  const request = { now, zone: 'UTC', ...(locale !== undefined && { locale }) };
  return {
    isMoment: (text) => understandMoments({ ...request, text }).kind !== 'not-understood',
    isRepeating: (text) => isRepeating({ ...request, text }),
    findLeadingMoments: (text) => findLeadingMoments({ ...request, text }),
  };
}
