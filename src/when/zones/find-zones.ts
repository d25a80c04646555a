import { fixedOffsetZone } from './wall-clock.ts';
import {
  ABBREVIATIONS,
  type AbbreviatedZone,
  AMBIGUOUS_ABBREVIATIONS,
  CAPITALS_ONLY,
} from './zone-abbreviations.ts';
import { knownZone, needsMarker, plainWords, zoneNamed } from './zone-index.ts';

/** Where zone words stand in a text, and what they can mean, the likeliest first. */
export interface FoundZone {
  start: number;
  end: number;
  meanings: readonly AbbreviatedZone[];
}

/** Two or three parts with a slash, letters first in each: no date looks like it but "8/May", and that is no zone. */
const SLASHED = /\b[A-Za-z]{2,}(?:_[A-Za-z]+)*\/[A-Za-z][\w+-]*(?:\/[A-Za-z][\w-]*)?/g;

/** "Europe/Berlin", "america/new_york", "Etc/GMT-2". */
export function findIanaName(text: string): FoundZone | undefined {
  for (const match of text.matchAll(SLASHED)) {
    const zone = knownZone(match[0]);
    if (zone !== undefined) {
      return { start: match.index, end: match.index + match[0].length, meanings: [{ zone }] };
    }
  }
  return undefined;
}

/** The longest names of a zone's clock have four words ("australian eastern daylight time"). */
const MAX_WORDS = 4;

/** "London time", "Pacific", "in New York": the longest name found that fits, the last one of those. */
export function findPlaceName(text: string, fits: (found: FoundZone) => boolean): FoundZone | undefined {
  const words = [...text.matchAll(/[\p{L}\p{M}]+/gu)];
  for (let length = Math.min(MAX_WORDS, words.length); length >= 1; length -= 1) {
    for (let first = words.length - length; first >= 0; first -= 1) {
      const found = nameAt(text, words[first], words[first + length - 1]);
      if (found !== undefined && fits(found)) return found;
    }
  }
  return undefined;
}

function nameAt(text: string, first?: RegExpExecArray, last?: RegExpExecArray): FoundZone | undefined {
  if (first === undefined || last === undefined) return undefined;
  const start = first.index;
  const end = last.index + last[0].length;
  const name = plainWords(text.slice(start, end));
  const meaning = zoneNamed(name);
  if (meaning === undefined || (needsMarker(name) && !isMarked(text, start, end))) return undefined;
  return { start, end, meanings: [meaning] };
}

function isMarked(text: string, start: number, end: number): boolean {
  return /(?:\(|\bin\s+)$/i.test(text.slice(0, start)) || /^\s+time\b/i.test(text.slice(end));
}

/** "9am et", "14:30 ct": right after a time these are no words. */
const CLOCKS = /^(?:e|c|m)t$/i;
const AFTER_TIME = /(?:\d\s?[ap]\.?m\.?|\d:\d\d)\s*$/i;

/** "PT", "cet", "IST": the last one in the text that fits, since zone words follow the time. */
export function findAbbreviation(
  text: string,
  capitalsOnly: boolean,
  fits: (found: FoundZone) => boolean,
): FoundZone | undefined {
  const pair = findPair(text);
  if (pair !== undefined) return pair;
  let last: FoundZone | undefined;
  for (const match of text.matchAll(
    /(?<![\p{L}\p{N}])[A-Za-z]{2,4}(?![\p{L}\p{N}])|(?<=\d(?:[ap]m|[AP]M)?)[A-Z]{3,4}(?![\p{L}\p{N}])/gu,
  )) {
    const isAfterTime = AFTER_TIME.test(text.slice(0, match.index));
    const word = isAfterTime && !capitalsOnly && CLOCKS.test(match[0]) ? match[0].toUpperCase() : match[0];
    const meanings = meaningsOf(word, capitalsOnly);
    if (meanings === undefined) continue;
    const found = { start: match.index, end: match.index + match[0].length, meanings };
    if (fits(found)) last = found;
  }
  return last;
}

/** "CET/CEST", "PST/PDT": the clock of one zone, whatever the season. */
function findPair(text: string): FoundZone | undefined {
  for (const match of text.matchAll(/\b([A-Z]{3,4})\s?\/\s?([A-Z]{3,4})\b/g)) {
    const [first, second] = [match[1] ?? '', match[2] ?? ''].map(
      (word) => meaningsOf(word, false)?.[0]?.zone,
    );
    if (first !== undefined && first === second)
      return { start: match.index, end: match.index + match[0].length, meanings: [{ zone: first }] };
  }
  return undefined;
}

function meaningsOf(word: string, capitalsOnly: boolean): FoundZone['meanings'] | undefined {
  const capitals = word.toUpperCase();
  if (word !== capitals && (capitalsOnly || CAPITALS_ONLY.has(capitals))) return undefined;
  if (Object.hasOwn(AMBIGUOUS_ABBREVIATIONS, capitals)) return AMBIGUOUS_ABBREVIATIONS[capitals];
  const single = Object.hasOwn(ABBREVIATIONS, capitals) ? ABBREVIATIONS[capitals] : undefined;
  return single === undefined ? undefined : [single];
}

/** "UTC+2", "GMT-05:30", "utc plus 1", "GMT+0000 (UTC)". */
const NAMED =
  /\b(?:UTC|GMT)\s?([+\-−]|\s(?:plus|minus))\s?(\d{1,2})(?::?([0-5]\d))?(?![\d:])(?:\s\((?:UTC|GMT)\))?/i;

/** After a time, as in "15:00 +0530" and "2027-01-09T15:00:00-05:00". A minus after a blank would be a range. */
const AFTER_A_TIME =
  /(?<=\d:\d\d(?::\d\d(?:\.\d+)?)?(?:\s?[ap]\.?m\.?)?|\d\s?[ap]\.?m\.?)(?:\s?(\+)|(?<=T[\d:.]+)\s?([-−]))(\d\d):?([0-5]\d)(?![\d:])/i;

/** The minus that RFC 2822 and ISO 8601 write after a time with its date and seconds: "27 Nov 2026 10:30:00 -0800". */
const MINUS_AFTER_SECONDS = /(?<=\b20\d\d\b.*\d:\d\d:\d\d(?:\.\d+)?)\s?([-−])(\d\d):?([0-5]\d)(?![\d:])/i;

/** The same where the year comes last, as Unix prints it: "10:30:00 -0800 2026". */
const MINUS_BEFORE_YEAR = /(?<=\d:\d\d:\d\d)\s([-−])(\d\d)([0-5]\d)(?=\s20\d\d\b)/i;

/** "10:00:00+08", "2027-01-09T15:00-05": ISO 8601's offset in whole hours. */
const HOURS_ONLY =
  /(?<=\d:\d\d(?::\d\d(?:\.\d+)?)?)(?:(\+)|(?<=T[\d:.]+)([-−]))(\d\d)(?![\d:]|\s?(?:h|m|d))/i;

/** "9:00 am -0500": no range ends at five past midnight. */
const AFTER_MERIDIEM = /(?<=\d\s?[ap]\.?m\.?)\s?([-−])(0\d):?([0-5]\d)(?![\d:])/i;

/** "15:00Z", "20261127T103000Z", "1500 zulu". */
const ZULU =
  /(?<=\d:\d\d(?::\d\d(?:\.\d+)?)?|T\d\d(?:\d\d){0,2})Z\b|(?<=(?:\d:|\b[0-2]\d)[0-5]\d\s?)zulu\b|(?<=\b[0-2]\d[0-5]\d)Z\b/i;

const LARGEST_OFFSET = 14 * 60;

/** An offset from UTC in figures. One that no zone has all year keeps the clock of UTC and the offset beside it. */
export function findUtcOffset(text: string): FoundZone | undefined {
  const zulu = ZULU.exec(text);
  if (zulu !== null)
    return {
      start: zulu.index,
      end: zulu.index + zulu[0].length,
      meanings: [{ zone: 'Etc/UTC', offset: 0 }],
    };
  const named = NAMED.exec(text);
  if (named !== null) return found(named, named[1], named[2], named[3]);
  const after = AFTER_A_TIME.exec(text);
  if (after !== null) return found(after, after[1] ?? after[2], after[3], after[4]);
  const hours = HOURS_ONLY.exec(text);
  if (hours !== null) return found(hours, hours[1] ?? hours[2], hours[3]);
  const minus = MINUS_AFTER_SECONDS.exec(text) ?? MINUS_BEFORE_YEAR.exec(text) ?? AFTER_MERIDIEM.exec(text);
  return minus === null ? undefined : found(minus, minus[1], minus[2], minus[3]);
}

function found(match: RegExpExecArray, sign = '+', hours = '0', minutes = '0'): FoundZone | undefined {
  const size = Number(hours) * 60 + Number(minutes);
  if (size > LARGEST_OFFSET) return undefined;
  const offset = /\+|plus/i.test(sign) ? size : 0 - size;
  const meanings = [{ zone: fixedOffsetZone(offset) ?? 'Etc/UTC', offset }];
  return { start: match.index, end: match.index + match[0].length, meanings };
}
