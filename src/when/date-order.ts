/** Which number of a date such as 03/04 is the day. */
export const DATE_ORDERS = ['day-first', 'month-first'] as const;
export type DateOrder = (typeof DATE_ORDERS)[number];

/** A known order, or that both can be meant, so that a date which has both is asked about. */
export type KnownDateOrder = DateOrder | 'unsure';

/** The order that a locale writes (Unicode CLDR). Undefined for what is no locale. */
export function dateOrderOf(locale: string): DateOrder | undefined {
  const known = orders.get(locale) ?? readOrder(locale);
  // Slack has a few dozen locales. Others could fill the memory.
  if (known !== undefined && orders.size < MAX_LOCALES) orders.set(locale, known);
  return known;
}

const MAX_LOCALES = 200;
const orders = new Map<string, DateOrder>();

function readOrder(locale: string): DateOrder | undefined {
  try {
    const format = new Intl.DateTimeFormat(locale.replaceAll('_', '-'), { day: 'numeric', month: 'numeric' });
    const parts = format.formatToParts(0).map(({ type }) => type);
    return parts.indexOf('day') < parts.indexOf('month') ? 'day-first' : 'month-first';
  } catch {
    return undefined;
  }
}

/** A date of two numbers and a year: 03/04/2026, 3.4.26. Points are written only where the day comes first. */
export const NUMERIC_DATE = /(?<![\d/.-])(\d{1,2})([/.-])(\d{1,2})\2(\d{4}|\d{2})(?![\d/-])/;

/** A date of two numbers: 3/4, or 3-4 before 9:00 or 9 am. Alone and before 9.12, 3-4 can be hours. */
const SHORT_DATE =
  /(?<![\p{L}\d/.:-])(\d{1,2})(\/|(?<=^\d+)-(?=\d+,?\s+(?:(?:at|um|à|às|a las|alle|om)\s+)?\d{1,2}(?::\d{2}(?!\d)|\s?[ap]\.?m\b)))(\d{1,2})(?![\d/.:-])/iu;

/** Says which order the dates of some texts show. `unsure`: some can be read both ways, and none shows which. */
export function findDateOrder(times: readonly string[]): KnownDateOrder | undefined {
  let [dayFirst, monthFirst, open] = [false, false, false];
  for (const time of times) {
    const [, first, separator, second] = matchNumericDate(time) ?? [];
    const [one, two] = [Number(first), Number(second)];
    const isDate = Math.min(one, two) <= 12 && Math.max(one, two) <= 31;
    if (!isDate || separator === '.') continue;
    if (one > 12) dayFirst = true;
    else if (two > 12) monthFirst = true;
    else if (one !== two) open = true;
  }
  if (dayFirst !== monthFirst) return dayFirst ? 'day-first' : 'month-first';
  return open ? 'unsure' : undefined;
}

/** Finds the first date of two numbers, and a year after them: the first number, what separates them, the second, the year. */
export function matchNumericDate(text: string): RegExpExecArray | null {
  return NUMERIC_DATE.exec(text) ?? SHORT_DATE.exec(text);
}

/** Whether the dates of a text have to be read in both orders, which all of them share: "5/12 and 6/12". */
export function hasBothOrders({ text, dateOrder }: { text: string; dateOrder: KnownDateOrder }): boolean {
  return dateOrder === 'unsure' && findDateOrder([text]) === 'unsure';
}
