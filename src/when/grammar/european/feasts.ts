import type { Parser } from 'chrono-node';
import { feastDay } from '../feasts.ts';
import { rule } from '../rule.ts';
import type { Lexicon } from './lexicon.ts';
import { spelled } from './spelling.ts';
import { wordList } from './word-list.ts';

/** "Heiligabend", "lundi de Pâques 2027", "Koningsdag". */
export function feasts({ words }: Lexicon): Parser {
  const days = wordList(words.feasts);
  const year = `(?:,?\\s(?:(?:${spelled(words.of)})\\s)?(?<year>20\\d\\d)(?!\\d|[:.]\\d|\\s?(?:${spelled(words.hourUnit)})))`;
  return rule(`(?<name>${days.pattern})${year}?`, ({ name, year: inYear }, today) => {
    const feast = days.meaningOf(name);
    return feast === undefined
      ? undefined
      : feastDay(feast, today, inYear === undefined ? undefined : Number(inYear));
  });
}
