import type { Parser } from 'chrono-node';
import { rule } from '../rule.ts';
import { dateOf } from './day-rules.ts';
import type { Lexicon } from './lexicon.ts';
import { wordList } from './word-list.ts';

/** "am Abend", "de la tarde", "ce soir": a stretch of the day, and an hour when none is said. */
export function partsOfDay({ words, weekdays }: Lexicon): Parser[] {
  const parts = wordList(words.parts);
  const ofToday = wordList(words.partsOfToday);
  const ofWeekday = wordList(words.partsOfWeekday);
  return [
    rule(`(?<part>${parts.pattern})`, ({ part }) => {
      const meant = parts.meaningOf(part);
      return meant === undefined ? undefined : { part: meant };
    }),
    rule(`(?<part>${ofToday.pattern})`, ({ part }, today) => {
      const meant = ofToday.meaningOf(part);
      return meant === undefined ? undefined : { ...dateOf(today), isToday: true, part: meant };
    }),
    rule(`(?<=${weekdays.pattern}\\s)(?<part>${ofWeekday.pattern})`, ({ part }) => {
      const meant = ofWeekday.meaningOf(part);
      return meant === undefined ? undefined : { part: meant };
    }),
  ];
}
