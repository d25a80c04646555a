import { lazily } from '../grammar/rule.ts';
import { fixedOffsetZone, offsetAt, sayOffset } from './wall-clock.ts';

/** The clock that zone words mean, and the offset if they name one (minutes east of UTC). */
export interface ZoneMeaning {
  zone: string;
  offset?: number;
}

/**
 * Zones that many people mean, from west to east: the choices before a search, and the first choice for a name that
 * several zones share ("central european time" is Berlin's, Paris's and thirty others'). Each with the names of its clock
 * and country, which "time" may follow (Unicode CLDR 47), and the offset in hours of those that have one.
 */
const CLOCKS = `
  Pacific/Honolulu: hawaii aleutian, hawaii aleutian standard -10
  America/Anchorage: alaska, alaska standard -9, alaska daylight -8
  America/Los_Angeles: pacific, pacific standard -8, pacific daylight -7
  America/Denver: mountain, mountain standard -7, mountain daylight -6
  America/Phoenix: mountain, mountain standard -7
  America/Chicago: central, central standard -6, central daylight -5
  America/Mexico_City: central, central standard -6
  America/New_York: eastern, eastern standard -5, eastern daylight -4
  America/Toronto: eastern, eastern standard -5, eastern daylight -4
  America/Bogota: colombia, colombia standard -5
  America/Lima: peru, peru standard -5
  America/Halifax: atlantic, atlantic standard -4, atlantic daylight -3
  America/Santiago: chile, chile summer -3, chile standard -4
  America/St_Johns: newfoundland, st john s, newfoundland standard -3.5, newfoundland daylight -2.5
  America/Sao_Paulo: brasilia, sao paulo, brasilia standard -3
  America/Argentina/Buenos_Aires: argentina, buenos aires, argentina standard -3
  Etc/UTC
  Europe/London: united kingdom, british summer +1
  Europe/Lisbon: western european, portugal, western european standard 0, western european summer +1
  Europe/Dublin: ireland, irish standard +1
  Africa/Lagos: west africa, nigeria
  Europe/Berlin: central european, germany, central european standard +1, central european summer +2
  Europe/Paris: central european, france, central european standard +1, central european summer +2
  Europe/Madrid: central european, spain, central european standard +1, central european summer +2
  Europe/Rome: central european, italy, central european standard +1, central european summer +2
  Europe/Amsterdam: central european, netherlands, central european standard +1, central european summer +2
  Europe/Stockholm: central european, sweden, central european standard +1, central european summer +2
  Europe/Warsaw: central european, poland, central european standard +1, central european summer +2
  Africa/Johannesburg: south africa, south africa standard +2
  Europe/Athens: eastern european, greece, eastern european standard +2, eastern european summer +3
  Europe/Helsinki: eastern european, finland, eastern european standard +2, eastern european summer +3
  Europe/Kyiv: eastern european, ukraine, eastern european standard +2, eastern european summer +3
  Africa/Cairo: eastern european, egypt, eastern european standard +2, eastern european summer +3
  Asia/Jerusalem: israel, israel standard +2, israel daylight +3, israel summer +3
  Europe/Istanbul: turkiye, turkiye standard +3
  Africa/Nairobi: east africa, kenya, east africa standard +3
  Europe/Moscow: moscow, moscow standard +3
  Asia/Riyadh: arabian, saudi arabia, arabian standard +3
  Asia/Dubai: gulf, united arab emirates, gulf standard +4
  Asia/Karachi: pakistan, pakistan standard +5
  Asia/Kolkata: india, india standard +5.5
  Asia/Dhaka: bangladesh, bangladesh standard +6
  Asia/Bangkok: indochina, thailand, indochina standard +7
  Asia/Jakarta: western indonesia, jakarta, western indonesia standard +7
  Asia/Ho_Chi_Minh: indochina, vietnam
  Asia/Shanghai: china, china standard +8
  Asia/Hong_Kong: hong kong, hong kong sar china, hong kong standard +8
  Asia/Singapore: singapore, singapore standard +8
  Asia/Manila: philippine, philippines, philippine standard +8
  Australia/Perth: australian western, perth, australian western standard +8
  Asia/Tokyo: japan, japan standard +9
  Asia/Seoul: korean, south korea, korean standard +9
  Australia/Adelaide: australian central, adelaide, australian central daylight +10.5, australian central standard +9.5
  Australia/Brisbane: brisbane, australian eastern standard +10
  Australia/Sydney: australian eastern, sydney, australian eastern daylight +11, australian eastern standard +10
  Pacific/Guam: chamorro, guam, chamorro standard +10
  Pacific/Auckland: new zealand, new zealand daylight +13, new zealand standard +12
`;

/**
 * Names that the zone database lacks: places, clocks with "time", both also in other languages, and abbreviations in
 * capitals. An abbreviation has its offset in hours, unless it means the clock of every season ("PT"). If it means several
 * clocks, the most common one is first.
 */
const NAMES = `
  Etc/UTC: coordinated universal time 0, universal time 0, greenwich mean time 0, zulu time 0, UTC 0, GMT 0
  Pacific/Honolulu: hawaii, HST -10
  America/Anchorage: AKST -9, AKDT -8
  America/Los_Angeles: ロサンゼルス, サンフランシスコ, us pacific, las vegas, vegas, los angeles, la, portland, san diego, san francisco, sf
  America/Los_Angeles: seattle, california time, washington state time, nevada time, LA, PT, PST -8, PDT -7
  America/Denver: us mountain, salt lake city, colorado time, utah time, new mexico time, montana time, MT, MST -7
  America/Denver: MDT -6
  America/Edmonton: calgary
  America/Phoenix: arizona time
  America/Chicago: us central, austin, dallas, houston, minneapolis, texas time, illinois time, minnesota time
  America/Chicago: wisconsin time, missouri time, louisiana time, oklahoma time, CT, CDT -5, CST -6
  America/Mexico_City: ciudad de mexico, cdmx, hora de mexico, hora mexico
  America/New_York: us eastern, atlanta, boston, miami, philadelphia, washington, washington dc, dc, new york city
  America/New_York: nyc, nueva york, nova york, nova iorque, ニューヨーク時間, ニューヨーク, ny time, NY, florida time
  America/New_York: north carolina time, virginia time, pennsylvania time, ohio time, massachusetts time
  America/New_York: new jersey time, ET, EST -5, EDT -4
  America/Toronto: montreal, ottawa
  America/Bogota: COT -5
  America/Lima: PET -5
  America/Halifax: ADT -3, AST -4
  America/Santiago: CLT -4, CLST -3
  America/St_Johns: NST -3.5, NDT -2.5
  America/Sao_Paulo: rio de janeiro, hora de brasilia, horario de brasilia, BRT -3
  America/Argentina/Buenos_Aires: ART -3
  Europe/London: edinburgh, glasgow, manchester, uk, britain, londres, londra, londen, ロンドン時間, ロンドン, british time
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
  Africa/Lagos: west africa time +1, west africa standard time +1, WAT +1
  Europe/Berlin: ベルリン, cologne, frankfurt, hamburg, munich, berlino, berlijn, berlim, deutsche zeit
  Europe/Berlin: deutscher zeit, german time, CET +1, CEST +2, MEZ +1, MESZ +2
  Europe/Paris: lyon, parigi, parijs, heure francaise, パリ時間, パリ, french time
  Europe/Madrid: barcelona, hora peninsular, hora espanola, madri, spanish time
  Europe/Rome: milan, naples, roma, ora italiana, romeinse tijd, italian time
  Europe/Amsterdam: rotterdam, nederlandse tijd, dutch time
  Europe/Stockholm: gothenburg, swedish time
  Europe/Warsaw: krakow, polish time
  Africa/Johannesburg: cape town, SAST +2
  Europe/Athens: greek time
  Europe/Helsinki: finnish time, EET +2, EEST +3
  Europe/Kyiv: kiev
  Asia/Jerusalem: tel aviv, israeli time, IST +2
  Europe/Istanbul: turkish time, turkey time, turkey standard time +3, TRT +3
  Africa/Nairobi: EAT +3
  Europe/Moscow: st petersburg, MSK +3
  Asia/Riyadh: AST +3
  Asia/Dubai: abu dhabi, GST +4
  Asia/Karachi: pakistani time, PKT +5
  Asia/Dhaka: BST +6
  Asia/Bangkok: ICT +7
  Asia/Jakarta: WIB +7
  Asia/Ho_Chi_Minh: hanoi
  Asia/Shanghai: beijing, shenzhen, pekin, peking, pechino, pequim, 北京時間, 北京, 上海, chinese time, CST +8
  Asia/Hong_Kong: HKT +8
  Asia/Singapore: シンガポール, singaporean time, SGT +8
  Asia/Manila: PHT +8
  Australia/Perth: AWST +8
  Asia/Tokyo: osaka, kyoto, tokio, toquio, 日本時間, 東京時間, 東京, 大阪, japanese time, JST +9
  Asia/Seoul: ソウル, busan, korea time, KST +9
  Australia/Adelaide: ACST +9.5, ACDT +10.5
  Australia/Sydney: シドニー, canberra, AEST +10, AEDT +11, AET
  Pacific/Guam: CHST +10
  Pacific/Auckland: wellington, nz time, NZST +12, NZDT +13, NZT
`;

type NamedMeaning = readonly [name: string, meaning: ZoneMeaning];

const linesOf = (table: string): readonly string[] =>
  table
    .trim()
    .split('\n')
    .map((line) => line.trim());

export const POPULAR_ZONES: readonly string[] = linesOf(CLOCKS).map(zoneOf);

const ALL_NAMES = linesOf(NAMES).flatMap(namesIn);

/** The plain words for the clock and country of a popular zone: "central european time germany time". */
export const CLOCK_WORDS: ReadonlyMap<string, string> = new Map(
  linesOf(CLOCKS).map((line) => {
    const names = namesIn(line).map(([name]) => `${name} time`);
    return [zoneOf(line), names.join(' ')];
  }),
);

function zoneOf(line: string): string {
  return line.replace(/:.*/, '');
}

function namesIn(line: string): readonly NamedMeaning[] {
  const [zone = '', names] = line.split(': ');
  return (names?.split(', ') ?? []).map((name) => {
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
  'ART CAT EAT PET WAT WET WEST COT MT CT ET AET AST BRT MYT PHT LA NY'.split(' '),
);

/** Abbreviations that no other zone shares with those above, whatever its offset. */
export const UNSHARED_ABBREVIATIONS: ReadonlySet<string> = new Set(['BST', 'IST']);

/** Zones that the runtime lists under an old name (Node 24, ICU 77), by their new one. */
const RENAMED = `Africa/Asmara America/Argentina/Buenos_Aires America/Argentina/Catamarca America/Atikokan
   America/Argentina/Cordoba America/Nuuk America/Indiana/Indianapolis America/Argentina/Jujuy
   America/Kentucky/Louisville America/Argentina/Mendoza Asia/Kolkata Asia/Kathmandu Asia/Yangon Asia/Ho_Chi_Minh
   Atlantic/Faroe Europe/Kyiv Pacific/Kanton Pacific/Pohnpei Pacific/Chuuk`.split(/\s+/);
const NEW_NAMES = new Map(RENAMED.map((name) => [readIdentity(name) ?? name, name]));

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
  const isPlace = zone.includes('/') && !zone.startsWith('Etc/');
  if (!isPlace && zoneIdentity(zone) === 'UTC') return 'UTC';
  if (zone.startsWith('Etc/')) return sayOffset(offsetAt(0, zone));
  return (zone.split('/').at(-1) ?? zone).replaceAll('_', ' ');
}

/** True where the zone is an offset and no place. */
export function isFixedOffset(zone: string): boolean {
  return zone.startsWith('Etc/') && fixedOffsetZone(offsetAt(0, zone)) !== undefined;
}

/** Names that are ordinary words or parts of a date: a zone only when marked ("Easter time", "(Wake)", "in Nome"). */
const ORDINARY_WORDS = new Set('center christmas easter knox la nome resolute reunion troll wake'.split(' '));

const index = lazily(buildIndex);
/** The words of all names in the index. */
const nameWords = lazily(() => new Set([...index().keys()].flatMap((name) => name.split(' '))));

/** Zone words as they are compared: small letters, no accents, one blank between words. */
export function plainWords(words: string): string {
  const small = words.toLowerCase();
  // V8 takes ten times as long to compile \p{L}.
  if (!/[^\0-\x7f]/.test(small)) return small.replace(/[^a-z\d]+/g, ' ').trim();
  return small
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

/**
 * The zone of a place or of a clock by name ("new york", "pacific", "central european summer time"), from the zone
 * database and the lists above. Built once, at the first question.
 */
export function zoneNamed(words: string): ZoneMeaning | undefined {
  return index().get(words) ?? index().get(words.replace(/(?:er zeit|se tijd)$/, ''));
}

/** Whether a plain word is part of a name that `zoneNamed` knows: "Londoner Zeit", "Londense tijd". Most words of a text aren't. */
export function isNameWord(word: string): boolean {
  return nameWords().has(word) || nameWords().has(word.replace(/(?:er|se)$/, ''));
}

/** True for a name that is not enough alone to mean a zone. */
export function needsMarker(words: string): boolean {
  // Japanese names have no capitals: "火曜9時 東京 新店オープン".
  return ORDINARY_WORDS.has(words) || /^[\u3041-\u9fff]+(?<!時間)$/.test(words);
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
  for (const [name, meaning] of linesOf(CLOCKS).flatMap(namesIn)) {
    add(name, meaning);
    add(`${name} time`, meaning);
  }
  return names;
}
