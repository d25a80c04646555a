import type { ParsedResult } from 'chrono-node';
import { meaningOf, saysDay } from '../piece.ts';
import { MONTH, WEEKDAY } from './calendar-words.ts';
import { isEveryday, isPlainFiller } from './fillers.ts';
import { NUMBER_WORD } from './numbers.ts';

/** Words about time, repetition or conditions, in any known language, and past tenses: they can change a time. */
const ABOUT_TIME = new RegExp(
  `^(?:${[
    'not?|nor|never|none|nothing|neither|without|unless|except|excluding|but|besides|instead|rather|skip|avoid|stop|cancel|forget|delete|remove',
    'before|after|until|till?|since|from|between|during|while|when|whenever|once|if|whether|within|through|past|prior|ahead|behind|beyond|ago|later|earlier|sooner|soon|shortly|now|asap|immediately|instantly|recently|already|still|yet|again|ever|always|often|usually|sometimes|mostly|every|each|other|another|alternate|either|or|and|plus|minus|and|versus|vs|than',
    'last|latest|next|previous|following|coming|upcoming|current|second|third|first|final|middle|mid|early|late|half|quarter|start|end|begin|beginning|rest|term|season|spring|summer|autumn|fall|winter|holidays?|vacation|break|eve|dawn|dusk|sunrise|sunset|noon|sun|moon|tide',
    'seconds?|secs?|minutes?|mins?|hours?|hrs?|days?|weeks?|months?|years?|decades?|fortnights?|weekends?|morning|afternoon|evening|tonight|midnight|more|less|most|all',
    'dozens?|hundreds?|thousands?|few|several|couple|many|much|pair|twice|double|triple|minimum|maximum|date|time|times|o|hour|clock|fast|slow|back|forward|behind',
    'met|went|came|saw|had|did|left|sent|got|took|made|said|told|spoke|began|flew|ran|bought|gave|thought|knew|felt|kept|held|wrote|sat|stood|lost|paid|heard|began|became|brought|slept|ate|drank|drove|rode|woke|was|were|been|gone|done|seen',
    'uhr|gegen|morgens?|mittags?|vormittags?|nachmittags?|abends?|nachts?|heute|gestern|tag|jour|soir|matin|midi|minuit|nuit|demain|hier|tarde|noche|manana|hoy|ayer|sera|mattina|oggi|domani|ieri|notte|avond|ochtend|middag|nacht|noite|manha|hoje|amanha|ontem',
    NUMBER_WORD,
    MONTH,
    WEEKDAY,
  ].join('|')})$`,
);

/** "9am XYZ" is an unknown time zone. */
const ABBREVIATION = /^[A-Z]{2,5}$/;

/** A past tense ("visited"), a name of a day or time ("payday", "tea-time"), or a typo of one. */
const LOOKS_LIKE_TIME = /(?:[^e]ed|days?|time|times|nights?|ish|wards?|ly|uary|ember|ober|teen|ty|th)$/;

/** After a time, a title begins with such a word. A place could be a time zone. */
const GOES_ON = /^\s*[,.:;-]?\s*(?:to|for|with|about|regarding|at)\s|^\s*-\s/i;

/** Whether the words around a day and a time can be a title: "kickoff monday 9am". A day alone ("sun") may be none. */
export function isTitleAround({ start }: ParsedResult, around: readonly string[]): boolean {
  const meaning = meaningOf(start);
  const isTimed = meaning.hour !== undefined && !meaning.needsDay;
  return saysDay(meaning) && isTimed && around.every((gap, index) => canPassOver(gap, index > 0));
}

/** Whether the words are a title, and say nothing about time. */
function canPassOver(gap: string, isAfter: boolean): boolean {
  if (isPlainFiller(gap)) return true;
  if (/[^a-z\s',.:;!?()-]/i.test(gap) || (isAfter && !GOES_ON.test(gap))) return false;
  const words = gap.split(/[\s,.:;!?()-]+/).filter((word) => word !== '');
  return words.every((word) => isEveryday(word.toLowerCase()) || isTitle(word));
}

function isTitle(word: string): boolean {
  const small = word.toLowerCase().replace(/'s?$/, '');
  if (ABBREVIATION.test(word) || small.length < 2 || small.includes("'")) return false;
  return /^(?:to|with)$/.test(small) || !(ABOUT_TIME.test(small) || LOOKS_LIKE_TIME.test(small));
}
