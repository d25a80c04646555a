import { fixedOffsetZone, offsetAt, SEASONS, sayOffset } from './wall-clock.ts';

/** The clock that zone words mean, and the offset if they name one (minutes east of UTC). */
export interface ZoneMeaning {
  zone: string;
  offset?: number;
}

/**
 * Zones that many people mean, from west to east: the choices before a search, and the first choice for a name that
 * several zones share ("Central European Time" is Berlin's, Paris's and thirty others').
 */
export const POPULAR_ZONES: readonly string[] = `
  Pacific/Honolulu America/Anchorage America/Los_Angeles America/Denver America/Phoenix America/Chicago
  America/Mexico_City America/New_York America/Toronto America/Bogota America/Lima America/Halifax America/Santiago
  America/St_Johns America/Sao_Paulo America/Argentina/Buenos_Aires Etc/UTC Europe/London Europe/Lisbon
  Europe/Dublin Africa/Lagos Europe/Berlin Europe/Paris Europe/Madrid Europe/Rome Europe/Amsterdam Europe/Stockholm
  Europe/Warsaw Africa/Johannesburg Europe/Athens Europe/Helsinki Europe/Kyiv Africa/Cairo Asia/Jerusalem
  Europe/Istanbul Africa/Nairobi Europe/Moscow Asia/Riyadh Asia/Dubai Asia/Karachi Asia/Kolkata Asia/Dhaka
  Asia/Bangkok Asia/Jakarta Asia/Ho_Chi_Minh Asia/Shanghai Asia/Hong_Kong Asia/Singapore Asia/Manila Australia/Perth
  Asia/Tokyo Asia/Seoul Australia/Adelaide Australia/Brisbane Australia/Sydney Pacific/Guam Pacific/Auckland
`
  .trim()
  .split(/\s+/);

/**
 * Names that the zone database lacks: places, clocks with "time", both also in other languages, and abbreviations in
 * capitals. An abbreviation has its offset in hours, unless it means the clock of every season ("PT"). If it means several
 * clocks, the most common one is first.
 */
const NAMES = `
  Etc/UTC: coordinated universal time 0, universal time 0, greenwich mean time 0, zulu time 0, UTC 0, GMT 0
  Pacific/Honolulu: hawaii, HST -10
  America/Anchorage: AKST -9, AKDT -8
  America/Los_Angeles: us pacific, las vegas, vegas, los angeles, la, portland, san diego, san francisco, sf
  America/Los_Angeles: seattle, california time, washington state time, nevada time, PT, PST -8, PDT -7
  America/Denver: us mountain, salt lake city, colorado time, utah time, new mexico time, montana time, MT, MST -7
  America/Denver: MDT -6
  America/Edmonton: calgary
  America/Phoenix: arizona time
  America/Chicago: us central, austin, dallas, houston, minneapolis, texas time, illinois time, minnesota time
  America/Chicago: wisconsin time, missouri time, louisiana time, oklahoma time, CT, CDT -5, CST -6
  America/Mexico_City: ciudad de mexico, cdmx
  America/New_York: us eastern, atlanta, boston, miami, philadelphia, washington, washington dc, dc, new york city
  America/New_York: nyc, nueva york, nova york, nova iorque, new yorker zeit, ニューヨーク時間, ny time, florida time
  America/New_York: north carolina time, virginia time, pennsylvania time, ohio time, massachusetts time
  America/New_York: new jersey time, ET, EST -5, EDT -4
  America/Toronto: montreal, ottawa
  America/Bogota: COT -5
  America/Lima: PET -5
  America/Halifax: ADT -3, AST -4
  America/Santiago: CLT -4, CLST -3
  America/St_Johns: NST -3.5, NDT -2.5
  America/Sao_Paulo: brasilia, rio de janeiro, hora de brasilia, horario de brasilia, BRT -3
  America/Argentina/Buenos_Aires: ART -3
  Europe/London: edinburgh, glasgow, manchester, uk, britain, londres, londra, londen, ロンドン時間, british time
  Europe/London: english time, scottish time, england time, scotland time, wales time, BST +1
  Asia/Kolkata: bangalore, bengaluru, chennai, delhi, new delhi, hyderabad, mumbai, indian time, IST +5.5
  Europe/Lisbon: porto, lisboa, lisbonne, lisbona, lissabon, WET 0, WEST +1
  Europe/Dublin: irish time, IST +1
  Europe/Zurich: geneva, basel, zurcher zeit, swiss time
  Europe/Brussels: antwerp, belgian time
  Europe/Vienna: wien, wiener zeit, vienne, austrian time
  Europe/Oslo: norwegian time
  Europe/Copenhagen: danish time
  Africa/Maputo: CAT +2
  Asia/Kathmandu: NPT +5.75
  Asia/Kuala_Lumpur: MYT +8
  Africa/Lagos: WAT +1
  Europe/Berlin: cologne, frankfurt, hamburg, munich, berlino, berlijn, berlim, berliner zeit, deutsche zeit
  Europe/Berlin: deutscher zeit, german time, CET +1, CEST +2, MEZ +1, MESZ +2
  Europe/Paris: lyon, parigi, parijs, pariser zeit, heure francaise, パリ時間, french time
  Europe/Madrid: barcelona, hora peninsular, hora espanola, madri, spanish time
  Europe/Rome: milan, naples, roma, ora italiana, romeinse tijd, italian time
  Europe/Amsterdam: rotterdam, amsterdamse tijd, nederlandse tijd, amsterdamer zeit, dutch time
  Europe/Stockholm: gothenburg, swedish time
  Europe/Warsaw: krakow, polish time
  Africa/Johannesburg: cape town, SAST +2
  Europe/Athens: greek time
  Europe/Helsinki: finnish time, EET +2, EEST +3
  Europe/Kyiv: kiev
  Asia/Jerusalem: tel aviv, israeli time, IST +2
  Europe/Istanbul: turkish time, turkey time, TRT +3
  Africa/Nairobi: EAT +3
  Europe/Moscow: st petersburg, MSK +3
  Asia/Riyadh: AST +3
  Asia/Dubai: abu dhabi, GST +4
  Asia/Karachi: pakistani time, PKT +5
  Asia/Dhaka: BST +6
  Asia/Bangkok: ICT +7
  Asia/Jakarta: WIB +7
  Asia/Ho_Chi_Minh: hanoi
  Asia/Shanghai: beijing, shenzhen, pekin, peking, pechino, pequim, 北京時間, chinese time, CST +8
  Asia/Hong_Kong: HKT +8
  Asia/Singapore: singaporean time, SGT +8
  Asia/Manila: PHT +8
  Australia/Perth: AWST +8
  Asia/Tokyo: osaka, kyoto, tokio, toquio, 日本時間, 東京時間, japanese time, JST +9
  Asia/Seoul: busan, korean time, korea time, KST +9
  Australia/Adelaide: ACST +9.5, ACDT +10.5
  Australia/Sydney: canberra, AEST +10, AEDT +11, AET
  Pacific/Guam: CHST +10
  Pacific/Auckland: wellington, nz time, NZST +12, NZDT +13, NZT
`;

type NamedMeaning = readonly [name: string, meaning: ZoneMeaning];

const ALL_NAMES = NAMES.trim().split('\n').flatMap(namesIn);

function namesIn(line: string): readonly NamedMeaning[] {
  const [zone = '', names = ''] = line.trim().split(': ');
  return names.split(', ').map((name) => {
    const [word = name, hours] = name.split(/\s(?=[+-]?[\d.]+$)/);
    return [word, hours === undefined ? { zone } : { zone, offset: Number(hours) * 60 }];
  });
}

const isAbbreviation = ([name]: NamedMeaning): boolean => /^[A-Z]+$/.test(name);

const PLACE_NAMES = ALL_NAMES.filter((named) => !isAbbreviation(named));

export const ABBREVIATIONS: ReadonlyMap<string, readonly ZoneMeaning[]> = new Map(
  ALL_NAMES.filter(isAbbreviation).map(([name]) => [
    name,
    ALL_NAMES.filter(([other]) => other === name).map(([, meaning]) => meaning),
  ]),
);

/** Abbreviations that are also words: a zone only in capitals ("tomorrow 9am eat lunch"). */
export const CAPITALS_ONLY: ReadonlySet<string> = new Set(
  'ART CAT EAT PET WAT WET WEST COT MT CT ET AET AST BRT MYT PHT'.split(' '),
);

/** Abbreviations that no other zone shares with those above, whatever its offset. */
export const UNSHARED_ABBREVIATIONS: ReadonlySet<string> = new Set(['BST', 'IST']);

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
const zonesByLowerCase: ReadonlyMap<string, string> = new Map(
  ALL_ZONES.map((zone) => [zone.toLowerCase(), zone]),
);

/**
 * All names of three letters in the zone database. The runtime has others from Java: "BST" is Dhaka's there, "ART" Cairo's
 * and "ECT" Paris's. People mean other clocks by them.
 */
const THREE_LETTERS = /^(?:CET|EET|EST|GMT|HST|MET|MST|PRC|ROC|ROK|UCT|UTC|WET)$/i;

/** Only of names that exist, in small letters: other words aren't stored. */
const identities = new Map<string, string>();

/**
 * One string for all names of the same zone ("Asia/Calcutta" and "Asia/Kolkata"), undefined for what is no IANA name.
 * An offset such as "+01:00" is no name, although Intl takes it.
 */
export function zoneIdentity(name: string): string | undefined {
  if (!/^[A-Za-z][\w+/-]{1,60}$/.test(name)) return undefined;
  if (/^[A-Z]{3}$/i.test(name) && !THREE_LETTERS.test(name)) return undefined;
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
  const sameName = zonesByLowerCase.get(name.toLowerCase());
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

let index: Map<string, ZoneMeaning> | undefined;
/** The words of all names in the index. */
let nameWords: ReadonlySet<string> | undefined;

/** Zone words as they are compared: small letters, no accents, one blank between words. */
export function plainWords(words: string): string {
  return (/[^\0-\x7f]/.test(words) ? words.normalize('NFD').replace(/\p{M}/gu, '') : words)
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

/** Whether a plain word is part of a name that `zoneNamed` knows. Most words of a text aren't. */
export function isNameWord(word: string): boolean {
  index ??= buildIndex();
  nameWords ??= new Set([...index.keys()].flatMap((name) => name.split(' ')));
  return nameWords.has(word);
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
  const names = [clockName(zone, 'longGeneric'), clockName(zone, 'shortGeneric')];
  const inWords = names.filter((name) => name.endsWith(' Time'));
  clocks.set(zone, inWords);
  return inWords;
}

/** The plain words for a zone's clock and country, such as "central european time germany time"; none for a rare zone. */
export function clockWords(zone: string): string {
  return POPULAR_ZONES.includes(zone) ? plainWords(clockNames(zone).join(' ')) : '';
}

type ClockNameStyle = 'longGeneric' | 'shortGeneric' | 'long';

function clockName(zone: string, style: ClockNameStyle, instantMs: number = SEASONS[0]): string {
  const format = new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: style });
  return format.formatToParts(instantMs).find((part) => part.type === 'timeZoneName')?.value ?? '';
}
