/** What an abbreviation stands for: the clock of a zone, and the offset that it names if it names one (minutes east of UTC). */
export interface AbbreviatedZone {
  zone: string;
  offset?: number;
}

const hours = (count: number): number => count * 60;

/** Abbreviations with one meaning that people agree on. "PT" names a place's clock, "PST" also its offset. */
export const ABBREVIATIONS: Readonly<Record<string, AbbreviatedZone>> = {
  UTC: { zone: 'Etc/UTC', offset: 0 },
  GMT: { zone: 'Etc/UTC', offset: 0 },
  ET: { zone: 'America/New_York' },
  EST: { zone: 'America/New_York', offset: hours(-5) },
  EDT: { zone: 'America/New_York', offset: hours(-4) },
  CT: { zone: 'America/Chicago' },
  CDT: { zone: 'America/Chicago', offset: hours(-5) },
  MT: { zone: 'America/Denver' },
  MST: { zone: 'America/Denver', offset: hours(-7) },
  MDT: { zone: 'America/Denver', offset: hours(-6) },
  PT: { zone: 'America/Los_Angeles' },
  PST: { zone: 'America/Los_Angeles', offset: hours(-8) },
  PDT: { zone: 'America/Los_Angeles', offset: hours(-7) },
  AKST: { zone: 'America/Anchorage', offset: hours(-9) },
  AKDT: { zone: 'America/Anchorage', offset: hours(-8) },
  HST: { zone: 'Pacific/Honolulu', offset: hours(-10) },
  ADT: { zone: 'America/Halifax', offset: hours(-3) },
  NST: { zone: 'America/St_Johns', offset: -210 },
  NDT: { zone: 'America/St_Johns', offset: -150 },
  BRT: { zone: 'America/Sao_Paulo', offset: hours(-3) },
  ART: { zone: 'America/Argentina/Buenos_Aires', offset: hours(-3) },
  CLT: { zone: 'America/Santiago', offset: hours(-4) },
  CLST: { zone: 'America/Santiago', offset: hours(-3) },
  COT: { zone: 'America/Bogota', offset: hours(-5) },
  PET: { zone: 'America/Lima', offset: hours(-5) },
  WET: { zone: 'Europe/Lisbon', offset: 0 },
  WEST: { zone: 'Europe/Lisbon', offset: hours(1) },
  CET: { zone: 'Europe/Berlin', offset: hours(1) },
  CEST: { zone: 'Europe/Berlin', offset: hours(2) },
  MEZ: { zone: 'Europe/Berlin', offset: hours(1) },
  MESZ: { zone: 'Europe/Berlin', offset: hours(2) },
  EET: { zone: 'Europe/Helsinki', offset: hours(2) },
  EEST: { zone: 'Europe/Helsinki', offset: hours(3) },
  MSK: { zone: 'Europe/Moscow', offset: hours(3) },
  TRT: { zone: 'Europe/Istanbul', offset: hours(3) },
  WAT: { zone: 'Africa/Lagos', offset: hours(1) },
  CAT: { zone: 'Africa/Maputo', offset: hours(2) },
  SAST: { zone: 'Africa/Johannesburg', offset: hours(2) },
  EAT: { zone: 'Africa/Nairobi', offset: hours(3) },
  GST: { zone: 'Asia/Dubai', offset: hours(4) },
  PKT: { zone: 'Asia/Karachi', offset: hours(5) },
  NPT: { zone: 'Asia/Kathmandu', offset: 345 },
  ICT: { zone: 'Asia/Bangkok', offset: hours(7) },
  WIB: { zone: 'Asia/Jakarta', offset: hours(7) },
  SGT: { zone: 'Asia/Singapore', offset: hours(8) },
  HKT: { zone: 'Asia/Hong_Kong', offset: hours(8) },
  MYT: { zone: 'Asia/Kuala_Lumpur', offset: hours(8) },
  PHT: { zone: 'Asia/Manila', offset: hours(8) },
  AWST: { zone: 'Australia/Perth', offset: hours(8) },
  JST: { zone: 'Asia/Tokyo', offset: hours(9) },
  KST: { zone: 'Asia/Seoul', offset: hours(9) },
  ACST: { zone: 'Australia/Adelaide', offset: 570 },
  ACDT: { zone: 'Australia/Adelaide', offset: 630 },
  AEST: { zone: 'Australia/Sydney', offset: hours(10) },
  AEDT: { zone: 'Australia/Sydney', offset: hours(11) },
  AET: { zone: 'Australia/Sydney' },
  NZST: { zone: 'Pacific/Auckland', offset: hours(12) },
  NZDT: { zone: 'Pacific/Auckland', offset: hours(13) },
  NZT: { zone: 'Pacific/Auckland' },
  CHST: { zone: 'Pacific/Guam', offset: hours(10) },
};

/** Abbreviations that mean different clocks to different people, the most numerous first: these are asked about. */
export const AMBIGUOUS_ABBREVIATIONS: Readonly<Record<string, readonly AbbreviatedZone[]>> = {
  IST: [
    { zone: 'Asia/Kolkata', offset: 330 },
    { zone: 'Europe/Dublin', offset: hours(1) },
    { zone: 'Asia/Jerusalem', offset: hours(2) },
  ],
  BST: [
    { zone: 'Europe/London', offset: hours(1) },
    { zone: 'Asia/Dhaka', offset: hours(6) },
  ],
  CST: [
    { zone: 'America/Chicago', offset: hours(-6) },
    { zone: 'Asia/Shanghai', offset: hours(8) },
  ],
  AST: [
    { zone: 'America/Halifax', offset: hours(-4) },
    { zone: 'Asia/Riyadh', offset: hours(3) },
  ],
};

/** Abbreviations that are also words: a zone only in capitals ("tomorrow 9am eat lunch"). */
export const CAPITALS_ONLY: ReadonlySet<string> = new Set([
  'ART',
  'CAT',
  'EAT',
  'PET',
  'WAT',
  'WET',
  'WEST',
  'COT',
  'MT',
  'CT',
  'ET',
  'AET',
  'AST',
  'BRT',
  'MYT',
  'PHT',
]);

/** Abbreviations that no other zone shares with those above, whatever its offset. */
export const UNSHARED_ABBREVIATIONS: ReadonlySet<string> = new Set(['BST', 'IST']);
