import { fixedOffsetZone, offsetAt, sayOffset } from './wall-clock.ts';
import { PLACE_NAMES, POPULAR_ZONES, type ZoneMeaning } from './zone-names.ts';

/** New names of zones that the runtime lists under an old one (Node 24, ICU 77). */
const NEW_NAMES = new Map([
  ['Africa/Asmera', 'Africa/Asmara'],
  ['America/Buenos_Aires', 'America/Argentina/Buenos_Aires'],
  ['America/Catamarca', 'America/Argentina/Catamarca'],
  ['America/Coral_Harbour', 'America/Atikokan'],
  ['America/Cordoba', 'America/Argentina/Cordoba'],
  ['America/Godthab', 'America/Nuuk'],
  ['America/Indianapolis', 'America/Indiana/Indianapolis'],
  ['America/Jujuy', 'America/Argentina/Jujuy'],
  ['America/Louisville', 'America/Kentucky/Louisville'],
  ['America/Mendoza', 'America/Argentina/Mendoza'],
  ['Asia/Calcutta', 'Asia/Kolkata'],
  ['Asia/Katmandu', 'Asia/Kathmandu'],
  ['Asia/Rangoon', 'Asia/Yangon'],
  ['Asia/Saigon', 'Asia/Ho_Chi_Minh'],
  ['Atlantic/Faeroe', 'Atlantic/Faroe'],
  ['Europe/Kiev', 'Europe/Kyiv'],
  ['Pacific/Enderbury', 'Pacific/Kanton'],
  ['Pacific/Ponape', 'Pacific/Pohnpei'],
  ['Pacific/Truk', 'Pacific/Chuuk'],
]);

/** All zones of the zone database that have a place, under their new names, and Etc/UTC. */
export const ALL_ZONES: readonly string[] = [
  'Etc/UTC',
  ...Intl.supportedValuesOf('timeZone').map((name) => NEW_NAMES.get(name) ?? name),
];

/** Only of names that exist, in small letters: other words aren't stored. */
const identities = new Map<string, string>();

/**
 * One string for all names of the same zone ("Asia/Calcutta" and "Asia/Kolkata"), undefined for what is no IANA name.
 * An offset such as "+01:00" is no name, although Intl takes it.
 */
export function zoneIdentity(name: string): string | undefined {
  if (!/^[A-Za-z][\w+/-]{1,60}$/.test(name)) return undefined;
  const key = name.toLowerCase();
  const identity = identities.get(key) ?? readIdentity(name);
  if (identity !== undefined) identities.set(key, identity);
  return identity;
}

function readIdentity(name: string): string | undefined {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone;
  } catch {
    return undefined;
  }
}

/** The name in the spelling of the zone database, or the name of today for one that has no place in it ("CET", "GB"). */
export function knownZone(name: string): string | undefined {
  const identity = zoneIdentity(name);
  if (identity === undefined) return undefined;
  const sameName = ALL_ZONES.find((zone) => zone.toLowerCase() === name.toLowerCase());
  if (sameName !== undefined) return sameName;
  if (name.includes('/')) return name;
  return NEW_NAMES.get(identity) ?? (identity === 'UTC' ? 'Etc/UTC' : identity);
}

/** "Buenos Aires" for America/Argentina/Buenos_Aires, "UTC+02:00" for Etc/GMT-2. */
export function placeOf(zone: string): string {
  if (zoneIdentity(zone) === 'UTC') return 'UTC';
  if (zone.startsWith('Etc/')) return sayOffset(offsetAt(0, zone));
  return (zone.split('/').at(-1) ?? zone).replaceAll('_', ' ');
}

/** True where the zone is an offset and no place. */
export function isFixedOffset(zone: string): boolean {
  return zone.startsWith('Etc/') && fixedOffsetZone(offsetAt(0, zone)) !== undefined;
}

/** Names that are ordinary words or parts of a date: a zone only when marked ("Easter time", "(Wake)", "in Nome"). */
const ORDINARY_WORDS = new Set('center christmas easter knox la nome resolute reunion troll wake'.split(' '));

/** One of each season, so that a zone's names for winter and for summer are both found. */
const WINTER = Date.UTC(2026, 0, 1);
const SEASONS = [WINTER, Date.UTC(2026, 6, 1)];

let index: Map<string, ZoneMeaning> | undefined;

/** Zone words as they are compared: small letters, no accents, one blank between words. */
export function plainWords(words: string): string {
  return words
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

/**
 * The zone of a place or of a clock by name ("new york", "pacific", "central european summer time"): places from the
 * zone database and our list of cities, names of clocks and countries from the runtime's CLDR data, and these only of
 * the zones of many people (all 418 would take 90 MB and half a second). Built once, at the first question.
 */
export function zoneNamed(words: string): ZoneMeaning | undefined {
  index ??= buildIndex();
  return index.get(words);
}

/** True for a name that is not enough alone to mean a zone. */
export function needsMarker(words: string): boolean {
  return ORDINARY_WORDS.has(words);
}

/** In pieces, what the first question would wait for. */
export function* warmUpZoneNames(): Generator<() => void> {
  for (const zone of POPULAR_ZONES) yield () => addClockNames(zone, () => {});
  yield () => zoneNamed('');
}

function buildIndex(): Map<string, ZoneMeaning> {
  const names = new Map<string, ZoneMeaning>();
  const add = (name: string, meaning: ZoneMeaning): void => {
    const key = plainWords(name);
    if (key !== '' && !/\d/.test(key) && !names.has(key)) names.set(key, meaning);
  };
  const zones = [...new Set([...POPULAR_ZONES, ...ALL_ZONES])].filter((zone) => !zone.startsWith('Etc/'));
  for (const zone of zones) add(placeOf(zone), { zone });
  for (const [name, meaning] of PLACE_NAMES) add(name, meaning);
  for (const zone of POPULAR_ZONES) addClockNames(zone, add);
  return names;
}

type Add = (name: string, meaning: ZoneMeaning) => void;

function addClockNames(zone: string, add: Add): void {
  for (const name of clockNames(zone)) {
    add(name, { zone });
    add(name.replace(/( Standard)? Time$/, ''), { zone });
  }
  for (const season of SEASONS) {
    const name = clockName(zone, 'long', season);
    if (!/ (Standard|Daylight|Summer) Time$/.test(name)) continue;
    const meaning = { zone, offset: offsetAt(season, zone) };
    add(name, meaning);
    add(name.replace(/ Time$/, ''), meaning);
  }
}

const clocks = new Map<string, readonly string[]>();

/** What people call the zone's clock whatever the season: "Central European Time", "Germany Time". */
function clockNames(zone: string): readonly string[] {
  const known = clocks.get(zone);
  if (known !== undefined) return known;
  const names = [clockName(zone, 'longGeneric', WINTER), clockName(zone, 'shortGeneric', WINTER)];
  const inWords = names.filter((name) => name.endsWith(' Time'));
  clocks.set(zone, inWords);
  return inWords;
}

/** The plain words for a zone's clock and country, such as "central european time germany time"; none for a rare zone. */
export function clockWords(zone: string): string {
  return POPULAR_ZONES.includes(zone) ? plainWords(clockNames(zone).join(' ')) : '';
}

type ClockNameStyle = 'longGeneric' | 'shortGeneric' | 'long';

function clockName(zone: string, style: ClockNameStyle, instantMs: number): string {
  const format = new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: style });
  return format.formatToParts(instantMs).find((part) => part.type === 'timeZoneName')?.value ?? '';
}
