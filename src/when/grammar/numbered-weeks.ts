import type { Parser } from 'chrono-node';
import { DateTime } from 'luxon';
import { periodOf } from './piece.ts';
import { rule } from './rule.ts';

/** "week 50", "KW 7", "semana 42 2027": its Monday or Friday, or the weekday beside it. The patterns can name a `year`. */
export function numberedWeeks(before: string, after: string): Parser {
  return rule(`${before}(?<week>[1-4]\\d|5[0-3]|0?[1-9])${after}`, ({ week, year }, today) => {
    const number = Number(week);
    const mondayIn = (weekYear: number) =>
      DateTime.fromObject({ weekYear, weekNumber: number }, { zone: 'utc' });
    const next = mondayIn(Number(year ?? today.weekYear));
    const isOver = year === undefined && next.endOf('week') < today;
    const monday = isOver ? mondayIn(today.weekYear + 1) : next;
    if (!monday.isValid) return undefined;
    const contains = { number, ...(year !== undefined && { year: Number(year) }) };
    return { ...periodOf(monday, [monday.plus({ days: 4 })]), contains };
  });
}
