import type { FoundZone } from './find-zone-words.ts';
import { fixedOffsetZone } from './fixed-offset-zone.ts';

/** "UTC+2", "GMT-05:30", "utc +0530". */
const NAMED = /\b(?:UTC|GMT)\s?([+\-−])\s?(\d{1,2})(?::?([0-5]\d))?(?![\d:])/i;

/** After a time, as in "15:00 +0530" and "2027-01-09T15:00:00-05:00". A minus after a blank would be a range. */
const AFTER_A_TIME =
  /(?<=\d:\d\d(?::\d\d(?:\.\d+)?)?)(?:\s?(\+)|(?<=T[\d:.]+)([-−]))(\d\d):?([0-5]\d)(?![\d:])/i;

/** "15:00Z". */
const ZULU = /(?<=\d:\d\d(?::\d\d(?:\.\d+)?)?)Z\b/i;

const LARGEST_OFFSET = 14 * 60;

/** An offset from UTC in figures. One that no zone has all year keeps the clock of UTC and the offset beside it. */
export function findUtcOffset(text: string): FoundZone | undefined {
  const zulu = ZULU.exec(text);
  if (zulu !== null)
    return { start: zulu.index, end: zulu.index + 1, meanings: [{ zone: 'Etc/UTC', offset: 0 }] };
  const named = NAMED.exec(text);
  if (named !== null) return found(named, named[1], named[2], named[3]);
  const after = AFTER_A_TIME.exec(text);
  return after === null ? undefined : found(after, after[1] ?? after[2], after[3], after[4]);
}

function found(match: RegExpExecArray, sign = '+', hours = '0', minutes = '0'): FoundZone | undefined {
  const size = Number(hours) * 60 + Number(minutes);
  if (size > LARGEST_OFFSET) return undefined;
  const offset = sign === '+' ? size : 0 - size;
  const meanings = [{ zone: fixedOffsetZone(offset) ?? 'Etc/UTC', offset }];
  return { start: match.index, end: match.index + match[0].length, meanings };
}
