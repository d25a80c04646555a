import { useControl } from '../block-container.js';
import { html } from '../html.js';
import { Text } from '../text.js';

/**
 * @import { Checkboxes as CheckboxesElement, Option, RadioButtons as RadioButtonsElement } from '@slack/types'
 * @import { BlockSettings } from '../block-container.js'
 */

/**
 * Checkboxes and radio buttons: all options in sight.
 * @param {{ element: CheckboxesElement | RadioButtonsElement, place: BlockSettings }} props
 */
export function CheckboxesOrRadioButtons({ element, place }) {
  const control = useControl(element, place);
  const many = element.type === 'checkboxes';
  const held = many ? control.state?.selected_options : control.state?.selected_option;
  /** @type {Option[]} */
  const chosen = Array.isArray(held) ? held : held ? [held] : [];
  /** @param {Option} option */
  const isChosen = (option) => chosen.some(({ value }) => value === option.value);
  /** @param {Option} option */
  const toggle = (option) => {
    if (!many) return control.set({ type: element.type, selected_option: option });
    const next = element.options.filter((one) =>
      one.value === option.value ? !isChosen(one) : isChosen(one),
    );
    return control.set({ type: element.type, selected_options: next });
  };
  return html`<div id=${control.id} class="choose-all" role=${many ? 'group' : 'radiogroup'} ...${control.described}>
    ${element.options.map(
      (option, index) => html`<label key=${index} class="choose-one">
        <input
          type=${many ? 'checkbox' : 'radio'}
          name=${control.id}
          disabled=${control.inert}
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
