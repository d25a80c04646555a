import { offsetAt } from './wall-clock.ts';

/** Zones that keep one offset all year, for offsets that are no whole hour (minutes east of UTC). */
const PART_HOUR_ZONES = new Map([
  [-570, 'Pacific/Marquesas'],
  [210, 'Asia/Tehran'],
  [270, 'Asia/Kabul'],
  [330, 'Asia/Kolkata'],
  [345, 'Asia/Kathmandu'],
  [390, 'Asia/Yangon'],
  [525, 'Australia/Eucla'],
  [570, 'Australia/Darwin'],
]);

/**
 * A zone of the zone database that is this many minutes east of UTC all year, or undefined if there is none.
 * The names under Etc/ count the other way round: Etc/GMT-2 is UTC+02:00.
 */
export function fixedOffsetZone(minutes: number): string | undefined {
  if (minutes === 0) return 'Etc/UTC';
  if (minutes % 60 !== 0) return PART_HOUR_ZONES.get(minutes);
  const hours = minutes / 60;
  if (hours < -12 || hours > 14) return undefined;
  return `Etc/GMT${hours > 0 ? '-' : '+'}${Math.abs(hours)}`;
}

/** "UTC+05:30" for 330. */
export function sayOffset(minutes: number): string {
  const size = Math.abs(minutes);
  const clock = `${String(Math.floor(size / 60)).padStart(2, '0')}:${String(size % 60).padStart(2, '0')}`;
  return `UTC${minutes < 0 ? '-' : '+'}${clock}`;
}

/** "UTC+01:00": the zone's offset at this instant (ms). */
export function formatOffsetAt(instantMs: number, zone: string): string {
  return sayOffset(offsetAt(instantMs, zone));
}
