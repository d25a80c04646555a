import type { Parser } from 'chrono-node';
import type { Meaning } from '../piece.ts';
import { rule } from '../rule.ts';
import { clock } from './clock.ts';
import { group, LETTER, spelled } from './spelling.ts';
import type { Lexicon } from './vocabulary.ts';
import { wordList } from './word-list.ts';

/** Below this, "10 e 11" could be two hours as well as minutes past one. */
const SURELY_MINUTES = 13;

/** Times as people say them: "halb neun", "neuf heures et quart", "nueve menos cuarto", "midi". */
export function spokenTimes(lexicon: Lexicon): Parser[] {
  const { words } = lexicon;
  return [
    noonAndMidnight(lexicon),
    ...(words.hourFirst === undefined ? [] : [hourFirst(lexicon, words.hourFirst)]),
    ...(words.minutesFirst === undefined ? [] : [minutesFirst(lexicon, words.minutesFirst)]),
    hourThenMinutes(lexicon),
    beforeHour(lexicon),
  ];
}

/** The parts of the patterns below. */
function pieces({ words, number, meridiem }: Lexicon) {
  const minutes = wordList(words.minutes);
  const minuteUnit = `(?:\\s(?:minut${LETTER}*|min))`;
  return {
    at: `(?:${group(words.at)}\\s?)?`,
    hour: `(?<hour>\\d{1,2}|${number}|${spelled(words.noon)}|${spelled(words.midnight)})`,
    unit: `(?:\\s?${group(words.hourUnit)}(?!${LETTER}))`,
    minutes: `(?:(?<named>${minutes.pattern})|(?<minutes>\\d{1,2}|${number})(?<unit>${minuteUnit})?)`,
    end: `(?<meridiem>${meridiem})?`,
  };
}

type Found = Readonly<Record<string, string | undefined>>;

function readers({ words, numberOf }: Lexicon) {
  const named = wordList(words.minutes);
  const noon = new RegExp(`^${group(words.noon)}$`, 'i');
  const midnight = new RegExp(`^${group(words.midnight)}$`, 'i');
  return {
    minutesOf: (found: Found): number | undefined => named.meaningOf(found.named) ?? numberOf(found.minutes),
    /** The time so many minutes after the full hour; before it if they are negative. */
    around(hour: string | undefined, minutes: number | undefined, meridiem?: string): Meaning | undefined {
      const isNamed = noon.test(hour ?? '') || midnight.test(hour ?? '');
      const full = noon.test(hour ?? '') ? 12 : midnight.test(hour ?? '') ? 24 : numberOf(hour);
      if (full === undefined || minutes === undefined || full > 24 || minutes > 59) return undefined;
      const total = (full * 60 + minutes + 1440) % 1440;
      if (isNamed) return { hour: Math.floor(total / 60), minute: total % 60 };
      if (full <= 12 && meridiem === undefined) {
        const early = total % 720;
        return clock({ hour: Math.floor(early / 60) || 12, minute: early % 60, isShown: false }, {});
      }
      return clock({ hour: Math.floor(total / 60), minute: total % 60, isShown: true }, { meridiem });
    },
  };
}

function noonAndMidnight({ words }: Lexicon): Parser {
  return rule(
    `(?:${group(words.at)}\\s)?(?:12\\s)?(?:(?<noon>${spelled(words.noon)})|${spelled(words.midnight)})`,
    ({ noon }): Meaning =>
      noon === undefined ? { hour: 0, minute: 0, isMidnight: true } : { hour: 12, minute: 0 },
  );
}

/** "neuf heures et quart", "ocho y veinte", "12 e meia", "huit heures moins dix". */
function hourFirst(lexicon: Lexicon, { past, to }: { past: string; to: string }): Parser {
  const { at, hour, unit, minutes, end } = pieces(lexicon);
  const { minutesOf, around } = readers(lexicon);
  return rule(
    `(?<at>${at})${hour}(?<hourUnit>${unit})?(?<early>${lexicon.meridiem})?\\s(?:(?<past>${spelled(past)})|${spelled(to)})\\s${minutes}${end}`,
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

/** "Viertel nach acht", "10 voor half 4", "quinze para as oito", "fünf vor zwölf". */
function minutesFirst(lexicon: Lexicon, { past, to }: { past: string; to: string }): Parser {
  const { at, hour, unit, minutes, end } = pieces(lexicon);
  const { minutesOf, around } = readers(lexicon);
  const half = wordList(lexicon.words.beforeHour);
  return rule(
    `${at}${minutes}\\s(?:(?<past>${spelled(past)})|${spelled(to)})\\s(?:(?<half>${half.pattern})\\s)?${hour}(?![:.,]?\\d)${unit}?${end}`,
    (found) => {
      const size = minutesOf(found);
      if (size === undefined) return undefined;
      const before = half.meaningOf(found.half) ?? 0;
      return around(found.hour, (found.past === undefined ? 0 - size : size) - before, found.meridiem);
    },
  );
}

/** "8 Uhr 30", "quinze heures trente", "midi trente", "a las tres treinta", "sette e trenta pm". */
function hourThenMinutes(lexicon: Lexicon): Parser {
  const { hour, unit, end } = pieces(lexicon);
  const { around } = readers(lexicon);
  const { words, number, numberOf } = lexicon;
  const zero = `(?:(?<zero>${spelled(words.numbers[0]?.[0] ?? '(?!)')})\\s)?`;
  const named = wordList(words.minutes);
  const minutes = `(?:${zero}(?<minutes>[0-5]\\d|${number})(?:\\s(?:minut${LETTER}*|min))?|(?<named>${named.pattern}))`;
  return rule(
    `(?:(?<at>(?:${group(words.at)}\\s?)?)${hour}(?<unit>${unit})?)\\s${minutes}${end}(?![:.,]?\\d|[/-]\\d|\\s?${group(words.hourUnit)}(?!${LETTER}))`,
    ({ at, hour: full, unit: shown, zero: digit, minutes: past, named: part, meridiem }) => {
      if (part !== undefined)
        return shown === undefined ? undefined : around(full, named.meaningOf(part), meridiem);
      const isNamed = full !== undefined && !/^\d/.test(full) && numberOf(full) === undefined;
      const isLate = (numberOf(past) ?? 0) >= SURELY_MINUTES;
      const inWords = (at !== '' || isLate || digit !== undefined) && !/\d/.test(`${full}${past}`);
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

/** "halb neun", "dreiviertel neun": before the hour. */
function beforeHour(lexicon: Lexicon): Parser {
  const { at, hour, unit, end } = pieces(lexicon);
  const { around } = readers(lexicon);
  const before = wordList(lexicon.words.beforeHour);
  return rule(`${at}(?<before>${before.pattern})\\s${hour}(?![:.,]?\\d)${unit}?${end}`, (found) => {
    const size = before.meaningOf(found.before);
    return size === undefined ? undefined : around(found.hour, 0 - size, found.meridiem);
  });
}
