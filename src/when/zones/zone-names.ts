import { fixedOffsetZone, sayOffset } from './fixed-offset-zone.ts';
import { offsetAt } from './wall-clock.ts';

/** The list of zones that comes with the runtime still has these under the names that they had before (Node 24, ICU 77). */
const NAMES_OF_TODAY = new Map([
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

/** All zones of the zone database that have a place, under the names of today, and Etc/UTC. */
export const ALL_ZONES: readonly string[] = [
  'Etc/UTC',
  ...Intl.supportedValuesOf('timeZone').map((name) => NAMES_OF_TODAY.get(name) ?? name),
];

/** Of names that there are, by their small letters: what people type otherwise is not stored. */
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
  return NAMES_OF_TODAY.get(identity) ?? (identity === 'UTC' ? 'Etc/UTC' : identity);
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
