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

export const PLACE_NAMES = ALL_NAMES.filter((named) => !isAbbreviation(named));

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
