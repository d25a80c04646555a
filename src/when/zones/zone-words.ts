import { allMatches } from '../grammar/rule.ts';
import { type Limits, takeSteps } from '../limits.ts';
import { fixedOffsetZone, offsetAt, SEASONS } from './wall-clock.ts';
import {
  ABBREVIATIONS,
  CAPITALS_ONLY,
  isNameWord,
  knownZone,
  needsMarker,
  plainWords,
  UNSHARED_ABBREVIATIONS,
  type ZoneMeaning,
  zoneNamed,
} from './zone-index.ts';

/** Where zone words stand in a text, and what they can mean, the likeliest first. */
interface FoundZone {
  start: number;
  end: number;
  meanings: readonly ZoneMeaning[];
}

function foundAt({ 0: words, index: start }: RegExpExecArray, meanings: readonly ZoneMeaning[]): FoundZone {
  return { start, end: start + words.length, meanings };
}

/** Two or three parts with a slash, letters first in each: no date looks like it but "8/May", and that is no zone. */
const SLASHED = /\b[A-Za-z]{2,}(?:_[A-Za-z]+)*\/[A-Za-z][\w+-]*(?:\/[A-Za-z][\w-]*)?/g;

/** "Europe/Berlin", "america/new_york", "Etc/GMT-2". */
function findIanaName(text: string): FoundZone | undefined {
  if (!text.includes('/')) return undefined;
  for (const match of allMatches(text, SLASHED)) {
    const zone = knownZone(match[0]);
    if (zone !== undefined) return foundAt(match, [{ zone }]);
  }
  return undefined;
}

const WORDS = /[\p{L}\p{M}]+/gu;

/** The longest names of a zone's clock have four words ("australian eastern daylight time"). */
const MAX_WORDS = 4;

/** "London time", "Pacific", "in New York": the longest name found that fits, the last one of those. */
function findPlaceName(text: string, fits: (found: FoundZone) => boolean): FoundZone | undefined {
  const words = allMatches(text, WORDS);
  const canName = words.map(([word]) => isNameWord(plainWords(word)));
  if (!canName.includes(true)) return undefined;
  for (let length = Math.min(MAX_WORDS, words.length); length >= 1; length -= 1) {
    for (let first = words.length - length; first >= 0; first -= 1) {
      if (canName.slice(first, first + length).includes(false)) continue;
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
  const [before, after] = [text.slice(0, start), text.slice(end)];
  const isMarked = /\bin\s+$/i.test(before) || /^\s+time\b/i.test(after);
  // "(easter)" and "9am (Christmas)" name feasts, and "(ロンドン)" and "9:00 (Christmas)", as the app writes it, places.
  const isPlace = /^\P{Ll}/u.test(text.slice(start)) && !/\d[ap]m?\s*\($/.test(before);
  const isName = !needsMarker(name) || isMarked || (isPlace && isInBrackets(before, after));
  return meaning === undefined || !isName ? undefined : { start, end, meanings: [meaning] };
}

/** Whether brackets have nothing but the name and a clock: "(PT)", "(Berlin time)", "(Tokyo, 18:00)"; not "(la sera)". */
function isInBrackets(before: string, after: string): boolean {
  return /[([]\s*$/.test(before) && /^(?:['’]s)?(?:\s+local)?(?:\s+time\b)?[\s,]*(?:[)\]]|\d|$)/i.test(after);
}

/** "9am et", "14:30 ct": right after a time these are no words. */
const CLOCKS = /^(?:e|c|m)t$/i;
const AFTER_CLOCK_TIME = /(?:\d\s?[ap]\.?m?\.?|\d:\d\d)\s*$/i;

const SHORT_WORDS =
  /(?<![\p{L}\p{N}])[A-Za-z]{2,4}(?![\p{L}\p{N}])|(?<=\d(?:[ap]m|[AP]M)?)[A-Z]{3,4}(?![\p{L}\p{N}])/gu;

/** "PT", "cet", "IST": the last one in the text that fits, since zone words follow the time. */
function findAbbreviation(
  text: string,
  capitalsOnly: boolean,
  fits: (found: FoundZone) => boolean,
): FoundZone | undefined {
  const isMeant = ({ 0: word, index }: RegExpExecArray): boolean => {
    const capitals = word.toUpperCase();
    // "9H LA NOCHE" is no clock in Spanish.
    if (capitalsOnly && capitals === 'LA') return false;
    if (word === capitals || !ABBREVIATIONS.has(capitals)) return ABBREVIATIONS.has(capitals);
    const isAfterTime = CLOCKS.test(word) && AFTER_CLOCK_TIME.test(text.slice(0, index));
    return !capitalsOnly && (isAfterTime || !CAPITALS_ONLY.has(capitals));
  };
  const found = allMatches(text, SHORT_WORDS)
    .filter(isMeant)
    .map((match) => foundAt(match, ABBREVIATIONS.get(match[0].toUpperCase()) ?? []));
  return findPair(text) ?? found.findLast(fits);
}

const PAIRS = /\b([A-Z]{3,4})\s?\/\s?([A-Z]{3,4})\b/g;

/** "CET/CEST", "PST/PDT": the clock of one zone, whatever the season. */
function findPair(text: string): FoundZone | undefined {
  if (!text.includes('/')) return undefined;
  for (const match of allMatches(text, PAIRS)) {
    const [zone, other] = match.slice(1).map((word) => ABBREVIATIONS.get(word)?.[0]?.zone);
    if (zone !== undefined && zone === other) return foundAt(match, [{ zone }]);
  }
  return undefined;
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
  // "9:00 am -0500": no range ends at five past midnight.
  /(?<=\d\s?[ap]\.?m\.?)\s?(?<sign>[-−])(?<hours>0\d):?(?<minutes>[0-5]\d)(?![\d:])/i,
];

/** Each of these offsets has one. */
const SIGNS = /[+\-−z]|plus|minus/i;

const LARGEST_OFFSET = 14 * 60;

/** An offset from UTC in figures. One that no zone has all year keeps the clock of UTC and the offset beside it. */
export function findUtcOffset(text: string): FoundZone | undefined {
  if (!SIGNS.test(text)) return undefined;
  for (const pattern of OFFSETS) {
    const match = pattern.exec(text);
    if (match === null) continue;
    const { sign = '+', hours = '0', minutes = '0' } = match.groups ?? {};
    const size = Number(hours) * 60 + Number(minutes);
    if (size > LARGEST_OFFSET) return undefined;
    const offset = /\+|plus/i.test(sign) ? size : 0 - size;
    return foundAt(match, [{ zone: fixedOffsetZone(offset) ?? 'Etc/UTC', offset }]);
  }
  return undefined;
}

/** Looking for zone words takes a fraction of the time that a grammar takes for as many letters. */
const ZONE_LETTERS_PER_STEP = 5;

/** What is left of the text without its zone words, and what these can mean: nothing where there are none. */
interface ZoneWords {
  rest: string;
  meanings: readonly ZoneMeaning[];
  /** Where only a title names a zone ("kickoff of phoenix: monday 9am"): what is left without it, and its meanings. */
  inTitle?: { rest: string; meanings: readonly ZoneMeaning[] };
}

/**
 * Takes the zone words out of a text. An abbreviation that `ownZone` uses means that zone. A place and an offset
 * together ("Berlin, UTC+02:00") are the place's clock, at the one of an hour's two passes that has this offset. Other
 * languages than English have words that look like abbreviations ("cet", "est", "et"): there these count in capitals only.
 */
export function findZoneWords(
  text: string,
  { locale, ownZone, limits }: { locale: string; ownZone?: string; limits?: Limits },
): ZoneWords {
  if (limits !== undefined) takeSteps(limits, Math.ceil(text.length / ZONE_LETTERS_PER_STEP));
  const isEnglish = /^en\b/i.test(locale.replace('_', '-'));
  // "P.S.T." is "PST" and "U.S." is "US", but "P.M." is no zone.
  const plain = text.replace(/\b(?![AP]\.M\b)([A-Z])\.([A-Z])\.(?:([A-Z])\.)?/g, '$1$2$3');
  const place = findIanaName(plain);
  const withoutPlace = cut(plain, place);
  const offset = findUtcOffset(withoutPlace);
  const rest = cut(withoutPlace, offset);
  if (place !== undefined) return { rest, meanings: together(place.meanings, offset?.meanings) };
  const findNamed = (fits: (found: FoundZone) => boolean): FoundZone | undefined => {
    const abbreviation = offset === undefined ? findAbbreviation(rest, !isEnglish, fits) : undefined;
    if (abbreviation === undefined || ownZone === undefined) return abbreviation ?? findPlaceName(rest, fits);
    const isOwn = namesClockOf(ownZone, rest, abbreviation);
    return isOwn ? { ...abbreviation, meanings: [{ zone: ownZone }] } : abbreviation;
  };
  const anywhere = findNamed(
    ({ start, end }) =>
      isEnglish || !(WORD_ELSEWHERE.test(rest.slice(start, end)) || FEAST_ELSEWHERE.test(rest.slice(0, end))),
  );
  const mustStand = isEnglish && anywhere !== undefined;
  const named = mustStand ? findNamed((found) => standsAsZone(rest, found)) : anywhere;
  const meanings = together(named?.meanings, offset?.meanings);
  if (named !== undefined) return { rest: cut(rest, named), meanings };
  if (anywhere === undefined || offset !== undefined) return { rest, meanings };
  return { rest, meanings, inTitle: { rest: cut(rest, anywhere), meanings: anywhere.meanings } };
}

/** Words of languages other than English, which name a place only with a capital. */
const WORD_ELSEWHERE = /^(?:central|chile|porto|vienne)$/;
/** Before a time, the name of a feast: "san juan 22h", unlike "22h San Juan". */
const FEAST_ELSEWHERE = /^(?:\p{L}+\s)*san juan$/iu;

/**
 * Whether people in a zone use the abbreviation for their own clock: "BST" in London, "CST" in Winnipeg. It is theirs
 * whatever the season. Zones of a continent share an abbreviation if they have its offset in the same season.
 */
function namesClockOf(ownZone: string, text: string, { start, end, meanings }: FoundZone): boolean {
  const written = text.slice(start, end).toUpperCase();
  const [continent] = ownZone.split('/');
  const isShared = ({ zone, offset }: ZoneMeaning): boolean =>
    !UNSHARED_ABBREVIATIONS.has(written) &&
    zone.startsWith(`${continent}/`) &&
    SEASONS.some((season) => offsetAt(season, zone) === offset && offsetAt(season, ownZone) === offset);
  return (
    ownZone.toUpperCase() === written ||
    meanings.some((meaning) => meaning.zone === ownZone || isShared(meaning))
  );
}

function together(
  named: readonly ZoneMeaning[] | undefined,
  fixed: readonly ZoneMeaning[] | undefined,
): readonly ZoneMeaning[] {
  const offset = fixed?.[0]?.offset;
  if (named === undefined) return fixed ?? [];
  return offset === undefined ? named : named.map(({ zone }) => ({ zone, offset }));
}

/** Words that only lead to or follow zone words go with them: "in Berlin", "(PT)", "London time", "heure de Paris". */
function cut(text: string, found: FoundZone | undefined): string {
  if (found === undefined) return text;
  const { start, end } = found;
  const before = text
    .slice(0, start)
    .replace(/(?<=\s|\()(?:hora|horário|heure|ora|orario)\s(?:d[aeo]l?|di)\s$/i, '')
    .replace(/(?:[\s,]*[([]\s*|\s+\bin\s+(?:the\s+)?)$/i, ' ');
  const after = text.slice(end).replace(/^(?:'s)?(?:\s+local)?(?:\s+time\b)?[\s,]*[)\]]?/i, ' ');
  return `${before} ${after}`;
}

const DAY =
  'today|tonight|tomorrow|tmrw?|tom|week|month|year|day|eve|christmas|easter|(?:sun|mon|tues?|wed(?:nes)?|thu(?:rs?)?|fri|sat(?:ur)?)(?:day)?|jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?|\\d{1,2}(?:st|nd|rd|th)';
const PART =
  'noon|midday|midnight|morning|afternoon|evening|night|lunch(?:time)?|eod|eob|cob|cop|business|play';
const NUMBER = 'one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|forty|fifty';
const FIGURES = '\\d[\\d:.h]*\\s?(?:[ap]\\.?\\s?m\\.?|[ap]|h|hrs|hours)?';

/** What a zone follows: "monday 9am Berlin", "at five Pacific", "noon in London". */
const AFTER_TIME = new RegExp(
  `(?:^|[^a-z0-9])(?:${FIGURES}|o['’]?\\s?clock|ish|sharp|[ap]\\.?m\\.?|${DAY}|${PART}|${NUMBER})[\\s,.:;/–-]*$`,
  'i',
);

/** What may come after it: the rest of the moment, what joins it or ends it; never the rest of a title. */
const BEFORE_REST = new RegExp(
  `^[\\s,.:;!?)\\]/–-]*(?:$|\\d|@|(?:${DAY}|${PART}|${NUMBER}|at|on|from|to|by|around|about|this|next|the|a|in|and|or|then|half|quarter|every|each|daily|end|start|beginning|first|last|early|late|please|pls|thanks|sharp)\\b)`,
  'i',
);

/** No title leads to it: "Berlin 9am", "(PT) monday 9am". */
const LEADS = /^[\s([,:@-]*(?:please\s+)?(?:at\s+|on\s+)?$/i;

const MARKED_AFTER = /^(?:['’]s)?(?:\s+local)?\s+time\b/i;

/**
 * Whether a name from `start` to `end` of an English text says whose clock is meant, and is no part of a title:
 * "9am Berlin", "Berlin, tomorrow 9am", "noon (Berlin)", "Berlin time"; not "Berlin office tour 9am".
 */
function standsAsZone(text: string, { start, end }: { start: number; end: number }): boolean {
  const [before, after] = [text.slice(0, start), text.slice(end)];
  if (isInBrackets(before, after) || MARKED_AFTER.test(after)) return true;
  const plain = before.replace(/\bin\s+(?:the\s+)?$/i, '');
  return (AFTER_TIME.test(plain) || LEADS.test(plain)) && BEFORE_REST.test(after);
}

const TIME =
  /(?<![\p{L}\p{N}:.,-]|\d\s?\/)(?:noon|midday|midnight|\d{1,2}(?:[:.h][0-5]\d)?\s?(?:[ap]\.?m?\b\.?|h\b|uhr\b)?)/giu;

/** What people write between two clocks: "4pm ET / 1pm PT", "16:00 CET (10:00 ET)". */
const SEPARATORS = /[/|=,;([]|aka|i\.?e/i;
const SEPARATOR = new RegExp(`^\\s*[)\\]]?\\s*(?:${SEPARATORS.source}\\.?)\\s*$`, 'i');

/** Characters after a time in which its zone is looked for. */
const MAX_ZONE_DISTANCE = 40;

interface Clock {
  start: number;
  end: number;
  zone: string;
}

/**
 * The text once for each clock of "4pm ET / 1pm PT thursday": with that clock and without the others. Empty unless
 * there are several, in different zones, next to each other.
 */
export function splitClocks(text: string): readonly string[] {
  if (!SEPARATORS.test(text)) return [];
  const times = allMatches(text, TIME);
  if (times.length < 2) return [];
  const clocks = times.map((match) => clockAt(text, match)).filter((clock) => clock !== undefined);
  const [first] = clocks;
  const last = clocks.at(-1);
  if (first === undefined || last === undefined || new Set(clocks.map(({ zone }) => zone)).size < 2)
    return [];
  const isList = clocks
    .slice(1)
    .every((clock, index) => SEPARATOR.test(text.slice(clocks[index]?.end, clock.start)));
  if (!isList) return [];
  const before = text.slice(0, first.start);
  const after = text.slice(last.end).replace(/^\s*[)\]]/, '');
  return clocks.map(({ start, end }) => `${before} ${text.slice(start, end)} ${after}`);
}

/** The time with the zone that follows it; undefined without one. */
function clockAt(text: string, match: RegExpExecArray): Clock | undefined {
  const start = match.index;
  const timeEnd = start + match[0].trimEnd().length;
  const [next = ''] = text
    .slice(timeEnd, timeEnd + MAX_ZONE_DISTANCE)
    .split(/[/|=,;()[\]]|\d(?<!(?:UTC|GMT)\s?[+-].?\d)/i);
  const clock = text.slice(start, timeEnd) + next;
  const isNext = ({ start: at }: FoundZone) => clock.slice(timeEnd - start, at).trim() === '';
  const found =
    findUtcOffset(clock) ?? findAbbreviation(clock, false, isNext) ?? findPlaceName(clock, isNext);
  const [meaning] = found?.meanings ?? [];
  return (
    found && meaning && { start, end: start + found.end, zone: `${meaning.zone} ${meaning.offset ?? ''}` }
  );
}
