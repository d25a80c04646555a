import type { KnownDateOrder } from './date-order.ts';
import { MAX_ZONE_LENGTH } from './limits.ts';
import { formatOffsetAt, offsetAt } from './zones/wall-clock.ts';
import {
  ABBREVIATIONS,
  ALL_ZONES,
  CLOCK_WORDS,
  isFixedOffset,
  knownZone,
  POPULAR_ZONES,
  placeOf,
  plainWords,
  zoneIdentity,
  zoneNamed,
} from './zones/zone-index.ts';
import { findUtcOffset, findZoneWords } from './zones/zone-words.ts';

export { MAX_ZONE_LENGTH } from './limits.ts';
export {
  formatOffsetAt,
  instantAfterGap,
  instantsShowing,
  offsetAt,
  wallClockAt,
} from './zones/wall-clock.ts';

/** A zone as a choice: its IANA name and a label such as "Berlin (UTC+01:00) — Europe/Berlin". */
interface ZoneChoice {
  zone: string;
  label: string;
}

/** Slack shows at most 100 options of a select, each of at most 75 characters (docs.slack.dev, option object). */
const MOST_CHOICES = 100;
const LONGEST_LABEL = 75;

/** True for a name of the zone database, links and any case included; false for offsets such as "+01:00". */
export function isZone(name: string): boolean {
  return zoneIdentity(name) !== undefined;
}

/** "Berlin" for Europe/Berlin. The IANA name itself where several zones share the place's name. */
export function zoneName(zone: string): string {
  if (zone.length > MAX_ZONE_LENGTH) return zone;
  const known = knownZone(zone) ?? zone;
  if (zoneIdentity(known) === 'UTC' || isFixedOffset(known)) return placeOf(known);
  const place = placeOf(known);
  const meant = zoneNamed(plainWords(place));
  const isItsOwn = meant !== undefined && zoneIdentity(meant.zone) === zoneIdentity(known);
  return isItsOwn ? place : known;
}

/** The clocks of the last two never show the same day. */
const TRIED_ZONES = ['UTC', 'Etc/GMT+12', 'Etc/GMT-14'];

/**
 * Whether a text can't be read in UTC for an author whose zone isn't known. `read` lists everything that the text can mean in
 * a zone. "Tomorrow 9am" means another instant in each zone, but "in 2 hours" and "tomorrow 9am in Berlin" mean one in all.
 */
export function dependsOnZone(read: (zone: string) => readonly string[]): boolean {
  const [inUtc = [], ...elsewhere] = TRIED_ZONES.map(read);
  const isShared = inUtc.some((meaning) => elsewhere.every((meanings) => meanings.includes(meaning)));
  return !isShared && [inUtc, ...elsewhere].some((meanings) => meanings.length > 0);
}

/** The zones that fit the words, the best fit first, at most 100; without words, those that many people mean. */
export function searchZones(words: string, now: Date): readonly ZoneChoice[] {
  if (words.length > MAX_ZONE_LENGTH) return [];
  const wanted = wantedZones(words);
  if (wanted.plain === '') return POPULAR_ZONES.map((zone) => choice(zone, now));
  const ranked = [...new Set([...wanted.exact, ...POPULAR_ZONES, ...ALL_ZONES])]
    .map((zone) => ({ zone, rank: rankOf(zone, wanted, now) }))
    .filter(({ rank }) => rank > 0)
    .sort((a, b) => b.rank - a.rank);
  return ranked.slice(0, MOST_CHOICES).map(({ zone }) => choice(zone, now));
}

/**
 * The zones that words such as "PT", "London time", "UTC+2" or "Europe/Berlin" name, and whether they say nothing else.
 * "IST" names several. "EST" is New York's clock, although the zone database has the name for Panama's.
 */
export function findZonesByName(words: string): { zones: readonly string[]; coversWholeText: boolean } {
  const name = words.trim();
  if (name.length > MAX_ZONE_LENGTH) return { zones: [], coversWholeText: false };
  const isAbbreviation = ABBREVIATIONS.has(name.toUpperCase());
  const known = isAbbreviation ? undefined : knownZone(name);
  if (known !== undefined) return { zones: [known], coversWholeText: true };
  const { rest, meanings } = findZoneWords(isAbbreviation ? name.toUpperCase() : words, { locale: 'en' });
  return { zones: [...new Set(meanings.map(({ zone }) => zone))], coversWholeText: rest.trim() === '' };
}

/** What a search is for, worked out once for all zones. */
interface Wanted {
  plain: string;
  exact: readonly string[];
  /** Minutes east of UTC. */
  offset: number | undefined;
}

function wantedZones(words: string): Wanted {
  const plain = plainWords(words);
  const abbreviated = ABBREVIATIONS.get(words.trim().toUpperCase()) ?? [];
  const named = abbreviated.length > 0 ? abbreviated.map(({ zone }) => zone) : [knownZone(words.trim())];
  const exact = [...named, zoneNamed(plain)?.zone];
  const signed = /^[+-]/.test(words.trim()) ? `UTC${words}` : words;
  return {
    plain,
    exact: exact.filter((zone) => zone !== undefined),
    offset: findUtcOffset(signed)?.meanings[0]?.offset,
  };
}

/** 4: named exactly · 3: its place begins so · 2: another word of its name does · 1: its clock's name or offset has it. */
function rankOf(zone: string, { plain, exact, offset }: Wanted, now: Date): number {
  if (exact.includes(zone)) return 4;
  if (plainWords(placeOf(zone)).startsWith(plain)) return 3;
  if (` ${plainWords(zone)}`.includes(` ${plain}`)) return 2;
  if (offset !== undefined) return offsetAt(now.getTime(), zone) === offset ? 1 : 0;
  return plain.length > 2 && CLOCK_WORDS.get(zone)?.includes(plain) === true ? 1 : 0;
}

function choice(zone: string, now: Date): ZoneChoice {
  const label = `${placeOf(zone)} (${formatOffsetAt(now.getTime(), zone)}) — ${zone}`;
  return { zone, label: label.length > LONGEST_LABEL ? `${label.slice(0, LONGEST_LABEL - 1)}…` : label };
}

declare global {
  namespace Intl {
    interface Locale {
      /** ECMA-402, Intl Locale Info. The zones of the locale's region, under the names that the runtime lists. */
      getTimeZones(): string[] | undefined;
    }
  }
}

const MONTH_FIRST_REGIONS = 'US AS GU MP PR UM VI PH JP KR KP CN TW HU LT MN'.split(' ');
/** Where people write both: in Canada and South Africa, English has both orders beside the one of ISO 8601. */
const MIXED_REGIONS = ['CA', 'ZA'];

const listZones = (regions: readonly string[]) =>
  new Set(
    regions
      .flatMap((region) => new Intl.Locale('und', { region }).getTimeZones() ?? [])
      .map((zone) => zoneIdentity(zone)),
  );

/** Read at the first use, because it takes milliseconds. */
let zones:
  | { monthFirst: ReadonlySet<string | undefined>; mixed: ReadonlySet<string | undefined> }
  | undefined;

/** The order that people write in the region of a zone. Undefined for a zone of no region, and where they write both. */
export function dateOrderIn(zone: string): KnownDateOrder | undefined {
  const identity = zoneIdentity(zone);
  if (identity === undefined || !identity.includes('/')) return undefined;
  zones ??= { monthFirst: listZones(MONTH_FIRST_REGIONS), mixed: listZones(MIXED_REGIONS) };
  if (zones.mixed.has(identity)) return 'unsure';
  return zones.monthFirst.has(identity) ? 'month-first' : 'day-first';
}
