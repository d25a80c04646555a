import { formatDay, formatTime } from '../../format-moment.ts';
import type { NotUnderstood } from '../../moment.ts';
import { instantAfterGap, instantsShowing, wallClockAt } from '../../zones/wall-clock.ts';
import { zoneName } from '../../zones.ts';
import { type Edge, MINUTE_MS, type Stretch } from './stretch.ts';

/**
 * A stretch of time, including both ends. A missing end is open. A whole day ends with its last millisecond.
 * `zone` (an IANA name) is the zone of the days.
 */
export interface Range {
  from?: Date;
  to?: Date;
  zone: string;
}

/** `text` is the range in words, and `notes` tell people what was assumed. The likeliest candidate is first. */
export type RangeReading =
  | { kind: 'understood'; range: Range; text: string; notes: readonly string[] }
  | { kind: 'ambiguous'; candidates: readonly { range: Range; text: string }[]; notes: readonly string[] }
  | NotUnderstood;

/** Converts wall time to instants. Includes both instants of a repeated wall time, and moves a skipped one forward. */
export function rangeOf({ from, to }: Stretch, zone: string): Range {
  return {
    ...(from === undefined ? {} : { from: new Date(beginning(from, zone)) }),
    ...(to === undefined ? {} : { to: new Date(ending(to, zone)) }),
    zone,
  };
}

function beginning({ wall, instant }: Edge, zone: string): number {
  return instant ?? instantsShowing(wall, zone)[0] ?? instantAfterGap(wall, zone);
}

/** The last millisecond of a minute ends where the next minute begins, even across a clock change. */
function ending({ wall, instant }: Edge, zone: string): number {
  if (instant !== undefined) return instant;
  if (wall % MINUTE_MS === MINUTE_MS - 1) return beginning({ wall: wall + 1 }, zone) - 1;
  return instantsShowing(wall, zone).at(-1) ?? instantAfterGap(wall, zone);
}

const DAY_MS = 86_400_000;

/**
 * Renders "Mon 16 Nov to Fri 20 Nov (Berlin)", "Fri 20 Nov, 09:00 to 12:00 (Berlin)" or "from Mon 16 Nov (Berlin)".
 * An end without a time is a whole day. The year is omitted if it's this year.
 */
export function renderRange({ from, to, zone }: Range, { now }: { now: Date }): string {
  const wallOf = (instant: number): number => wallClockAt(instant, zone);
  const renderEnd = (end: Date, outside: number): RenderedEnd => {
    const wall = wallOf(end.getTime());
    // A clock that is set forward at midnight starts a day after 00:00, or ends it before 23:59.
    const isWholeDay = Math.floor(wall / DAY_MS) !== Math.floor(wallOf(end.getTime() + outside) / DAY_MS);
    return { day: formatDay(wall, wallOf(now.getTime())), time: isWholeDay ? undefined : formatTime(wall) };
  };
  return `${joinEnds(from && renderEnd(from, -1), to && renderEnd(to, 1))} (${zoneName(zone)})`;
}

interface RenderedEnd {
  day: string;
  time: string | undefined;
}

function joinEnds(first: RenderedEnd | undefined, last: RenderedEnd | undefined): string {
  const textOf = ({ day, time }: RenderedEnd): string => (time === undefined ? day : `${day}, ${time}`);
  if (first === undefined) return last === undefined ? 'any time' : `until ${textOf(last)}`;
  if (last === undefined) return `from ${textOf(first)}`;
  if (first.day !== last.day) return `${textOf(first)} to ${textOf(last)}`;
  if (first.time === undefined && last.time === undefined) return first.day;
  return `${first.day}, ${first.time ?? '00:00'} to ${last.time ?? '23:59'}`;
}
