import type { NotUnderstood } from '../../moment.ts';
import { notUnderstood } from '../../refusals.ts';
import { MONTH, WEEKDAY } from './calendar-words.ts';
import { NUMBER_WORD } from './numbers.ts';

const PERIODS = '(?:day|weekday|week|weekend|month|quarter|year|morning|afternoon|evening|night)';
const UNITS = '(?:seconds?|secs?|minutes?|mins?|hours?|hrs?|days?|weeks?|months?|years?)';

interface Refusal {
  words: RegExp;
  reason: string;
}

const anyWord = (pattern: string): RegExp =>
  new RegExp(`(?<![\\p{L}\\p{N}])(?:${pattern})(?![\\p{L}\\p{N}])`, 'iu');

const RANGE = 'That is a range: name the moment at which to post.';

/** What is no single moment to come, told by its words before any rule reads them. */
const REFUSALS: readonly Refusal[] = [
  {
    words: anyWord(
      `yesterday|ago|(?:last|past|previous)\\s(?:${PERIODS}|${WEEKDAY}|${MONTH})(?!\\s(?:of|in)\\b)|earlier|in\\sthe\\spast`,
    ),
    reason: 'That is over: name a moment to come.',
  },
  {
    words: anyWord(
      `every\\w*|each|daily|weekly|monthly|yearly|annual(?:ly)?|quarterly|bi-?(?:weekly|monthly|annual(?:ly)?)|hourly|(?:once|twice|one)\\sa\\s${PERIODS}|weekdays|weekends|(?:sun|mon|tues|wednes|thurs|fri|satur)days|mornings|afternoons|evenings|nights`,
    ),
    reason: 'That repeats: name one moment, such as its first.',
  },
  {
    words: anyWord(
      `between|until|till?|through|thru|(?:from|since)\\s.*(?:\\sto\\s|\\s?[-~]\\s?).*|for\\s(?:the\\s)?(?:\\d+(?:\\.\\d+)?|${NUMBER_WORD}|an?)\\s?${UNITS}`,
    ),
    reason: RANGE,
  },
  {
    words:
      /(?<![\d./-])\d{1,2}(?::\d\d)?\s?(?:[ap]\.?m\.?)?\s?[-~]\s?\d{1,2}(?::\d\d)?\s?(?:[ap]\.?m\.?)?(?![\d./-])/i,
    reason: RANGE,
  },
  {
    words: new RegExp(
      `^\\W*(?:(?:in|during|on|for)\\s)?(?:the\\s)?(?:(?:this|next|coming|following)\\s)?(?:week|weekend|month|quarter|year|${MONTH})(?:\\s\\d{4})?\\W*$`,
      'i',
    ),
    reason: 'That is a whole stretch of time: name the day.',
  },
  { words: anyWord('or'), reason: 'That is a choice: name one moment.' },
];

/** Why the words are no single moment to come, or undefined where nothing says so. */
export function refusalOf(text: string): NotUnderstood | undefined {
  for (const { words, reason } of REFUSALS) {
    const found = words.exec(text);
    if (found !== null) return notUnderstood(found[0], reason);
  }
  return undefined;
}
