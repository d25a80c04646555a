import { takeSteps } from '../limits.ts';
import {
  type FoundZone,
  findAbbreviation,
  findIanaName,
  findPlaceName,
  findUtcOffset,
} from './find-zones.ts';
import { offsetAt } from './wall-clock.ts';
import { UNSHARED_ABBREVIATIONS, type ZoneMeaning } from './zone-names.ts';

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
export function findZoneWords(text: string, locale: string, ownZone?: string): ZoneWords {
  takeSteps(Math.ceil(text.length / ZONE_LETTERS_PER_STEP));
  const isEnglish = /^en\b/i.test(locale.replace('_', '-'));
  const plain = withoutDots(text);
  const place = findIanaName(plain);
  const withoutPlace = place === undefined ? plain : cut(plain, place);
  const offset = findUtcOffset(withoutPlace);
  const rest = offset === undefined ? withoutPlace : cut(withoutPlace, offset);
  if (place !== undefined) return { rest, meanings: together(place.meanings, offset?.meanings) };
  const naming = { abbreviationsToo: offset === undefined, capitalsOnly: !isEnglish, ownZone };
  const stands = (found: FoundZone): boolean => !isEnglish || standsAsZone(rest, found);
  const named = findNamed(rest, naming, stands);
  const meanings = together(named?.meanings, offset?.meanings);
  if (named !== undefined) return { rest: cut(rest, named), meanings };
  const inTitle = offset === undefined ? findNamed(rest, naming, () => true) : undefined;
  if (inTitle === undefined) return { rest, meanings };
  return { rest, meanings, inTitle: { rest: cut(rest, inTitle), meanings: inTitle.meanings } };
}

/** "P.S.T." as "PST" and "U.S." as "US"; "P.M." is no zone. */
function withoutDots(text: string): string {
  return text.replace(/\b(?![AP]\.M\b)([A-Z])\.([A-Z])\.(?:([A-Z])\.)?/g, '$1$2$3');
}

interface Naming {
  abbreviationsToo: boolean;
  capitalsOnly: boolean;
  ownZone: string | undefined;
}

function findNamed(
  text: string,
  { abbreviationsToo, capitalsOnly, ownZone }: Naming,
  fits: (found: FoundZone) => boolean,
): FoundZone | undefined {
  const abbreviation = abbreviationsToo ? findAbbreviation(text, capitalsOnly, fits) : undefined;
  if (abbreviation === undefined) return findPlaceName(text, fits);
  const written = text.slice(abbreviation.start, abbreviation.end).toUpperCase();
  const isShared = !UNSHARED_ABBREVIATIONS.has(written);
  const isOwn =
    ownZone !== undefined &&
    (ownZone.toUpperCase() === written ||
      abbreviation.meanings.some((meaning) => isUsedIn(ownZone, meaning, isShared)));
  return isOwn ? { ...abbreviation, meanings: [{ zone: ownZone }] } : abbreviation;
}

/**
 * Whether people in a zone use the abbreviation for their own clock: "BST" in London, "CST" in Winnipeg. It is theirs
 * whatever the season. Zones of a continent share an abbreviation if they have its offset in the same season.
 */
function isUsedIn(ownZone: string, { zone, offset }: ZoneMeaning, isShared: boolean): boolean {
  const [continent] = ownZone.split('/');
  if (zone === ownZone || !isShared || !zone.startsWith(`${continent}/`)) return zone === ownZone;
  return SEASONS.some((season) => offsetAt(season, zone) === offset && offsetAt(season, ownZone) === offset);
}

const SEASONS = [Date.UTC(2026, 0, 1), Date.UTC(2026, 6, 1)];

function together(
  named: readonly ZoneMeaning[] | undefined,
  fixed: readonly ZoneMeaning[] | undefined,
): readonly ZoneMeaning[] {
  const offset = fixed?.[0]?.offset;
  if (named === undefined) return fixed ?? [];
  return offset === undefined ? named : named.map(({ zone }) => ({ zone, offset }));
}

/** Words that only lead to or follow zone words go with them: "in Berlin", "(PT)", "London time", "heure de Paris". */
function cut(text: string, { start, end }: FoundZone): string {
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
  `(?:^|[^a-z0-9])(?:${FIGURES}|o['’]?\\s?clock|ish|sharp|hundred|[ap]\\.?m\\.?|${DAY}|${PART}|${NUMBER})[\\s,.:;/–-]*$`,
  'i',
);

/** What may come after it: the rest of the moment, what joins it or ends it; never the rest of a title. */
const BEFORE_REST = new RegExp(
  `^[\\s,.:;!?)\\]/–-]*(?:$|\\d|@|(?:${DAY}|${PART}|${NUMBER}|at|on|from|to|by|around|about|this|next|the|a|in|and|or|then|half|quarter|every|each|daily|end|start|beginning|first|last|early|late|please|pls|thanks|sharp)\\b)`,
  'i',
);

/** No title leads to it: "Berlin 9am", "(PT) monday 9am". */
const LEADS = /^[\s([,:@-]*(?:please\s+)?(?:at\s+|on\s+)?$/i;

const MARKED_BEFORE = /[([]\s*$/;
const MARKED_AFTER = /^(?:['’]s)?(?:\s+local)?\s+time\b/i;

/**
 * Whether a name from `start` to `end` of an English text says whose clock is meant, and is no part of a title:
 * "9am Berlin", "Berlin, tomorrow 9am", "noon (Berlin)", "Berlin time"; not "Berlin office tour 9am".
 */
function standsAsZone(text: string, { start, end }: { start: number; end: number }): boolean {
  const [before, after] = [text.slice(0, start), text.slice(end)];
  if (MARKED_BEFORE.test(before) || MARKED_AFTER.test(after)) return true;
  const plain = before.replace(/\bin\s+(?:the\s+)?$/i, '');
  return (AFTER_TIME.test(plain) || LEADS.test(plain)) && BEFORE_REST.test(after);
}
