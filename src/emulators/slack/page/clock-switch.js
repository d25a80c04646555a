import { useEffect, useState } from 'preact/hooks';
import { clockJumps } from './clock-jumps.js';
import { dateFormat } from './date-format.js';
import { html } from './html.js';
import { Menu } from './menu.js';
import { clock, fullMoment, placeOf } from './time.js';
import { useDirectory } from './use-directory.js';
import { usePageState, useWorkspace } from './use-workspace.js';

/** Maximum age of the shown time, ms. */
const TICK_MS = 5_000;

/** @type {Intl.DateTimeFormatOptions} */
const SHORT_DAY = { weekday: 'short', day: 'numeric', month: 'short' };

/** The workspace's time, and a menu to move its clock forwards. */
export function ClockSwitch() {
  const { reader, now } = useDirectory();
  const { act } = useWorkspace();
  const ahead = usePageState((state) => state.ahead);
  useTick();
  const moment = now();
  const day = dateFormat(reader.locale, reader.zone, SHORT_DAY).format(moment);
  const shown = `${day}, ${clock(moment, reader)}`;
  /** @param {number | 'now'} to */
  const move = (to) => void act({ act: 'clock', to });
  const jumps = clockJumps(moment, reader).map(({ key, label, to }) => ({
    key,
    label,
    description: fullMoment(to, reader),
    pick: () => move(to),
  }));
  const back = { key: 'now', label: 'Back to the real time', pick: () => move('now') };
  const words = ahead === 0 ? 'The real time' : 'Practice time';
  return html`<${Menu}
    class=${`person-switch clock-switch ${ahead === 0 ? '' : 'is-ahead'}`}
    label=${`${words}: ${shown}, ${placeOf(reader.zone)}. Jump in time`}
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
function useTick() {
  const [, tick] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => tick((count) => count + 1), TICK_MS);
    return () => clearInterval(timer);
  }, []);
}
