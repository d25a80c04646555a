import { fixedOffsetZone } from './fixed-offset-zone.ts';
import type { FoundZone } from './found-zone.ts';

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
