import type { Moment } from './moment.ts';
import { formatOffsetAt, instantsShowing, wallClockAt } from './zones/wall-clock.ts';
import { zoneName } from './zones.ts';

const WEEKDAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/**
 * "Tue 1 Dec, 09:00 (Berlin)": with the year unless it is this one in that zone, and with the offset where
 * the clock shows this time twice. Words that understandMoment reads as the same moment while it is to come.
 */
export function formatMoment(moment: Moment, options: { now: Date }): string {
  const { zone } = moment;
  const instant = moment.instant.getTime();
  const wall = new Date(wallClockAt(instant, zone));
  const thisYear = new Date(wallClockAt(options.now.getTime(), zone)).getUTCFullYear();
  const day = `${WEEKDAYS[wall.getUTCDay()]} ${wall.getUTCDate()} ${MONTHS[wall.getUTCMonth()]}`;
  const year = wall.getUTCFullYear() === thisYear ? '' : ` ${wall.getUTCFullYear()}`;
  const shown = wall.getTime() - (wall.getTime() % 60_000);
  const isTwice = instantsShowing(shown, zone).length > 1;
  const place = isTwice ? `${zoneName(zone)}, ${formatOffsetAt(instant, zone)}` : zoneName(zone);
  return `${day}${year}, ${clock(wall)} (${place})`;
}

function clock(wall: Date): string {
  const hour = wall.getUTCHours();
  const minutes = String(wall.getUTCMinutes()).padStart(2, '0');
  return `${String(hour).padStart(2, '0')}:${minutes}`;
}
