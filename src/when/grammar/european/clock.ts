import { Duration } from 'luxon';
import type { Meaning } from '../piece.ts';
import { type Groups, needing, type Rule, type Rules, rule } from '../rule.ts';
import type { Lexicon } from './lexicon.ts';
import { group, LETTER, spelled, type Vocabulary, wordList } from './vocabulary.ts';

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
  // "24 Uhr" ends the day, unlike "midnight" and "a las 24", which may also begin it.
  if (hour === 24) return isShown ? { hour, minute } : { hour: 0, minute: 0, isMidnight: true };
  // "0:30 am" is half an hour after midnight. "0:30 pm" doesn't exist.
  if (hour === 0 && /p/i.test(meridiem ?? '')) return undefined;
  if (meridiem !== undefined && hour > 0 && hour <= 12) {
    return { hour: (hour % 12) + (/p/i.test(meridiem) ? 12 : 0), minute };
  }
  if (hour === 0 || hour > 12 || /^0\d/.test(figures ?? '')) return { hour, minute };
  if (hour < FIRST_PLAIN_HOUR) return { hour, minute, halfOfDay: isFigures ? 'open' : 'office-hours' };
  return { hour, minute, halfOfDay: isShown ? 'as-shown' : 'office-hours' };
}

/** The reader of hours and minutes in figures. */
function inFigures({ words }: Lexicon): (found: Groups) => Meaning | undefined {
  return ({ hour, minute, meridiem }) => {
    const shown = { hour: Number(hour), minute: Number(minute), isShown: true, isFigures: true };
    const time = clock(shown, { meridiem, figures: hour });
    const isOpen = time?.halfOfDay === 'open' && words.writes24Hours === true;
    return isOpen ? { ...time, halfOfDay: 'as-shown' } : time;
  };
}

const SECONDS = '(?::[0-5]\\d(?:\\.\\d{1,6})?)?';
/** "26/11 h 18" isn't at 11:18. */
const NOT_OF_DATE = '(?<!\\d/)';
const DOTTED = '(?<![\\d.])(?<hour>\\d{1,2})\\.(?<minute>[0-5]\\d)';

/** Times on a clock: "14:30", "09 30 Uhr", "8 Uhr 30", "18h15", "9am", "a las nueve", "20.15 Uhr", "um 1430". */
export function clockTimes(lexicon: Lexicon): Rules {
  const { words, number, numberOf, meridiem: halves } = lexicon;
  const readFigures = inFigures(lexicon);
  const end = `(?<meridiem>${halves})?`;
  const at = group(words.at);
  const from = `(?:${at}\\s?|${lexicon.from}\\s)`;
  const parts = `(?:${wordList(words.parts).pattern}|${wordList(words.partsOfToday).pattern})`;
  const unit = `(?:\\s?${group(words.hourUnit)}(?!${LETTER}))`;
  const fourFigures = '(?<hour>[01]\\d|2[0-3])(?<minute>[0-5]\\d)';
  const hourAlone = (
    { hour, unit: letter }: Groups,
    isShown: boolean,
    half?: string,
  ): Meaning | undefined => {
    const value = numberOf(hour);
    return value === undefined
      ? undefined
      : clock(
          { hour: value, isShown, isFigures: /^\s?[hu]$/.test(letter ?? '') },
          { meridiem: half, figures: hour },
        );
  };
  const inFiguresAlone = [
    rule(
      `${NOT_OF_DATE}${from}?(?<hour>\\d{1,2})(?::|\\s?(?:${words.hourLetter ?? 'h'}))(?<minute>[0-5]\\d)(?:${SECONDS}|\\s?min)${unit}?${end}(?!:)`,
      readFigures,
    ),
    rule(
      `(?:${at}\\s(?<hour>\\d{1,2})[.,](?<minute>[0-5]\\d)(?::[0-5]\\d)?(?![.\\d])${unit}?|${DOTTED}${unit}|(?<!${group(words.dayMarker)}\\s)(?<hour>\\d{1,2})\\s(?<minute>2[5-9]|[3-5]\\d|(?<=\\d\\d\\s)00)${unit}|${DOTTED}(?=${halves}))${end}`,
      readFigures,
    ),
  ];
  const hours = wordList(words.units.filter(([, each]) => each === 'hours')).pattern;
  return [
    needing(/\d/, inFiguresAlone),
    // "2 ore" and "24 heures" as the whole text: a time, or so long from now.
    rule(
      `(?<=^\\s*)(?<hour>\\d{1,2}|${number})(?<unit>${unit})(?<=\\s?${hours})(?=(?:\\s${LETTER}{1,4})?[\\s.!?]*$)`,
      (found) => {
        const count = numberOf(found.hour) ?? 0;
        const isCount =
          count >= 24 || (count <= (words.countsHoursTo ?? 0) && !/^\s?[hu]$/.test(found.unit ?? ''));
        const elapsed = Duration.fromObject({ hours: count });
        if (!isCount || count === 0) return undefined;
        return count > 24 ? { fromNow: elapsed } : { ...hourAlone(found, true), orFromNow: elapsed };
      },
    ),
    rule(
      `${NOT_OF_DATE}${from}?(?<hour>\\d{1,2}|${number})(?:(?<unit>${unit})${end}|(?<early>${halves}))`,
      (found) => hourAlone(found, true, found.meridiem ?? found.early),
    ),
    rule(
      `(?:(?:${at}\\s?|${lexicon.from}\\s(?<=\\s(?:le|las|das)\\s))(?<hour>\\d{1,2}|${number})(?![:.,]\\d|[/-]\\d)|(?<hour>\\d{1,2}|${number})(?=,?\\s${parts}(?!${LETTER})))`,
      (found) => hourAlone(found, false),
    ),
    rule(`(?<hour>\\d{1,2}|${number})`, (found) => {
      const time = numberOf(found.hour) === 0 ? undefined : hourAlone(found, false);
      return time === undefined ? undefined : { ...time, needsDay: true };
    }),
    needing(/\d{4}/, [
      rule(`(?:${at}\\s${fourFigures}${unit}?|${fourFigures}${unit})`, ({ hour, minute }) => ({
        hour: Number(hour),
        minute: Number(minute),
      })),
    ]),
  ];
}

/** "8.30", which can be a date as well. Only a date follows "am", and has other minutes than every fifth: "5.11". */
export function bareDottedTimes(lexicon: Lexicon): Rule {
  const readFigures = inFigures(lexicon);
  return rule(`(?<!${group(lexicon.words.dayMarker)}\\s)${DOTTED}(?![.:\\d])`, (found) => {
    const minute = Number(found.minute);
    const isDate = minute % 5 !== 0 && minute < 13 && Number(found.hour) > 0;
    return isDate ? undefined : readFigures(found);
  });
}

/** Below this, "10 e 11" could be two hours as well as minutes past one. */
const SURELY_MINUTES = 13;

/** Times as people say them: "halb neun", "neuf heures et quart", "nueve menos cuarto", "midi". */
export function spokenTimes(lexicon: Lexicon): Rules {
  const { hourFirst: around } = lexicon.words;
  const spoken = spokenPieces(lexicon);
  return [
    noonAndMidnight(lexicon),
    ...(around === undefined ? [] : [needing(listWords(around), [hourFirst(lexicon, spoken, around)])]),
    ...timesAroundHours(lexicon),
    hourThenMinutes(lexicon, spoken),
  ];
}

/** "Viertel nach acht", "half past 8", "ten to five", "halb neun", "half nine". */
export function timesAroundHours(lexicon: ClockWords): Rules {
  const { minutesFirst: around, beforeHour: before } = lexicon.words;
  const spoken = spokenPieces(lexicon);
  return [
    ...(around === undefined ? [] : [needing(listWords(around), [minutesFirst(lexicon, spoken, around)])]),
    needing(wordList(before).pattern, [beforeHour(lexicon, spoken)]),
  ];
}

function listWords(around: MinutesFirst): string {
  return `\\b${group(Object.values(around).join('|'))}\\b`;
}

type MinutesFirst = NonNullable<Vocabulary['minutesFirst']>;

/** The words of times, and a pattern for numbers in words with its reader. */
interface ClockWords extends Pick<Lexicon, 'number' | 'numberOf' | 'meridiem'> {
  words: Partial<Vocabulary>;
  /** Between two words. Defaults to a blank: "5-vor-12" is rather a name. */
  gap?: string;
}

type Spoken = ReturnType<typeof spokenPieces>;

/** The parts of the patterns below, and their readers. */
function spokenPieces({ words, number, numberOf, meridiem }: ClockWords) {
  const named = wordList(words.minutes);
  const noon = new RegExp(`^${group(words.noon)}$`, 'i');
  const midnight = new RegExp(`^${group(words.midnight)}$`, 'i');
  return {
    at: `(?:${group(words.at)}\\s?)?`,
    hour: `(?<hour>\\d{1,2}|${number}|${group(words.noon)}|${group(words.midnight)})`,
    unit: `(?:\\s?${group(words.hourUnit)}(?!${LETTER}))`,
    minutes: `(?:(?<named>${named.pattern})|(?<minutes>\\d{1,2}|${number})(?<unit>\\s(?:minut${LETTER}*|mins?))?)`,
    end: `(?<meridiem>${meridiem})?`,
    minutesOf: (found: Groups): number | undefined => named.meaningOf(found.named) ?? numberOf(found.minutes),
    around(hour: string | undefined, minutes: number | undefined, half?: string): Meaning | undefined {
      const isNamed = noon.test(hour ?? '') || midnight.test(hour ?? '');
      const full = noon.test(hour ?? '') ? 12 : midnight.test(hour ?? '') ? 24 : numberOf(hour);
      return full === undefined || minutes === undefined
        ? undefined
        : aroundHour(full, minutes, { isNamed, meridiem: half });
    },
  };
}

/**
 * The time this number of minutes after the full hour, or before it if it is negative. `isNamed`: whether the hour is
 * noon or midnight, which is 24.
 */
export function aroundHour(
  full: number,
  minutes: number,
  { isNamed, meridiem }: { isNamed: boolean; meridiem: string | undefined },
): Meaning | undefined {
  if (full > 24 || minutes > 59) return undefined;
  if (!isNamed && full >= 1 && full <= 12) {
    const early = (full * 60 + minutes) % 720;
    const time = { hour: Math.floor(early / 60) || 12, minute: early % 60 };
    if (meridiem === undefined) return clock({ ...time, isShown: false }, {});
    // "Quarter to 12 pm" is quarter to noon, or it is before midnight.
    return full === 12 && minutes < 0
      ? { ...time, halfOfDay: 'open' }
      : clock({ ...time, isShown: true }, { meridiem });
  }
  const total = (full * 60 + minutes + 1440) % 1440;
  // An hour 0 is on a 24-hour clock.
  return isNamed
    ? { hour: Math.floor(total / 60), minute: total % 60 }
    : clock({ hour: Math.floor(total / 60), minute: total % 60, isShown: true }, { meridiem });
}

function noonAndMidnight({ words }: Lexicon): Rule {
  return rule(
    `(?:${group(words.at)}\\s)?(?:12\\s)?(?:(?<noon>${spelled(words.noon)})|${spelled(words.midnight)})`,
    ({ noon }): Meaning =>
      noon === undefined ? { hour: 0, minute: 0, isMidnight: true } : { hour: 12, minute: 0 },
  );
}

/** "neuf heures et quart", "ocho y veinte", "12 e meia", "huit heures moins dix". */
function hourFirst(
  lexicon: Lexicon,
  { at, hour, unit, minutes, end, minutesOf, around }: Spoken,
  { past, to }: MinutesFirst,
): Rule {
  return rule(
    `(?<at>${at})${hour}(?<hourUnit>${unit})?(?<early>${lexicon.meridiem})?\\s(?:(?<past>${spelled(past)})|${spelled(to)})\\s${minutes}${end}(?!\\s?${group(lexicon.words.hourUnit)}(?!${LETTER}))`,
    (found) => {
      const size = minutesOf(found);
      const isNamed = !/^\d/.test(found.hour ?? '') && lexicon.numberOf(found.hour) === undefined;
      const hasUnit = found.hourUnit !== undefined || found.unit !== undefined;
      const isSure = isNamed || hasUnit || found.at !== '' || (found.meridiem ?? found.early) !== undefined;
      if (found.named === undefined && !isSure && (size ?? 0) < SURELY_MINUTES) return undefined;
      const moved = found.past === undefined ? 0 - (size ?? 0) : size;
      return around(found.hour, size === undefined ? undefined : moved, found.meridiem ?? found.early);
    },
  );
}

/** "Viertel nach acht", "10 voor half 4", "quinze para as oito", "20 past 3"; but "five to seven" could be a range. */
function minutesFirst(
  { words, numberOf, gap = '\\s' }: ClockWords,
  { at, hour, unit, minutes, end, minutesOf, around }: Spoken,
  { past, to, toOrRange }: MinutesFirst,
): Rule {
  const half = wordList(words.beforeHour);
  return rule(
    `${at}${minutes}${gap}(?:(?<past>${spelled(past)})|(?<range>${group(toOrRange)})|${spelled(to)})${gap}(?:(?<half>${half.pattern})\\s)?${hour}(?![:.,]?\\d)${unit}?${end}`,
    (found) => {
      const size = minutesOf(found);
      if (size === undefined || size > 59) return undefined;
      // "Five to noon" and "10 to 5" are times, "five to seven" and "9 to 5" can be ranges.
      const hours = numberOf(found.hour) ?? (size === 5 ? 0 : 24);
      const isBare = found.minutes !== undefined && found.unit === undefined && size < SURELY_MINUTES;
      if (found.range !== undefined && isBare && (size < hours || size % 5 !== 0)) return undefined;
      const before = half.meaningOf(found.half) ?? 0;
      return around(found.hour, (found.past === undefined ? 0 - size : size) - before, found.meridiem);
    },
  );
}

/** "8 Uhr 30", "quinze heures trente", "midi trente", "a las tres treinta", "sette e trenta pm". */
function hourThenMinutes(
  { words, number, numberOf, months }: Lexicon,
  { at, hour, unit, end, around }: Spoken,
): Rule {
  const zero = `(?:(?<zero>${spelled(words.numbers[0]?.[0] ?? '(?!)')})\\s)?`;
  const minutes = `${zero}(?<minutes>[0-5]\\d|${number})(?:\\s(?:minut${LETTER}*|min))?`;
  // "9 Uhr 24. Dezember", "9h 24 de diciembre" and "9h, 26/11" have a date.
  const noDate = `(?![:.,]?\\d|[/-]\\d|\\.?(?:\\s(?:de|di))?\\s${months.pattern}(?!${LETTER}))`;
  return rule(
    `${NOT_OF_DATE}(?:(?<at>${at})${hour}(?<unit>${unit})?)\\s${minutes}${end}${noDate}(?!\\s?${group(words.hourUnit)}(?!${LETTER}))`,
    ({ at: before, hour: full, unit: shown, zero: digit, minutes: past, meridiem }) => {
      const isNamed = full !== undefined && !/^\d/.test(full) && numberOf(full) === undefined;
      const isLate = (numberOf(past) ?? 0) >= SURELY_MINUTES;
      const inWords = (before !== '' || isLate || digit !== undefined) && !/\d/.test(`${full}${past}`);
      const value = numberOf(past);
      // "15 Uhr ein …": one is an article more often than a minute.
      if ((shown === undefined && !isNamed && !inWords) || (value === 1 && past !== '01')) return undefined;
      if (shown !== undefined && /^\d/.test(past ?? '')) {
        return clock(
          { hour: numberOf(full) ?? 99, minute: value ?? 99, isShown: true },
          { meridiem, figures: full },
        );
      }
      return around(full, value, meridiem);
    },
  );
}

/** "halb neun", "dreiviertel neun": before the hour. "half nine": after it. */
function beforeHour({ words, gap = '\\s' }: ClockWords, { at, hour, unit, end, around }: Spoken): Rule {
  const before = wordList(words.beforeHour);
  return rule(`${at}(?<before>${before.pattern})${gap}${hour}(?![:.,]?\\d)${unit}?${end}`, (found) => {
    const size = before.meaningOf(found.before);
    return size === undefined ? undefined : around(found.hour, 0 - size, found.meridiem);
  });
}
