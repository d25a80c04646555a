import type { Parser } from 'chrono-node';
import { rule } from '../rule.ts';
import { clock } from './clock.ts';
import type { Lexicon } from './lexicon.ts';
import { LETTER, spelled } from './spelling.ts';
import { wordList } from './word-list.ts';

const SECONDS = '(?::[0-5]\\d(?:\\.\\d{1,6})?)?';

/** Times on a clock: "14:30", "8 Uhr 30", "18h15", "9am", "a las nueve", "20.15 Uhr", "um 1430". */
export function timeRules({ words, number, numberOf, meridiem: halves }: Lexicon): Parser[] {
  const end = `(?<meridiem>${halves})?`;
  const at = `(?:${spelled(words.at)})`;
  const parts = `(?:${wordList(words.parts).pattern}|${wordList(words.partsOfToday).pattern})`;
  const unit = `(?:\\s?(?:${spelled(words.hourUnit)})(?!${LETTER}))`;
  return [
    rule(
      `(?:${at}\\s?)?(?<hour>\\d{1,2})(?::|\\s?(?:${words.hourLetter}))(?<minute>[0-5]\\d)${SECONDS}${unit}?${end}(?!:)`,
      ({ hour, minute, meridiem }) =>
        clock({ hour: Number(hour), minute: Number(minute), isShown: true }, { meridiem, figures: hour }),
    ),
    rule(
      `(?:${at}\\s(?<![\\d.])(?<hour>\\d{1,2})\\.(?<minute>[0-5]\\d)(?::[0-5]\\d)?(?![.\\d])${unit}?|(?<![\\d.])(?<hour>\\d{1,2})\\.(?<minute>[0-5]\\d)${unit}|(?<![\\d.])(?<hour>\\d{1,2})\\.(?<minute>[0-5]\\d)(?=${halves}))${end}`,
      ({ hour, minute, meridiem }) =>
        clock({ hour: Number(hour), minute: Number(minute), isShown: true }, { meridiem, figures: hour }),
    ),
    rule(
      `(?:${at}\\s?)?(?<hour>\\d{1,2}|${number})(?:${unit}${end}|(?<early>${halves}))`,
      ({ hour, meridiem, early }) => {
        const value = numberOf(hour);
        if (value === undefined) return undefined;
        return clock({ hour: value, isShown: true }, { meridiem: meridiem ?? early, figures: hour });
      },
    ),
    rule(`${at}\\s?(?<hour>\\d{1,2}|${number})(?![:.,]\\d|[/-]\\d)`, ({ hour }) => {
      const value = numberOf(hour);
      return value === undefined ? undefined : clock({ hour: value, isShown: false }, { figures: hour });
    }),
    rule(`(?:${at}\\s?)?(?<hour>\\d{1,2}|${number})(?=,?\\s${parts}(?!${LETTER}))`, ({ hour }) => {
      const value = numberOf(hour);
      return value === undefined ? undefined : clock({ hour: value, isShown: false }, { figures: hour });
    }),
    rule(`(?<hour>\\d{1,2}|${number})`, ({ hour }) => {
      const value = numberOf(hour);
      const said =
        value === undefined || value === 0
          ? undefined
          : clock({ hour: value, isShown: false }, { figures: hour });
      return said === undefined ? undefined : { ...said, needsDay: true };
    }),
    rule(
      `(?:${at}\\s(?<hour>[01]\\d|2[0-3])(?<minute>[0-5]\\d)${unit}?|(?<hour>[01]\\d|2[0-3])(?<minute>[0-5]\\d)${unit})`,
      ({ hour, minute }) => ({ hour: Number(hour), minute: Number(minute) }),
    ),
  ];
}

/** "8.30": two figures with one dot, which could be a date as well. */
export const bareDottedTimes = rule(
  '(?<![\\d.])(?<hour>\\d{1,2})\\.(?<minute>[0-5]\\d)(?![.:\\d])',
  ({ hour, minute }) =>
    clock({ hour: Number(hour), minute: Number(minute), isShown: true }, { figures: hour }),
);
