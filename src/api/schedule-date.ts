import { DateTime, IANAZone } from 'luxon';

/** Intl takes offsets (`+03:00`) for zones too; the service is sent names. */
function isZoneName(zone: string): boolean {
  return /^[A-Za-z]/.test(zone) && IANAZone.isValidZone(zone);
}

/**
 * An instant as the service is sent it: the zone's wall clock with its offset, to the second
 * (`2026-12-01T09:00:00+01:00`). Throws RangeError when `zone` is no IANA name or `instant` no date.
 */
export function writeScheduleDate(instant: Date, zone: string): string {
  if (!isZoneName(zone)) throw new RangeError(`Not an IANA time zone: ${zone}`);
  const wallClock = DateTime.fromJSDate(instant, { zone }).set({ millisecond: 0 });
  const text = wallClock.toISO({ suppressMilliseconds: true });
  if (text === null) throw new RangeError('Not a date');
  return text.replace(/Z$/, '+00:00');
}

/**
 * A ScheduleDate of a record. One without an offset is read in its Timezone; undefined when it is no date, or has
 * neither offset nor zone.
 */
export function readScheduleDate(text: string, zone: string | undefined): Date | undefined {
  // Python writes a space where ISO 8601 has a T.
  const iso = text.trim().replace(' ', 'T');
  const hasOffset = /(?:z|[+-]\d\d(?::?\d\d)?)$/i.test(iso.split('T')[1] ?? '');
  if (!hasOffset && (zone === undefined || !isZoneName(zone))) return undefined;
  const moment = DateTime.fromISO(iso, { zone: hasOffset || zone === undefined ? 'utc' : zone });
  return moment.isValid ? moment.toJSDate() : undefined;
}
