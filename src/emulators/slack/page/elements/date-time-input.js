import { useControl } from '../block-container.js';
import { html } from '../html.js';
import { getCity } from '../time.js';

/**
 * @import { Datepicker, DateTimepicker, Timepicker } from '@slack/types'
 * @typedef {Datepicker | Timepicker | DateTimepicker} DateTimeElement
 */

/** The browser's input type for each element, and the field of the value in Slack's state. */
const INPUT_TYPES = {
  datepicker: { inputType: 'date', stateField: 'selected_date' },
  timepicker: { inputType: 'time', stateField: 'selected_time' },
  datetimepicker: { inputType: 'datetime-local', stateField: 'selected_date_time' },
};

/**
 * Picks a date, a time, or both. As in Slack, a datetimepicker uses the computer's zone, not that of the person's
 * profile.
 * @param {{ element: DateTimeElement, settings: import('../block-container.js').BlockSettings }} props
 */
export function DateTimeInput({ element, settings }) {
  const control = useControl(element, settings);
  const { inputType, stateField } = INPUT_TYPES[element.type];
  const value = control.state?.[stateField];
  const isDateTime = element.type === 'datetimepicker';
  /** @param {{ currentTarget: HTMLInputElement }} event */
  const onChange = ({ currentTarget: { value: typed } }) => {
    const newValue = isDateTime ? Math.floor(new Date(typed).getTime() / 1000) : typed;
    void control.set({ type: element.type, [stateField]: typed === '' ? null : newValue });
  };
  const zone = isDateTime
    ? Intl.DateTimeFormat().resolvedOptions().timeZone
    : element.type === 'timepicker'
      ? element.timezone
      : undefined;
  return html`<span class="date-time">
    <input
      ...${control.ariaAttributes}
      id=${control.id}
      type=${inputType}
      class="field field-date-time"
      disabled=${control.isInert}
      data-focus-on-load=${element.focus_on_load ? 'true' : undefined}
      value=${isDateTime ? formatLocal(value) : (value ?? '')}
      onChange=${onChange}
    />
    ${zone === undefined ? null : html`<span class="date-time-zone">${getCity(zone)} time</span>`}
  </span>`;
}

/**
 * The wall time on this computer, as the browser's input needs it: `2026-12-01T09:00`.
 * @param {unknown} seconds since the epoch
 */
function formatLocal(seconds) {
  if (typeof seconds !== 'number') return '';
  const date = new Date(seconds * 1000);
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}
