import { type NotUnderstood, REASONS } from '../../moment.ts';
import { findRefusal, type Refusals, wholeWords } from '../rule.ts';
import { MONTH, NUMBER_WORD, WEEKDAY } from './vocabulary.ts';

const PERIODS = '(?:day|weekday|week|weekend|month|quarter|year|morning|afternoon|evening|night)';
const UNITS = '(?:seconds?|secs?|minutes?|mins?|hours?|hrs?|days?|weeks?|months?|years?)';

/** Things with numbers: "room 204". */
const NUMBERED =
  'rooms?|gates?|version|episodes?|chapters?|pages?|levels?|platform|terminal|seats?|season|lesson|unit|apartment|suite|floor|route|highway|exit|step|phase|volume|figure|section|items?|issue|ticket|task|slide|question|bus|flight|train';

const REFUSALS: Refusals = [
  [
    wholeWords(
      `(?<!\\b(?:from|after)\\s)yesterday|ago|(?:last|past|previous)\\s(?:${PERIODS}|${WEEKDAY}|${MONTH})(?!\\s(?:of|in|this|next)\\b|\\sbefore\\s(?!noon|midnight|lunch|\\d+\\s?(?:[ap:.]|o')))|(?<!\\bnot?\\s)earlier|in\\sthe\\spast`,
    ),
    REASONS.past,
  ],
  [
    wholeWords(
      `every\\w*|each|daily|weekly|monthly|yearly|annual(?:ly)?|quarterly|fortnightly|bi-?(?:weekly|monthly|annual(?:ly)?)|hourly|(?:once|twice|one)\\sa\\s${PERIODS}|(?<!\\b(?:in|after)\\s(?:\\d{1,2}|${NUMBER_WORD})\\s)(?:(?:sun|mon|tues|wednes|thurs|fri|satur)days|mornings|afternoons|evenings|nights|weekends|week-?days)(?!\\s(?:from\\s(?:now|today)|hence|later|out|away|before|after|(?:'s?)?\\stime)\\b)`,
    ),
    REASONS.repeats,
  ],
  [
    wholeWords(
      `between|until|(?<!\\b(?:quarter|half|twenty(?:[\\s-]five)?|1[3-9]|[2-5]\\d|min(?:ute)?s?|(?:5|five)(?=\\still?\\s(?:noon|midnight)))\\s)till?|through|thru|(?:from|since)\\s(?!now\\b|today\\b).*(?:\\sto\\s|\\s?[-~]\\s?).*|for\\s(?:the\\s)?(?:\\d+(?:\\.\\d+)?|${NUMBER_WORD}|an?)\\s?${UNITS}`,
    ),
    REASONS.range,
  ],
  [
    /(?<![\d./-]|w|\d\s?(?:[ap]m)?\son\s)(?!(?:2[5-9]|3[01])-\d\d?(?!\d)|(?:1[0-2]|0?[1-9])-(?:1[3-9]|[2-5]\d)\s?[ap]\.?m|\d\d?-(?:2[5-9]|3[01])(?!\d)|\d\d?-\d\d?,?\s(?:at\s)?\d{1,2}(?::\d\d|\s?[ap]\.?m))\d{1,2}(?::\d\d)?\s?(?:[ap]\.?m\.?)?\s?[-~]\s?\d{1,2}(?::\d\d)?\s?(?:[ap]\.?m\.?)?(?![\d./-])/i,
    REASONS.range,
  ],
  [
    new RegExp(
      `^\\W*(?:(?:during|for|throughout|all)\\s(?:of\\s)?(?:the\\s)?(?:(?:this|next|coming|following)\\s)?(?:week|weekend|month|quarter|year|${MONTH})(?:\\s\\d{4})?|(?:the\\s)?(?:week|month|quarter|year))\\W*$`,
      'i',
    ),
    REASONS.period,
  ],
  [
    wholeWords('in\\s\\d{1,2}\\s?:\\s?[0-5]\\d(?!\\s?[ap]\\.?m)'),
    'That could be a duration or a time. Write “in 1 hour 30 minutes” or “at 1:30 pm”.',
  ],
  [
    wholeWords(
      `(?:${NUMBERED})\\s(?:no\\.?\\s|number\\s)?#?\\d{1,4}(?:\\.\\d{1,2})?(?!\\s?(?:[ap]\\.?m|[ap]\\b|h\\b|st|nd|rd|th|o'|min|sec|hour|day|week|month|year|${MONTH})|[-/:.\\d]|\\sin\\sthe\\s)`,
    ),
    'That number isn’t a time. Add a date or time.',
  ],
  [/(?<![\d/])24\s?\/\s?7(?:\s?\/\s?365)?(?![\d/])/, REASONS.repeats],
  [
    wholeWords('(?:i|you|he|she|it|we|they|who|have|has|had)\\ssat|sat\\s(?:down|back|through|around|by)'),
    'I found no date or time.',
  ],
  [wholeWords('(?<!\\bon\\s)or(?!\\s(?:so|thereabouts)\\b)'), REASONS.choice],
];

/** The refusal of a text that isn't one time in the future. */
export function refusalOf(text: string): NotUnderstood | undefined {
  return findRefusal(REFUSALS, text);
}
