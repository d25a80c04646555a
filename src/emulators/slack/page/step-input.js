import { getChannelTitle } from './directory.js';
import { html } from './html.js';
import { useDirectory } from './use-directory.js';

/** @import { StepParameter } from '../step-function.ts' */

/** @typedef {{ currentTarget: { value: string } }} FieldEvent */

/**
 * A field for an input of a step.
 * @param {{ id: string, input: StepParameter, value: string, onChange: (value: string) => void }} props
 */
export function StepInput({ id, input, value, onChange }) {
  const { title, description, isRequired, type } = input;
  const options = useOptions(type);
  const updateValue = (/** @type {FieldEvent} */ { currentTarget }) => onChange(currentTarget.value);
  const descriptionId = description === '' ? undefined : `${id}-description`;
  return html`<div class="step-field">
    <label for=${id}>${title}${isRequired ? '' : html` <span class="optional">(optional)</span>`}</label>
    ${
      options
        ? html`<select id=${id} aria-describedby=${descriptionId} required=${isRequired} value=${value} onChange=${updateValue}>
            <option value="">Choose…</option>
            ${options.map((option) => html`<option key=${option.value} value=${option.value}>${option.label}</option>`)}
          </select>`
        : html`<input
            id=${id}
            aria-describedby=${descriptionId}
            type=${NUMBER_TYPES.has(type) ? 'number' : 'text'}
            step=${type === 'number' ? 'any' : undefined}
            required=${isRequired}
            value=${value}
            onInput=${updateValue}
          />`
    }
    ${descriptionId === undefined ? null : html`<p id=${descriptionId} class="step-description">${description}</p>`}
  </div>`;
}

const NUMBER_TYPES = new Set(['integer', 'number', 'slack#/types/timestamp']);

/** Types whose values are text. */
const TEXT_TYPES =
  /^string$|^slack#\/types\/(?!rich_text|expanded_rich_text|blocks|message_context|timestamp)/;

/**
 * The options of a type. Undefined if the person types the value.
 * @param {string} type
 * @returns {{ value: string, label: string }[] | undefined}
 */
function useOptions(type) {
  const directory = useDirectory();
  switch (type) {
    case 'slack#/types/user_id':
      return [...directory.people.values()]
        .filter(({ deactivated }) => deactivated !== true)
        .map(({ id, realName }) => ({ value: id, label: realName }));
    case 'slack#/types/channel_id':
      return [...directory.channels.values()].map((channel) => ({
        value: channel.id,
        label: getChannelTitle(channel, directory),
      }));
    case 'boolean':
      return [
        { value: 'true', label: 'Yes' },
        { value: 'false', label: 'No' },
      ];
    default:
      return undefined;
  }
}

/**
 * Parses the typed text as a value of this type. Undefined if the field is empty.
 * @param {string} type
 * @param {string} typed
 */
export function readInput(type, typed) {
  if (typed === '') return undefined;
  if (TEXT_TYPES.test(type)) return typed;
  try {
    return JSON.parse(typed);
  } catch {
    return typed;
  }
}
