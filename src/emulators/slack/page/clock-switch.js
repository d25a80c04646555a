import { useEffect, useState } from 'preact/hooks';
import { listClockJumps } from './clock-jumps.js';
import { getDateFormat } from './date-format.js';
import { html } from './html.js';
import { Menu } from './menu.js';
import { formatFullDate, formatTime, getCity } from './time.js';
import { useDirectory } from './use-directory.js';
import { usePage, usePageState } from './use-page.js';

/** Maximum age of the shown time, ms. */
const TICK_MS = 5_000;

/** @type {Intl.DateTimeFormatOptions} */
const SHORT_DAY = { weekday: 'short', day: 'numeric', month: 'short' };

/** The workspace's time, and a menu to move its clock forwards. */
export function ClockSwitch() {
  const { reader, now } = useDirectory();
  const { act } = usePage();
  const ahead = usePageState((state) => state.clockOffsetMs);
  useRedraw();
  const moment = now();
  const day = getDateFormat(reader.locale, reader.zone, SHORT_DAY).format(moment);
  const shown = `${day}, ${formatTime(moment, reader)}`;
  /** @param {number | 'now'} to */
  const move = (to) => void act({ act: 'clock', to });
  const jumps = listClockJumps(moment, reader).map(({ key, label, to }) => ({
    key,
    label,
    description: formatFullDate(to, reader),
    pick: () => move(to),
  }));
  const back = { key: 'now', label: 'Back to the real time', pick: () => move('now') };
  const words = ahead === 0 ? 'The real time' : 'Practice time';
  return html`<${Menu}
    class=${`person-switch clock-switch ${ahead === 0 ? '' : 'is-ahead'}`}
    label=${`${words}: ${shown}, ${getCity(reader.zone)}. Jump in time`}
    upwards
    items=${ahead === 0 ? jumps : [...jumps, back]}
  >
    <span class="clock-face" aria-hidden="true"></span>
    <span class="person-words">
      <span class="person-acting">${words}</span>${' '}
      <span class="person-name">${shown}</span>
    </span>
    <span class="select-arrow" aria-hidden="true"></span>
  <//>`;
}

/** Draws the component again at intervals, because the time goes on. */
function useRedraw() {
  const [, tick] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => tick((count) => count + 1), TICK_MS);
    return () => clearInterval(timer);
  }, []);
}
