import { wholeWords } from '../word-edges.ts';
import { WEEKDAY, WEEKDAY_NAME } from './calendar-words.ts';
import { isEveryday } from './everyday-words.ts';
import { SMALL_TALK } from './small-talk.ts';

/** Short forms that people type, and the words that they stand for. */
const SHORT_FORMS: readonly (readonly [RegExp, string])[] = [
  ['nxt', 'next'],
  ['(?<=(?:next|this|nxt)\\s)wk', 'week'],
  ['(?<=(?:next|this|nxt)\\s)yr', 'year'],
  ['(?<=(?:next|this|nxt)\\s)mth', 'month'],
  ['tomoz|tmoz|tomo|tomm', 'tomorrow'],
  ['wknd|wkend', 'weekend'],
  ['morn', 'morning'],
  ['arvo|aft|aftn', 'afternoon'],
  ['nite', 'night'],
  [`(?<=(?:${WEEKDAY}|tomorrow|tom|tmrw|this)\\s)eve`, 'evening'],
].map(([short = '', word = '']) => [everyWord(short), word]);

/** "nxt wk thurs morn" as "next week thurs morning". */
export function spellOut(text: string): string {
  return SHORT_FORMS.reduce((spelled, [short, word]) => spelled.replaceAll(short, word), apart(text));
}

const DAY_WORD = `(?:today|tomorrow|tmrw?|tom|tonight|${WEEKDAY_NAME}|mon|tues?|wed|thu(?:rs)?|fri|sat|sun)`;
const GLUED: readonly RegExp[] = [
  `(?<=\\b${DAY_WORD})(?=@?\\d{1,2}(?::\\d\\d|\\s?[ap]\\.?m|h\\d|$))`,
  `(?<=\\d\\s?(?:[ap]m|noon)|\\bnoon|\\d:\\d\\d)(?=${DAY_WORD}\\b)`,
  `(?<=\\b${DAY_WORD}|\\b(?:this|next))(?=(?:morning|afternoon|evening|night|noon)\\b)`,
  `(?<=\\b(?:this|next|on))(?=(?:${WEEKDAY_NAME}|week|month|year|weekend)\\b)`,
  '(?<=\\b(?:half|quarter)(?:past|to)?)(?=(?:past|to|\\d)\\d{0,2}\\b)',
  '(?<=\\d[a-z]{1,7})(?=from\\s?now\\b)|(?<=from)(?=now\\b)',
  '(?<=\\b(?:a|an|one|two|three|four|five|six))(?=(?:minutes?|hours?|days?|weeks?|months?|years?)\\b)',
].map((boundary) => new RegExp(boundary, 'gi'));

/** "9amtomorrow", "tom9am", "nextweek", "halfpast9" with the blanks that were left out. */
function apart(text: string): string {
  return GLUED.reduce((spaced, boundary) => spaced.replaceAll(boundary, ' '), text);
}

function everyWord(pattern: string): RegExp {
  return new RegExp(wholeWords(pattern).source, 'gi');
}

/** Words that join or soften a moment and say nothing of when: leaving them unread loses nothing. */
const FILLERS =
  "on\\sthe\\s(?:dot|nose|button)|at\\sthe\\sstroke\\sof|at\\sthe\\slatest|(?:no|not)\\slater\\sthan|not\\s(?:before|earlier\\sthan|sooner\\sthan)|or\\sso|at|on|in|of|the|by|for|around|about|approximately|approx|roughly|exactly|precisely|sharp|promptly|please|(?:remind|message|tell)\\sme|(?:to\\s)?(?:post|publish|send|schedule|share)(?:\\s(?:it|this|that))?|some\\s?time|maybe|actually|rather|circa|ca\\.|no\\s(?:sooner|earlier)\\sthan|any\\s?time|starting|due|right|just|say|let's\\s(?:do|say|go\\swith)|how\\sabout|(?:my|our|local)\\stime|o['’]?clock|hrs|h|ish";

/** One piece at a time and never back: a text of such words only is told in one go, however long. */
const PIECE = new RegExp(
  `[\\s,:;.@~()[\\]|!?/-]+|(?:\\b|(?<=:))(?:${SMALL_TALK}|${FILLERS})(?:\\b|(?<=:))`,
  'gi',
);

/** What joins and softens, and nothing that anybody does. */
const PLAIN_PIECE = new RegExp(`[\\s,:;.@~()[\\]|!?/-]+|\\b(?:${FILLERS}|maybe|perhaps|probably)\\b`, 'gi');

/** A filler that makes no sentence of its own. */
export function isPlainFiller(text: string): boolean {
  return text.replaceAll(PLAIN_PIECE, '') === '';
}

/** Words around a moment that can be left unread: those that join it, small talk, and what is done then. */
export function isFiller(text: string): boolean {
  const rest = text.replaceAll(PIECE, ' ').trim().toLowerCase();
  if (rest === '') return true;
  // "The monday of the conference" is another than the next one.
  if (/^\s*of\b/i.test(text)) return false;
  const words = rest.split(/ +/);
  return words.every((word, index) => isEveryday(word) || isOnTheWay(word, words[index + 1]));
}

/** "To the office", "from school": what follows says where, and nothing of when. */
function isOnTheWay(word: string, next: string | undefined): boolean {
  return (word === 'to' || word === 'from') && next !== undefined;
}

/** True where the whole text says "now", which can be no moment to come. */
export function isNow(text: string): boolean {
  return /^\s*(?:right\s+)?(?:now|asap|as\s+soon\s+as\s+possible|immediately|straight\s+away|right\s+away|at\s+the\s+moment|atm|at\s+once|this\s+(?:instant|minute|moment))[\s.!]*$/i.test(
    text,
  );
}
