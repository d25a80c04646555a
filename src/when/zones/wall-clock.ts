import { DateTime, FixedOffsetZone } from 'luxon';

/**
 * What a clock on the wall shows, as milliseconds since 1970 as if it hung in UTC.
 * Not an instant: a wall clock becomes one, none or two only in a zone.
 */
export type WallClock = number;

export const MINUTE_MS = 60_000;
export const DAY_MS = 86_400_000;

/** By the zone's name in lower case, because each takes memory. */
const formats = new Map<string, Intl.DateTimeFormat>();

/** "11/20/2026, GMT+01:00", with seconds before zones had whole minutes. */
const OFFSET = /GMT([+-]\d\d):(\d\d)(?::(\d\d))?$/;

/** No zone changes its clock twice within two days, so between two equal edges its offset is the same. */
const STRETCH_MS = 2 * DAY_MS;

/** Offsets at the edges of such stretches, by zone; cleared when there are too many. */
const edges = new Map<string, number>();
const MAX_EDGES = 5_000;

/** The zone's offset from UTC at this instant, in minutes east. */
export function offsetAt(instantMs: number, zone: string): number {
  const stretch = Math.floor(instantMs / STRETCH_MS);
  const [before, after] = [offsetAtEdge(stretch, zone), offsetAtEdge(stretch + 1, zone)];
  return before === after ? before : readOffset(instantMs, zone);
}

function offsetAtEdge(stretch: number, zone: string): number {
  const key = `${stretch} ${zone}`;
  const known = edges.get(key);
  if (known !== undefined) return known;
  if (edges.size >= MAX_EDGES) edges.clear();
  const offset = readOffset(stretch * STRETCH_MS, zone);
  edges.set(key, offset);
  return offset;
}

/** Luxon's takes six times as long. */
function readOffset(instantMs: number, zone: string): number {
  if (Number.isNaN(new Date(instantMs).getTime())) return Number.NaN;
  const key = zone.toLowerCase();
  const format =
    formats.get(key) ?? new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' });
  formats.set(key, format);
  const [, hours = '+0', minutes = '0', seconds = '0'] = OFFSET.exec(format.format(instantMs)) ?? [];
  const size = Math.abs(Number(hours)) * 60 + Number(minutes) + Number(seconds) / 60;
  return hours.startsWith('-') ? 0 - size : size;
}

/** What the clock shows in the zone at this instant. */
export function wallClockAt(instantMs: number, zone: string): WallClock {
  return instantMs + offsetAt(instantMs, zone) * MINUTE_MS;
}

/** The same as a date and time of the calendar, in UTC. */
export function clockIn(zone: string, instant: Date): DateTime {
  return asCalendar(wallClockAt(instant.getTime(), zone));
}

/** What a wall clock shows, as a date and time of the calendar, in UTC. */
export function asCalendar(wall: WallClock): DateTime {
  return DateTime.fromMillis(wall, { zone: FixedOffsetZone.utcInstance });
}

/**
 * Midnight of a day of the calendar, or of the day `daysLater` days after it. In UTC every day has 24 hours, so this needs
 * none of Luxon's calculations with zones and months.
 */
export function midnightOf(day: DateTime, daysLater = 0): DateTime {
  return asCalendar((Math.floor(+day / DAY_MS) + daysLater) * DAY_MS);
}

/** "2026-12-01". */
export function dateOf(wall: WallClock): string {
  return new Date(wall).toISOString().slice(0, 10);
}

/** "09:00". */
export function formatTime(wall: WallClock): string {
  return new Date(wall).toISOString().slice(11, 16);
}

/**
 * All instants (ms) at which the zone's clock shows this, earliest first: one as a rule,
 * two where the clock is set back, none where it is set forward.
 * No zone changes its clock twice within two days, so the offsets on either side are all there are.
 */
export function instantsShowing(wall: WallClock, zone: string): readonly number[] {
  const [before, after] = [offsetAt(wall - DAY_MS, zone), offsetAt(wall + DAY_MS, zone)];
  if (before === after) return [wall - before * MINUTE_MS];
  return [before, after]
    .map((offset) => wall - offset * MINUTE_MS)
    .filter((instant) => wallClockAt(instant, zone) === wall)
    .sort((a, b) => a - b);
}

/** Winter and summer. */
export const SEASONS = [Date.UTC(2026, 0, 1), Date.UTC(2026, 6, 1)] as const;

/** For a wall clock that the zone skips: the instant as late after the skip as it lay inside it. */
export function instantAfterGap(wall: WallClock, zone: string): number {
  return wall - offsetAt(wall - DAY_MS, zone) * MINUTE_MS;
}

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
  return `UTC${minutes < 0 ? '-' : '+'}${formatTime(Math.abs(minutes) * MINUTE_MS)}`;
}

/** "UTC+01:00": the zone's offset at this instant (ms). */
export function formatOffsetAt(instantMs: number, zone: string): string {
  return sayOffset(offsetAt(instantMs, zone));
}
