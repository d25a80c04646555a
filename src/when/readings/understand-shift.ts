import type { Duration } from 'luxon';
import type { Expression } from '../expression.ts';
import { readWords } from '../grammar/read-words.ts';
import { type Limits, readWithinLimits } from '../limits.ts';
import { DEFAULT_LOCALE, type Question } from '../moment.ts';
import { tidyText } from '../tidy-text.ts';
import { todayOf } from './question.ts';

/** How far a moment is moved; negative to an earlier one. Months and days keep the time on the clock. */
export interface Shift {
  months: number;
  days: number;
  minutes: number;
}

interface ShiftQuestion extends Question {
  /** Whether "2 hours" is later. Otherwise it is meant from now. Defaults to false. */
  mayBeBare?: boolean;
}

/**
 * The words around a duration, in all languages. Before it, only "by" means later without another word: "um" also means
 * "at", and "de" also stands in "ofertas de 2 días".
 */
const BY = "um|de|d'|met|di";
const LATER =
  'later|after|später|spaeter|danach|nach hinten|plus tard|après|m[aá]s tarde|despu[eé]s|mais tarde|depois|più tardi|piu tardi|dopo|後ろ倒し|後ろへ|遅く|遅らせる';
const EARLIER =
  'earlier|sooner|before|früher|frueher|vorher|nach vorne?|plus t[oô]t|avant|más temprano|m[aá]s pronto|antes|mais cedo|più presto|piu presto|prima|eerder|vroeger|前倒し|前へ|早く|早める';

const SHIFT = new RegExp(
  `^(?:(?<sign>[+-])\\s?|(?<by>by)\\s|(?:${BY})(?:(?<=')|\\s))?(?<negative>-)?(?<amount>.+?)(?:\\s?(?:(?<later>${LATER})|(?<earlier>${EARLIER})))?$`,
  'iu',
);

/** "By 9h30" is a time of the day as well. */
const HOUR_AND_MINUTES = /^\d+\s?h\s?\d/i;

/** A year. A longer shift is a typing error. */
const MAX_DAYS = 366;
const DAYS_OF_MONTH = MAX_DAYS / 12;

/** Understands how far something is moved: "+1 day", "a week later". Undefined for any other text. Never throws. */
export function understandShift(question: ShiftQuestion): Shift | undefined {
  const { text, mayBeBare = false } = question;
  const read = (limits: Limits) => {
    const { sign, by, negative, amount = '', later, earlier } = SHIFT.exec(tidyText(text))?.groups ?? {};
    const isBy = by !== undefined && !HOUR_AND_MINUTES.test(amount);
    const isDirected = isBy || (sign ?? later ?? earlier) !== undefined;
    const duration = isDirected || mayBeBare ? readDuration(amount, question, limits) : undefined;
    const isEarlier = (sign === '-' || negative !== undefined) !== (earlier !== undefined);
    return duration && toShift(isEarlier ? duration.negate() : duration);
  };
  return readWithinLimits({ text, tooLong: () => undefined }, read);
}

/** Reads a duration as the whole text. */
function readDuration(amount: string, question: Question, limits: Limits): Duration | undefined {
  const { locale = DEFAULT_LOCALE } = question;
  const written = amount.replace(/^(\d+)\s?h\s?(\d\d)$/i, '$1h $2min');
  for (const words of [`+${written}`, `${written.replace(/後に?$/, '')}後`]) {
    const read = readWords(words, todayOf(question), { locale, limits, tryOtherLanguages: true });
    const [first, ...others] = read.kind === 'read' && read.isWhole ? read.expressions : [];
    if (first && others.length === 0 && isDuration(first)) return first.fromNow;
  }
  return undefined;
}

/** Whether the words say nothing but a duration. */
function isDuration({ fromNow, isToday, isSameTime, ...others }: Expression): boolean {
  return fromNow !== undefined && Object.values(others).every((part) => part === undefined);
}

/** Undefined for parts of a month, for nothing at all, and for more than a year. */
function toShift(duration: Duration): Shift | undefined {
  const { years, quarters, weeks, hours, minutes } = duration;
  const months = 12 * years + 3 * quarters + duration.months;
  const days = 7 * weeks + duration.days;
  const shift = {
    months,
    days: Math.trunc(days),
    minutes: Math.round(60 * hours + minutes + (days % 1) * 24 * 60),
  };
  const total = shift.months * DAYS_OF_MONTH + shift.days + shift.minutes / (24 * 60);
  return total === 0 || Math.abs(total) > MAX_DAYS || !Number.isInteger(months) ? undefined : shift;
}
