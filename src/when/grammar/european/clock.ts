import type { Parser } from 'chrono-node';
import type { Meaning } from '../piece.ts';
import { rule } from '../rule.ts';
import { group, LETTER } from './spelling.ts';
import type { Lexicon } from './vocabulary.ts';
import { wordList } from './word-list.ts';

/** From this hour on, a bare hour is in the morning: for the evening, people write 19 to 23. */
const FIRST_PLAIN_HOUR = 7;

interface Clock {
  hour: number;
  minute?: number;
  /** Whether the minutes are in figures, or a unit such as "Uhr" follows the hour. */
  isShown: boolean;
  /** Whether people write it only on a 24-hour clock: "5h", "3:30". */
  isFigures?: boolean | undefined;
}

/**
 * A time on a clock. 0, 13 and more, and figures with a leading zero belong to a 24-hour clock. am or pm settle other
 * hours. From 7, a shown time is as shown. Office hours settle the others, except early ones in figures.
 */
export function clock(
  { hour, minute = 0, isShown, isFigures = false }: Clock,
  { meridiem, figures }: { meridiem?: string | undefined; figures?: string | undefined },
): Meaning | undefined {
  if (minute > 59 || hour > 24 || (hour === 24 && minute > 0)) return undefined;
  if (hour === 24) return { hour: 0, minute: 0, isMidnight: true };
  if (meridiem !== undefined && hour > 0 && hour <= 12) {
    return { hour: (hour % 12) + (/p/i.test(meridiem) ? 12 : 0), minute };
  }
  if (hour === 0 || hour > 12 || /^0\d/.test(figures ?? '')) return { hour, minute };
  if (hour < FIRST_PLAIN_HOUR) return { hour, minute, halfOfDay: isFigures ? 'open' : 'office-hours' };
  return { hour, minute, halfOfDay: isShown ? 'as-shown' : 'office-hours' };
}

type Found = Readonly<Record<string, string | undefined>>;

/** The reader of hours and minutes in figures. */
function inFigures({ words }: Lexicon): (found: Found) => Meaning | undefined {
  return ({ hour, minute, meridiem }) => {
    const shown = { hour: Number(hour), minute: Number(minute), isShown: true, isFigures: true };
    const time = clock(shown, { meridiem, figures: hour });
    const isOpen = time?.halfOfDay === 'open' && words.writes24Hours === true;
    return isOpen ? { ...time, halfOfDay: 'as-shown' } : time;
  };
}

const SECONDS = '(?::[0-5]\\d(?:\\.\\d{1,6})?)?';
const DOTTED = '(?<![\\d.])(?<hour>\\d{1,2})\\.(?<minute>[0-5]\\d)';

/** Times on a clock: "14:30", "8 Uhr 30", "18h15", "9am", "a las nueve", "20.15 Uhr", "um 1430". */
export function clockTimes(lexicon: Lexicon): Parser[] {
  const { words, number, numberOf, meridiem: halves } = lexicon;
  const readFigures = inFigures(lexicon);
  const end = `(?<meridiem>${halves})?`;
  const at = group(words.at);
  const parts = `(?:${wordList(words.parts).pattern}|${wordList(words.partsOfToday).pattern})`;
  const unit = `(?:\\s?${group(words.hourUnit)}(?!${LETTER}))`;
  const fourFigures = '(?<hour>[01]\\d|2[0-3])(?<minute>[0-5]\\d)';
  const hourAlone = ({ hour, unit: letter }: Found, isShown: boolean, half?: string): Meaning | undefined => {
    const value = numberOf(hour);
    return value === undefined
      ? undefined
      : clock(
          { hour: value, isShown, isFigures: /^\s?[hu]$/.test(letter ?? '') },
          { meridiem: half, figures: hour },
        );
  };
  return [
    rule(
      `(?:${at}\\s?)?(?<hour>\\d{1,2})(?::|\\s?(?:${words.hourLetter ?? 'h'}))(?<minute>[0-5]\\d)(?:${SECONDS}|\\s?min)${unit}?${end}(?!:)`,
      readFigures,
    ),
    rule(
      `(?:${at}\\s(?<hour>\\d{1,2})[.,](?<minute>[0-5]\\d)(?::[0-5]\\d)?(?![.\\d])${unit}?|${DOTTED}${unit}|${DOTTED}(?=${halves}))${end}`,
      readFigures,
    ),
    rule(
      `(?<!\\d/)(?:${at}\\s?)?(?<hour>\\d{1,2}|${number})(?:(?<unit>${unit})${end}|(?<early>${halves}))`,
      (found) => hourAlone(found, true, found.meridiem ?? found.early),
    ),
    rule(
      `(?:${at}\\s?(?<hour>\\d{1,2}|${number})(?![:.,]\\d|[/-]\\d)|(?<hour>\\d{1,2}|${number})(?=,?\\s${parts}(?!${LETTER})))`,
      (found) => hourAlone(found, false),
    ),
    rule(`(?<hour>\\d{1,2}|${number})`, (found) => {
      const time = numberOf(found.hour) === 0 ? undefined : hourAlone(found, false);
      return time === undefined ? undefined : { ...time, needsDay: true };
    }),
    rule(`(?:${at}\\s${fourFigures}${unit}?|${fourFigures}${unit})`, ({ hour, minute }) => ({
      hour: Number(hour),
      minute: Number(minute),
    })),
  ];
}

/** "8.30", which can be a date as well. Only a date follows "am", and has other minutes than every fifth: "5.11". */
export function bareDottedTimes(lexicon: Lexicon): Parser {
  const readFigures = inFigures(lexicon);
  return rule(`(?<!${group(lexicon.words.dayMarker)}\\s)${DOTTED}(?![.:\\d])`, (found) => {
    const minute = Number(found.minute);
    const isDate = minute % 5 !== 0 && minute < 13 && Number(found.hour) > 0;
    return isDate ? undefined : readFigures(found);
  });
}
