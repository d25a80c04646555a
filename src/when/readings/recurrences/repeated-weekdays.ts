import { spelled } from '../../grammar/european/spelling.ts';
import { allMatches } from '../../grammar/word-edges.ts';
import { perLanguage, type ReadingLexicon } from '../words/reading-lexicon.ts';

/** ISO weekdays, and the other words. */
interface RepeatedWeekdays {
  days: readonly number[];
  rest: string;
  /** "Every" means every day only before a part of the day: "every morning". */
  needsPart: boolean;
}

const WORKDAYS = [1, 2, 3, 4, 5];
const WEEKEND = [6, 7];
const EVERY_DAY = [...WORKDAYS, ...WEEKEND];

const patternsOf = perLanguage((lexicon) => {
  const { words, weekdays, gap, start, end } = lexicon;
  const { every, weekdayEnding, everyDay, workdays, weekends, everyPart, except } = words.repeats;
  const group = (name: string, pattern: string): string => `(?<${name}>${spelled(pattern)})`;
  const weekday = `${lexicon.weekday}\\.?`;
  const lead = `(?:(?:${spelled(every)})${gap})?`;
  const groups = `${spelled(workdays)}|${spelled(weekends)}`;
  const to = `(?:\\s?[-~〜]\\s?|${gap}(?:${spelled(words.edges.to)})${gap})`;
  const bare = `(?:${spelled(everyDay)}|${lead}(?:${groups}|${weekday}(?:${to}${lead}${weekday})?))`;
  const between = `(?:\\s?[,、・/+&]\\s?(?:${spelled(words.and)}${gap})?|${gap}(?:${spelled(words.and)})${gap}|${gap})`;
  const lists = `${start}${bare}(?:${between}${bare})*${end}`;
  const opened = `(?:(?:${spelled(words.edges.from)})${gap})?`;
  return {
    run: new RegExp(`${start}${opened}${lists}`, 'i'),
    item: new RegExp(
      `${start}(?:${group('everyDay', everyDay)}|${lead}(?:${group('workdays', workdays)}|${group('weekends', weekends)}|(?<weekday>${weekdays.pattern})(?:${spelled(weekdayEnding)})))${end}`,
      'gi',
    ),
    except: new RegExp(`,?\\s?${start}(?:${spelled(except)})${gap}(?<days>${lists})`, 'i'),
    everyPart: new RegExp(`${start}(?:${spelled(everyPart)})${gap}`, 'i'),
    to: new RegExp(`^${to}$`, 'i'),
    range: new RegExp(`${start}${opened}${lead}${weekday}${to}${weekday}${end}`, 'gi'),
    weekday: new RegExp(`^(?<weekday>${weekdays.pattern})(?:${spelled(weekdayEnding)})\\.?$`, 'i'),
  };
});

/** Whether text without accents has a range of weekdays, such as "from tuesday to thursday", at an index. */
export function isWeekdayRange(text: string, index: number, lexicon: ReadingLexicon): boolean {
  const ranges = allMatches(text, patternsOf(lexicon).range);
  return ranges.some((range) => range.index <= index && index < range.index + range[0].length);
}

/** Whether text without accents has weekdays after "except". */
export function exceptsWeekdays(text: string, lexicon: ReadingLexicon): boolean {
  return patternsOf(lexicon).except.test(text);
}

/** The ISO weekday of a word such as "mondays". */
export function toIsoWeekday(word: string, lexicon: ReadingLexicon): number | undefined {
  const day = lexicon.weekdays.meaningOf(patternsOf(lexicon).weekday.exec(word)?.groups?.weekday);
  return day === 0 ? 7 : day;
}

/**
 * Weekdays in text without accents: single ones, ranges and groups, without those after "except". Undefined if no day
 * repeats.
 */
export function repeatedWeekdays(text: string, lexicon: ReadingLexicon): RepeatedWeekdays | undefined {
  const { run, except, everyPart } = patternsOf(lexicon);
  const exceptions = except.exec(text);
  const words = exceptions === null ? text : text.replace(exceptions[0], ' ');
  const dropped = daysIn(exceptions?.groups?.days ?? '', lexicon);
  const found = run.exec(words);
  const [match = ''] = found ?? everyPart.exec(words) ?? [];
  if (match === '') return undefined;
  const named = found === null ? EVERY_DAY : daysIn(match, lexicon);
  const days = named.filter((day) => !dropped.includes(day));
  return { days, rest: words.replace(match, ' ').trim(), needsPart: found === null };
}

function daysIn(words: string, lexicon: ReadingLexicon): readonly number[] {
  const { item, to } = patternsOf(lexicon);
  const days = new Set<number>();
  let before: { days: readonly number[]; end: number } | undefined;
  const items = allMatches(words, item);
  for (const match of items) {
    const named = daysOf(match.groups ?? {}, lexicon);
    const isRange = before !== undefined && to.test(words.slice(before.end, match.index));
    for (const day of isRange ? daysBetween(before?.days[0], named[0]) : named) days.add(day);
    before = { days: named, end: match.index + match[0].length };
  }
  // "Daily sunday" contradicts itself.
  const isContradiction = items.length > 1 && items.some(({ groups }) => groups?.everyDay !== undefined);
  return isContradiction ? [] : [...days].sort((a, b) => a - b);
}

function daysOf(groups: Readonly<Record<string, string | undefined>>, lexicon: ReadingLexicon) {
  const { everyDay, workdays, weekends, weekday } = groups;
  if (everyDay !== undefined) return EVERY_DAY;
  if (workdays !== undefined) return WORKDAYS;
  if (weekends !== undefined) return WEEKEND;
  const day = weekday === undefined ? undefined : toIsoWeekday(weekday, lexicon);
  return day === undefined ? [] : [day];
}

/** "Fri to Mon" includes the weekend. */
function daysBetween(first = 1, last = 7): readonly number[] {
  const length = ((last - first + 7) % 7) + 1;
  return Array.from({ length }, (_, index) => ((first - 1 + index) % 7) + 1);
}
