import { spelled } from '../../grammar/european/spelling.ts';
import { perLanguage, type ReadingLexicon } from '../words/reading-lexicon.ts';

/** ISO weekdays; the words without those that named them. */
interface RepeatedDays {
  days: readonly number[];
  rest: string;
  /** "Every" names days only before a part of the day: "every morning". */
  needsPart: boolean;
}

const WORKDAYS = [1, 2, 3, 4, 5];
const WEEKEND = [6, 7];
const EVERY_DAY = [...WORKDAYS, ...WEEKEND];

/** One weekday or group of them in a run of such. */
interface DayPatterns {
  run: RegExp;
  item: RegExp;
  except: RegExp;
  everyPart: RegExp;
  to: RegExp;
}

const patternsOf = perLanguage((lexicon): DayPatterns => {
  const { words, weekdays, gap, start, end } = lexicon;
  const { every, weekdayEnding, everyDay, workdays, weekends, everyPart, except } = words.repeats;
  const group = (name: string, pattern: string): string => `(?<${name}>${spelled(pattern)})`;
  const weekday = `${weekdays.pattern}(?:${spelled(weekdayEnding)})\\.?`;
  const lead = `(?:(?:${spelled(every)})${gap})?`;
  const bare = `(?:${spelled(everyDay)}|${lead}(?:${spelled(workdays)}|${spelled(weekends)}|${weekday}))`;
  const to = `(?:\\s?[-~〜]\\s?|${gap}(?:${spelled(words.edges.to)})${gap})`;
  const between = `(?:${to}|\\s?[,、・/+&]\\s?(?:${spelled(words.and)}${gap})?|${gap}(?:${spelled(words.and)})${gap}|${gap})`;
  const lists = `${start}${bare}(?:${between}${bare})*${end}`;
  const opened = `(?:(?:${spelled(words.edges.from)})${gap})?`;
  return {
    run: new RegExp(`${start}${opened}${lists}`, 'i'),
    item: new RegExp(
      `${start}(?:${group('everyDay', everyDay)}|${lead}(?:${group('workdays', workdays)}|${group('weekends', weekends)}|(?<weekday>${weekdays.pattern})(?:${spelled(weekdayEnding)})))${end}`,
      'gi',
    ),
    except: new RegExp(`^\\s*,?\\s?(?:${spelled(except)})${gap}(?<days>${lists})`, 'i'),
    everyPart: new RegExp(`${start}(?:${spelled(everyPart)})${gap}`, 'i'),
    to: new RegExp(`^${to}$`, 'i'),
  };
});

/**
 * The days that words name one by one, from one to another, or as a group, less those after "except". `text` has
 * no accents; undefined where no day repeats.
 */
export function repeatedDays(text: string, lexicon: ReadingLexicon): RepeatedDays | undefined {
  const { run, except, everyPart } = patternsOf(lexicon);
  const found = run.exec(text);
  if (found === null) {
    const part = everyPart.exec(text);
    if (part === null) return undefined;
    return { days: EVERY_DAY, rest: without(text, part.index, part.index + part[0].length), needsPart: true };
  }
  const end = found.index + found[0].length;
  const left = except.exec(text.slice(end));
  const named = daysIn(found[0], lexicon);
  if (left === null) return { days: named, rest: without(text, found.index, end), needsPart: false };
  const dropped = daysIn(left.groups?.days ?? '', lexicon);
  const days = named.filter((day) => !dropped.includes(day));
  return { days, rest: without(text, found.index, end + left[0].length), needsPart: false };
}

function daysIn(words: string, lexicon: ReadingLexicon): readonly number[] {
  const { item, to } = patternsOf(lexicon);
  const days = new Set<number>();
  let before: { days: readonly number[]; end: number } | undefined;
  let items = 0;
  let hasEveryDay = false;
  for (const match of words.matchAll(item)) {
    items += 1;
    hasEveryDay ||= match.groups?.everyDay !== undefined;
    const named = daysOf(match.groups ?? {}, lexicon);
    const isRange = before !== undefined && to.test(words.slice(before.end, match.index));
    for (const day of isRange ? daysBetween(before?.days[0], named[0]) : named) days.add(day);
    before = { days: named, end: match.index + match[0].length };
  }
  // "Daily sunday" says two things.
  const isTwoThings = items > 1 && days.size === EVERY_DAY.length && hasEveryDay;
  return isTwoThings ? [] : [...days].sort((a, b) => a - b);
}

type Found = Readonly<Record<string, string | undefined>>;

function daysOf(
  { everyDay, workdays, weekends, weekday }: Found,
  lexicon: ReadingLexicon,
): readonly number[] {
  if (everyDay !== undefined) return EVERY_DAY;
  if (workdays !== undefined) return WORKDAYS;
  if (weekends !== undefined) return WEEKEND;
  const day = lexicon.weekdays.meaningOf(weekday);
  return day === undefined ? [] : [day === 0 ? 7 : day];
}

/** "Fri to Mon" goes over the weekend. */
function daysBetween(first = 1, last = 7): readonly number[] {
  const length = ((last - first + 7) % 7) + 1;
  return Array.from({ length }, (_, index) => ((first - 1 + index) % 7) + 1);
}

function without(text: string, start: number, end: number): string {
  return `${text.slice(0, start)} ${text.slice(end)}`.trim();
}
