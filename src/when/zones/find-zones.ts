import { allMatches } from '../grammar/word-edges.ts';
import { fixedOffsetZone } from './wall-clock.ts';
import { knownZone, needsMarker, plainWords, zoneNamed } from './zone-index.ts';
import { ABBREVIATIONS, CAPITALS_ONLY, type ZoneMeaning } from './zone-names.ts';

/** Where zone words stand in a text, and what they can mean, the likeliest first. */
export interface FoundZone {
  start: number;
  end: number;
  meanings: readonly ZoneMeaning[];
}

/** Two or three parts with a slash, letters first in each: no date looks like it but "8/May", and that is no zone. */
const SLASHED = /\b[A-Za-z]{2,}(?:_[A-Za-z]+)*\/[A-Za-z][\w+-]*(?:\/[A-Za-z][\w-]*)?/g;

/** "Europe/Berlin", "america/new_york", "Etc/GMT-2". */
export function findIanaName(text: string): FoundZone | undefined {
  for (const match of allMatches(text, SLASHED)) {
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
  return ABBREVIATIONS.get(capitals);
}

/** Offsets in figures. The first one that the text has counts. */
const OFFSETS = [
  // "15:00Z", "20261127T103000Z", "1500 zulu".
  /(?<=\d:\d\d(?::\d\d(?:\.\d+)?)?|T\d\d(?:\d\d){0,2})Z\b|(?<=(?:\d:|\b[0-2]\d)[0-5]\d\s?)zulu\b|(?<=\b[0-2]\d[0-5]\d)Z\b/i,
  // "UTC+2", "GMT-05:30", "utc plus 1", "GMT+0000 (UTC)".
  /\b(?:UTC|GMT)\s?(?<sign>[+\-−]|\s(?:plus|minus))\s?(?<hours>\d{1,2})(?::?(?<minutes>[0-5]\d))?(?![\d:])(?:\s\((?:UTC|GMT)\))?/i,
  // "15:00 +0530", "2027-01-09T15:00:00-05:00". A minus after a blank would be a range.
  /(?<=\d:\d\d(?::\d\d(?:\.\d+)?)?(?:\s?[ap]\.?m\.?)?|\d\s?[ap]\.?m\.?)\s?(?<sign>\+|(?<=T[\d:.]+\s?)[-−])(?<hours>\d\d):?(?<minutes>[0-5]\d)(?![\d:])/i,
  // "10:00:00+08", "2027-01-09T15:00-05": ISO 8601's offset in whole hours.
  /(?<=\d:\d\d(?::\d\d(?:\.\d+)?)?)(?<sign>\+|(?<=T[\d:.]+)[-−])(?<hours>\d\d)(?![\d:]|\s?(?:h|m|d))/i,
  // "27 Nov 2026 10:30:00 -0800": the minus of RFC 2822 and ISO 8601 after a date with seconds.
  /(?<=\b20\d\d\b.*\d:\d\d:\d\d(?:\.\d+)?)\s?(?<sign>[-−])(?<hours>\d\d):?(?<minutes>[0-5]\d)(?![\d:])/i,
  // "10:30:00 -0800 2026", as Unix prints it.
  /(?<=\d:\d\d:\d\d)\s(?<sign>[-−])(?<hours>\d\d)(?<minutes>[0-5]\d)(?=\s20\d\d\b)/i,
  // "9:00 am -0500": no range ends at five past midnight.
  /(?<=\d\s?[ap]\.?m\.?)\s?(?<sign>[-−])(?<hours>0\d):?(?<minutes>[0-5]\d)(?![\d:])/i,
];

const LARGEST_OFFSET = 14 * 60;

/** An offset from UTC in figures. One that no zone has all year keeps the clock of UTC and the offset beside it. */
export function findUtcOffset(text: string): FoundZone | undefined {
  for (const pattern of OFFSETS) {
    const match = pattern.exec(text);
    if (match === null) continue;
    const { sign = '+', hours = '0', minutes = '0' } = match.groups ?? {};
    const size = Number(hours) * 60 + Number(minutes);
    if (size > LARGEST_OFFSET) return undefined;
    const offset = /\+|plus/i.test(sign) ? size : 0 - size;
    const meanings = [{ zone: fixedOffsetZone(offset) ?? 'Etc/UTC', offset }];
    return { start: match.index, end: match.index + match[0].length, meanings };
  }
  return undefined;
}
