import { useEffect, useState } from 'preact/hooks';
import { useDirectory } from './directory.ts';
import { html } from './html.ts';
import { Icon } from './icon.ts';
import { Menu } from './menu.ts';
import { formatFullDate, formatTime, getCity, getDateFormat, getDayKey, type Reader } from './time.ts';
import { usePage, usePageState } from './use-page.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** The offset of a zone from UTC at an instant, ms. Swedish dates are like ISO's: `2026-12-01 09:00:00`. */
function getOffsetMs(ms: number, zone: string) {
  const wall = new Date(ms).toLocaleString('sv-SE', { timeZone: zone }).replace(' ', 'T');
  return Date.parse(`${wall}Z`) - Math.floor(ms / 1000) * 1000;
}

/** The instant of a wall time in a zone, ms since the epoch. `day`: YYYY-MM-DD. `time`: HH:MM. */
function toInstant(day: string, time: string, zone: string) {
  const wall = Date.parse(`${day}T${time}:00Z`);
  const guess = wall - getOffsetMs(wall, zone);
  // The first guess is an hour off if the clocks change in between.
  return wall - getOffsetMs(guess, zone);
}

/**
 * The instant of a wall time some days from now, in the reader's zone. Counts days from noon, because days have 23 or
 * 25 hours when the clocks change.
 * `time`: HH:MM.
 */
function addDays(now: number, days: number, time: string, reader: Reader) {
  const noon = toInstant(getDayKey(now, reader), '12:00', reader.zone);
  return toInstant(getDayKey(noon + days * DAY_MS, reader), time, reader.zone);
}

/** The jumps that the menu offers, soonest first. 8:59 is shortly before the time of many apps' daily messages. */
export function listClockJumps(now: number, reader: Reader): { key: string; label: string; to: number }[] {
  const weekday = new Intl.DateTimeFormat('en-US', { timeZone: reader.zone, weekday: 'short' }).format(now);
  const toMonday = 7 - ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'].indexOf(weekday);
  const jumps = [
    { key: 'hour', label: 'Jump an hour on', to: now + HOUR_MS },
    { key: 'today', label: 'Jump to today 8:59', to: addDays(now, 0, '08:59', reader) },
    { key: 'tomorrow', label: 'Jump to tomorrow 8:59', to: addDays(now, 1, '08:59', reader) },
    { key: 'monday', label: 'Jump to Monday 8:59', to: addDays(now, toMonday, '08:59', reader) },
  ];
  return jumps.filter(({ key, to }) => to > now && (key !== 'monday' || toMonday > 1));
}

/** Time between two updates of the clock, ms. */
const UPDATE_MS = 5_000;

const SHORT_DAY: Intl.DateTimeFormatOptions = { weekday: 'short', day: 'numeric', month: 'short' };

/** The workspace's time, and a menu to move its clock forwards. */
export function ClockSwitch() {
  const { reader, now } = useDirectory();
  const { act } = usePage();
  const clockOffsetMs = usePageState((state) => state.clockOffsetMs);
  useRedraw();
  const nowMs = now();
  const day = getDateFormat(reader.locale, reader.zone, SHORT_DAY).format(nowMs);
  const dayAndTime = `${day}, ${formatTime(nowMs, reader)}`;
  const move = (to: number | 'now') => void act({ act: 'clock', to });
  const jumps = listClockJumps(nowMs, reader).map(({ key, label, to }) => ({
    key,
    label,
    description: formatFullDate(to, reader),
    choose: () => move(to),
  }));
  const back = { key: 'now', label: 'Back to the real time', choose: () => move('now') };
  const label = clockOffsetMs === 0 ? 'Real time' : 'Practice time';
  return html`<${Menu}
    class=${`person-switch clock-switch ${clockOffsetMs === 0 ? '' : 'is-ahead'}`}
    label=${`${label}: ${dayAndTime}, ${getCity(reader.zone)}. Jump in time`}
    items=${clockOffsetMs === 0 ? jumps : [...jumps, back]}
  >
    <${Icon} name="clock" />
    <span class="person-words">
      <span class="side-quiet">${label}</span>${' '}
      <span class="one-line">${dayAndTime}</span>
    </span>
    <${Icon} name="arrow" />
  <//>`;
}

/** Draws the component again at intervals, so that the time stays right. */
function useRedraw() {
  const [, redraw] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => redraw((count) => count + 1), UPDATE_MS);
    return () => clearInterval(timer);
  }, []);
}
