import { useControl } from '../block-container.js';
import { html } from '../html.js';
import { getCity } from '../time.js';

/**
 * @import { Datepicker, DateTimepicker, Timepicker } from '@slack/types'
 * @typedef {Datepicker | Timepicker | DateTimepicker} DateTimeElement
 */

/** The browser's field for each kind, and the property of its value in Slack's state. */
const INPUT_TYPES = {
  datepicker: { field: 'date', holds: 'selected_date' },
  timepicker: { field: 'time', holds: 'selected_time' },
  datetimepicker: { field: 'datetime-local', holds: 'selected_date_time' },
};

/**
 * Date, time, or both. As in Slack, a datetimepicker reads its words in the zone of the computer, not of the profile.
 * @param {{ element: DateTimeElement, place: import('../block-container.js').BlockSettings }} props
 */
export function DateTimeInput({ element, place }) {
  const control = useControl(element, place);
  const { field, holds } = INPUT_TYPES[element.type];
  const held = control.state?.[holds];
  const isMoment = element.type === 'datetimepicker';
  /** @param {{ currentTarget: HTMLInputElement }} event */
  const changed = ({ currentTarget: { value } }) => {
    const said = isMoment ? Math.floor(new Date(value).getTime() / 1000) : value;
    void control.set({ type: element.type, [holds]: value === '' ? null : said });
  };
  const zone = isMoment
    ? Intl.DateTimeFormat().resolvedOptions().timeZone
    : element.type === 'timepicker'
      ? element.timezone
      : undefined;
  return html`<span class="moment">
    <input
      ...${control.described}
      id=${control.id}
      type=${field}
      class="field field-moment"
      disabled=${control.inert}
      data-focus-on-load=${element.focus_on_load ? 'true' : undefined}
      value=${isMoment ? formatLocal(held) : (held ?? '')}
      onChange=${changed}
    />
    ${zone === undefined ? null : html`<span class="moment-zone">${getCity(zone)} time</span>`}
  </span>`;
}

/**
 * Seconds as the browser's field wants them: wall clock of this computer, to the minute.
 * @param {unknown} seconds
 */
function formatLocal(seconds) {
  if (typeof seconds !== 'number') return '';
  const date = new Date(seconds * 1000);
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}
