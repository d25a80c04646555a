import { spelled } from '../../grammar/european/spelling.ts';
import { alone, perLanguage } from '../words/reading-lexicon.ts';
import type { PeriodRule } from './period-rule.ts';
import { once, wholeDays } from './stretch.ts';

interface PastPatterns {
  day: RegExp;
  lastWeekday: RegExp;
}

const patternsOf = perLanguage((lexicon): PastPatterns => {
  const weekday = `(?<weekday>${lexicon.weekdays.pattern})\\.?`;
  const templates = lexicon.words.stretches.lastNamed;
  const last = templates.map((template) => spelled(template).replace('§', weekday));
  return {
    day: alone(lexicon, `(?<day>${lexicon.pastDays.pattern})`),
    lastWeekday: alone(lexicon, last.length === 0 ? '(?!)' : last.join('|')),
  };
});

/** "yesterday", "last friday": days that no moment to come can name. */
export const pastDays: PeriodRule = (words, lexicon, { now }) => {
  const { day, lastWeekday } = patternsOf(lexicon);
  const ahead = lexicon.pastDays.meaningOf(day.exec(words)?.groups?.day);
  if (ahead !== undefined) return once(wholeDays(now.plus({ days: ahead })));
  const weekday = lexicon.weekdays.meaningOf(lastWeekday.exec(words)?.groups?.weekday);
  if (weekday === undefined) return undefined;
  const back = (now.weekday - weekday + 7) % 7;
  return once(wholeDays(now.minus({ days: back === 0 ? 7 : back })));
};
