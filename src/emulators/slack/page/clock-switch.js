import { useEffect, useState } from 'preact/hooks';
import { listClockJumps } from './clock-jumps.js';
import { getDateFormat } from './date-format.js';
import { html } from './html.js';
import { Menu } from './menu.js';
import { formatFullDate, formatTime, getCity } from './time.js';
import { useDirectory } from './use-directory.js';
import { usePage, usePageState } from './use-page.js';

/** Time between two updates of the clock, ms. */
const UPDATE_MS = 5_000;

/** @type {Intl.DateTimeFormatOptions} */
const SHORT_DAY = { weekday: 'short', day: 'numeric', month: 'short' };

/** The workspace's time, and a menu to move its clock forwards. */
export function ClockSwitch() {
  const { reader, now } = useDirectory();
  const { act } = usePage();
  const clockOffsetMs = usePageState((state) => state.clockOffsetMs);
  useRedraw();
  const nowMs = now();
  const day = getDateFormat(reader.locale, reader.zone, SHORT_DAY).format(nowMs);
  const dayAndTime = `${day}, ${formatTime(nowMs, reader)}`;
  /** @param {number | 'now'} to */
  const move = (to) => void act({ act: 'clock', to });
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
    isUpwards
    items=${clockOffsetMs === 0 ? jumps : [...jumps, back]}
  >
    <span class="clock-face" aria-hidden="true"></span>
    <span class="person-words">
      <span class="person-acting">${label}</span>${' '}
      <span class="person-name">${dayAndTime}</span>
    </span>
    <span class="select-arrow" aria-hidden="true"></span>
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
