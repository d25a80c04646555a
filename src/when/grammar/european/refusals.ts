import type { NotUnderstood } from '../../moment.ts';
import { notUnderstood } from '../../moment.ts';
import { wholeWords } from '../word-edges.ts';
import type { Lexicon } from './lexicon.ts';
import { spelled } from './spelling.ts';

const CLOCK = '\\d{1,2}(?:[:.h]\\d\\d)?\\s?(?:[ap]\\.?m\\.?|uhr|h|u)?';

/** What is no single moment to come, told by its words before any rule reads them. */
export function refusals({ words, weekdays, months }: Lexicon): (text: string) => NotUnderstood | undefined {
  const [from, to] = words.fromTo;
  const range = 'That is a range: name the moment at which to post.';
  const dashed = words.dashedDates
    ? `${CLOCK}\\s-\\s?${CLOCK}|\\d{1,2}[:.h]\\d\\d\\s?-\\s?${CLOCK}`
    : `${CLOCK}\\s?-\\s?${CLOCK}`;
  const kinds: readonly (readonly [RegExp, string])[] = [
    [wholeWords(spelled(words.over)), 'That is over: name a moment to come.'],
    [wholeWords(spelled(words.repeats)), 'That repeats: name one moment, such as its first.'],
    [wholeWords(spelled(words.range)), range],
    [wholeWords(`(?:${spelled(from)})\\s.*\\s(?:${spelled(to)})\\s.*`), range],
    [new RegExp(`(?<![\\d./-])(?:${dashed})(?![\\d./-])`, 'i'), range],
    [wholeWords(`${weekdays.pattern}\\s?-\\s?${weekdays.pattern}`), range],
    [
      new RegExp(
        `^\\W*(?:(?:${spelled(words.fillers)})\\s)*(?:${spelled(words.stretch)}|(?!${weekdays.pattern}\\b)${months.pattern}\\.?)(?:\\s\\d{4})?\\W*$`,
        'i',
      ),
      'That is a whole stretch of time: name the day.',
    ],
    [wholeWords(spelled(words.idiom)), 'People count these days in two ways: name the day.'],
    [wholeWords(spelled(words.choice)), 'That is a choice: name one moment.'],
  ];
  return (text) => {
    for (const [pattern, reason] of kinds) {
      const found = pattern.exec(text);
      if (found !== null) return notUnderstood(found[0], reason);
    }
    return undefined;
  };
}
