import type { Reader } from '../../forms/form-context.ts';
import { renderMoment, toLocalClock } from '../../posts/post-time.ts';
import { wallClockAt } from '../../when/when.ts';

const DAY_MS = 86_400_000;

/** Renders a day in the reader's zone: "Fri 20 Nov", with the year unless it is the current one. */
export function renderDate(instant: Date, { zone, now }: Reader): string {
  return renderMoment(instant, zone, now).split(', ')[0] ?? '';
}

/** Renders a day in the reader's zone as a heading: "Today", "Yesterday" or "Fri 20 Nov". */
export function renderDayHeading(instant: Date, reader: Reader): string {
  const toDay = (time: Date) => Math.floor(wallClockAt(time.getTime(), reader.zone) / DAY_MS);
  const daysAgo = toDay(reader.now) - toDay(instant);
  if (daysAgo === 0) return 'Today';
  return daysAgo === 1 ? 'Yesterday' : renderDate(instant, reader);
}

/** Renders a time in the reader's zone, by the clock of the reader's locale: "9:05 AM" or "09:05". */
export function renderClockTime(instant: Date, { zone, locale }: Reader): string {
  const wall = new Date(wallClockAt(instant.getTime(), zone));
  return toLocalClock(wall.toISOString().slice(11, 16), locale);
}
