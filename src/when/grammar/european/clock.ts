import type { Meaning } from '../piece.ts';
import { LETTER } from './spelling.ts';

/** "am", "p.m.", "a. m."; "9 am" with a blank only where that is no word of the language. */
export function meridiem(spacedAm: boolean): string {
  return `(?:(?<=\\d)[ap]m|\\s?[ap]\\s?\\.\\s?m\\.?|\\s${spacedAm ? '[ap]' : 'p'}m)(?!${LETTER})`;
}

/** From here on, hours are taken as clocks show them: earlier ones are more often of the afternoon. */
const FIRST_PLAIN_HOUR = 7;

/**
 * An hour as words give it. 13 and more, 0, and figures with a leading zero are a 24-hour clock's; the rest is
 * settled by am or pm, shown (with minutes in figures, or with the word for the clock) or merely spoken.
 */
export function clock(
  { hour, minute = 0, isShown }: { hour: number; minute?: number; isShown: boolean },
  { meridiem, figures }: { meridiem?: string | undefined; figures?: string | undefined },
): Meaning | undefined {
  if (minute > 59 || hour > 24 || (hour === 24 && minute > 0)) return undefined;
  if (hour === 24) return { hour: 0, minute: 0, isMidnight: true };
  if (meridiem !== undefined && hour > 0 && hour <= 12) {
    return { hour: (hour % 12) + (/p/i.test(meridiem) ? 12 : 0), minute };
  }
  if (hour === 0 || hour > 12 || /^0\d/.test(figures ?? '')) return { hour, minute };
  return { hour, minute, halfOfDay: isShown && hour >= FIRST_PLAIN_HOUR ? 'as-shown' : 'open' };
}
