/** A parsed date and time. `wall` is its wall time as if in UTC, in ms. Without an offset the zone decides. */
interface WrittenMoment {
  wall: number;
  /** Minutes east of UTC. */
  offset: number | undefined;
}

const ISO =
  /^(\d{4})-(\d\d)-(\d\d)[Tt ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?(?:([Zz])|([+-])(\d\d):?(\d\d))?$/;

const MINUTE_MS = 60_000;

/** Parses an ISO 8601 date and time; undefined for any other text and for dates that don't exist. */
export function readScheduleDate(written: string): WrittenMoment | undefined {
  const match = ISO.exec(written);
  if (match === null) return undefined;
  const [, year, month, day, hour, minute, second = '0', fraction = '', zulu, sign, hours, minutes] = match;
  const wall = new Date(0);
  wall.setUTCFullYear(Number(year), Number(month) - 1, Number(day));
  wall.setUTCHours(Number(hour), Number(minute), Number(second), Number(fraction.padEnd(3, '0').slice(0, 3)));
  // A date or time that doesn't exist rolls over, so it differs from the text.
  const read = [
    wall.getUTCFullYear(),
    wall.getUTCMonth() + 1,
    wall.getUTCDate(),
    wall.getUTCHours(),
    wall.getUTCMinutes(),
    wall.getUTCSeconds(),
  ];
  if (Number(year) === 0 || read.join() !== [year, month, day, hour, minute, second].map(Number).join()) {
    return undefined;
  }
  if (zulu !== undefined) return { wall: wall.getTime(), offset: 0 };
  if (sign === undefined) return { wall: wall.getTime(), offset: undefined };
  if (Number(hours) > 23 || Number(minutes) > 59) return undefined;
  const size = Number(hours) * 60 + Number(minutes);
  return { wall: wall.getTime(), offset: sign === '-' ? -size : size };
}

/** The instant in ms since 1970. Without an offset the moment is read in `zone`, which must exist. */
export function toInstant(moment: WrittenMoment, zone: string): number {
  if (moment.offset !== undefined) return moment.wall - moment.offset * MINUTE_MS;
  const offsetAt = createOffsetLookup(zone);
  const [before, after] = [
    offsetAt(moment.wall - 1440 * MINUTE_MS),
    offsetAt(moment.wall + 1440 * MINUTE_MS),
  ];
  const readings = [moment.wall - before, moment.wall - after].filter(
    (instant) => instant + offsetAt(instant) === moment.wall,
  );
  // A wall time that occurs twice means the first; one that is skipped moves later by the gap.
  return readings.length > 0 ? Math.min(...readings) : moment.wall - before;
}

/** Whether a text is the IANA name of a zone. An offset such as +01:00 isn't. */
export function isZone(name: string): boolean {
  if (!/^[A-Za-z][A-Za-z0-9_+/-]{0,63}$/.test(name)) return false;
  try {
    new Intl.DateTimeFormat('en-US', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

/** A function that returns the zone's offset from UTC at an instant, in ms. */
function createOffsetLookup(zone: string): (instant: number) => number {
  const clock = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  return (instant) => {
    const parts = new Map(clock.formatToParts(instant).map((part) => [part.type, Number(part.value)]));
    const read = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? 0;
    const wall = new Date(0);
    wall.setUTCFullYear(read('year'), read('month') - 1, read('day'));
    wall.setUTCHours(read('hour'), read('minute'), read('second'));
    return wall.getTime() - Math.floor(instant / 1000) * 1000;
  };
}
