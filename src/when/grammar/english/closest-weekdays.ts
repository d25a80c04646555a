import { DateTime } from 'luxon';
import type { Meaning } from '../piece.ts';
import { rule } from '../rule.ts';
import { MONTH, monthOf, WEEKDAY, weekdayOf } from './calendar-words.ts';
import { ORDINAL_FIGURE, ORDINAL_WORD, ordinalOf } from './numbers.ts';
import { saidDate } from './said-date.ts';
import { YEAR_BESIDE, yearBeside } from './years.ts';

const DAY = `(?:${ORDINAL_WORD}|${ORDINAL_FIGURE}|\\d{1,2})`;
const NEAR = '(?:closest|nearest)';

/** "The closest monday to oct 5th", "second nearest friday to the 3rd of may", "the tuesday nearest december 25". */
export const closestWeekdays = rule(
  `(?:the\\s)?(?:(?<second>second|2nd)\\s)?(?:${NEAR}\\s(?<day>${WEEKDAY})\\sto|(?<before>${WEEKDAY})\\s${NEAR}(?:\\sto)?)\\s(?:the\\s)?(?:(?<month>${MONTH})\\s(?:the\\s)?(?<number>${DAY})|(?<first>${DAY})\\s(?:of\\s)?(?<last>${MONTH}))${YEAR_BESIDE}`,
  ({ second, day, before, month, number, first, last, ...words }, today) => {
    const weekday = weekdayOf(day ?? before);
    const [inMonth, onDay] = [monthOf(month ?? last), ordinalOf(number ?? first)];
    if (weekday === undefined || inMonth === undefined || onDay === undefined) return undefined;
    const year = yearBeside(words, today);
    const inYear = (named: number) => closest(DateTime.utc(named, inMonth, onDay), weekday, second);
    const said = inYear(year ?? today.year);
    const isOver = year === undefined && said !== undefined && said < today;
    return saidOrNone(isOver ? inYear(today.year + 1) : said);
  },
);

/** The second closest lies on the other side; no two are as far, for a week has seven days. */
function closest(date: DateTime, weekday: number, second: string | undefined): DateTime | undefined {
  if (!date.isValid) return undefined;
  const ahead = (weekday - date.weekday + 7) % 7;
  const isAhead = ahead <= 3;
  const other = second !== undefined;
  return date.plus({ days: isAhead === other && ahead > 0 ? ahead - 7 : ahead === 0 && other ? 7 : ahead });
}

function saidOrNone(date: DateTime | undefined): Meaning | undefined {
  return date === undefined ? undefined : saidDate(date);
}
