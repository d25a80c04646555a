import type { Meaning } from '../piece.ts';
import { rule } from '../rule.ts';
import { ORDINAL_FIGURE, ORDINAL_WORD, ordinalOf } from './numbers.ts';

/** "the 15th", "on the fourteenth", "the 15", "21st". */
export const daysOfMonth = rule(
  `(?:the\\s)?(?<figure>${ORDINAL_FIGURE})|the\\s(?<word>${ORDINAL_WORD}|\\d{1,2}(?![:.]\\d))`,
  ({ figure, word }) => within(ordinalOf(figure ?? word), {}),
);

/** "20th of next month", "the 3rd day of this month", "first of the month". */
export const daysOfNamedMonth = rule(
  `(?:the\\s)?(?:(?<day>${ORDINAL_FIGURE}|\\d{1,2}|${ORDINAL_WORD})\\s(?:day\\s)?|day\\s(?<number>\\d{1,2})\\s)(?:of|in)\\s(?:the\\s)?(?:(?<which>this|current|next|coming|following)\\s)?month`,
  ({ day: ordinal, number, which }, today) => {
    const day = ordinal ?? number;
    if (which === undefined) return within(ordinalOf(day), {});
    const month = which === 'this' || which === 'current' ? today : today.plus({ months: 1 });
    return within(ordinalOf(day), { month: month.month, year: month.year });
  },
);

/** "the 5th next month", "next month on the 5th". */
export const daysBesideMonth = rule(
  `(?:the\\s)?(?<before>${ORDINAL_FIGURE}|${ORDINAL_WORD})\\s(?<whichAfter>this|next)\\smonth|(?<which>this|next)\\smonth,?\\s(?:on\\s)?(?:(?<after>${ORDINAL_FIGURE})|the\\s(?<afterThe>${ORDINAL_FIGURE}|${ORDINAL_WORD}|\\d{1,2}(?![:.]\\d)))`,
  ({ before, whichAfter, which, after, afterThe }, today) => {
    const month = (whichAfter ?? which) === 'this' ? today : today.startOf('month').plus({ months: 1 });
    return within(ordinalOf(before ?? after ?? afterThe), { month: month.month, year: month.year });
  },
);

function within(day: number | undefined, month: Meaning): Meaning | undefined {
  return day === undefined || day < 1 || day > 31 ? undefined : { ...month, day };
}
