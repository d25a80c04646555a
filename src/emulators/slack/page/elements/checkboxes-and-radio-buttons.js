import { useControl } from '../block-container.js';
import { html } from '../html.js';
import { Text } from '../text.js';

/**
 * @import { Checkboxes as CheckboxesElement, Option, RadioButtons as RadioButtonsElement } from '@slack/types'
 * @import { BlockSettings } from '../block-container.js'
 */

/**
 * Checkboxes or radio buttons.
 * @param {{ element: CheckboxesElement | RadioButtonsElement, settings: BlockSettings }} props
 */
export function CheckboxesOrRadioButtons({ element, settings }) {
  const control = useControl(element, settings);
  const isMultiple = element.type === 'checkboxes';
  const value = isMultiple ? control.state?.selected_options : control.state?.selected_option;
  /** @type {Option[]} */
  const chosen = Array.isArray(value) ? value : value ? [value] : [];
  /** @param {Option} option */
  const isChosen = (option) => chosen.some((other) => other.value === option.value);
  /** @param {Option} option */
  const toggle = (option) => {
    if (!isMultiple) return control.set({ type: element.type, selected_option: option });
    const next = element.options.filter((other) =>
      other.value === option.value ? !isChosen(other) : isChosen(other),
    );
    return control.set({ type: element.type, selected_options: next });
  };
  return html`<div id=${control.id} class="choose-all" role=${isMultiple ? 'group' : 'radiogroup'} ...${control.ariaAttributes}>
    ${element.options.map(
      (option, index) => html`<label key=${index} class="choose-one">
        <input
          type=${isMultiple ? 'checkbox' : 'radio'}
          name=${control.id}
          disabled=${control.isInert}
          data-focus-on-load=${element.focus_on_load && index === 0 ? 'true' : undefined}
          checked=${isChosen(option)}
          onChange=${() => void toggle(option)}
        />
        <span>
          <${Text} of=${option.text} />
          ${option.description ? html`<span class="choice-description"><${Text} of=${option.description} /></span>` : null}
        </span>
      </label>`,
    )}
  </div>`;
}
