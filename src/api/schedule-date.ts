import { DateTime, IANAZone } from 'luxon';

/** Whether `zone` is an IANA name. Intl also accepts offsets (`+03:00`), which the service doesn't get. */
function isZoneName(zone: string): boolean {
  return /^[A-Za-z]/.test(zone) && IANAZone.isValidZone(zone);
}

/**
 * Formats an instant for the service: wall time in the zone with its offset, in seconds (`2026-12-01T09:00:00+01:00`).
 * Throws RangeError if `zone` isn't an IANA name or `instant` is an invalid date.
 */
export function writeScheduleDate(instant: Date, zone: string): string {
  if (!isZoneName(zone)) throw new RangeError(`Not an IANA time zone: ${zone}`);
  const wallTime = DateTime.fromJSDate(instant, { zone }).set({ millisecond: 0 });
  const text = wallTime.toISO({ suppressMilliseconds: true });
  if (text === null) throw new RangeError('Not a date');
  return text.replace(/Z$/, '+00:00');
}

/**
 * Parses the ScheduleDate of a record. A date without an offset is read in `zone`, the record's Timezone. Undefined if
 * it isn't a date, or has neither offset nor zone.
 */
export function readScheduleDate(text: string, zone: string | undefined): Date | undefined {
  // Python writes a space where ISO 8601 has a T.
  const iso = text.trim().replace(' ', 'T');
  const hasOffset = /(?:z|[+-]\d\d(?::?\d\d)?)$/i.test(iso.split('T')[1] ?? '');
  if (!hasOffset && (zone === undefined || !isZoneName(zone))) return undefined;
  const moment = DateTime.fromISO(iso, { zone: hasOffset || zone === undefined ? 'utc' : zone });
  return moment.isValid ? moment.toJSDate() : undefined;
}
