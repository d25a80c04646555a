import { html } from '../html.js';
import { Picture } from '../picture.js';
import { Button } from './button.js';
import { CheckboxesOrRadioButtons } from './checkboxes-and-radio-buttons.js';
import { DateTimeInput } from './date-time-input.js';
import { FileInput } from './file-input.js';
import { Overflow } from './overflow.js';
import { SelectMenu } from './select-menu.js';
import { TextInput } from './text-input.js';

/**
 * @import { FormElement } from '../form-values.js'
 * @import { BlockSettings } from '../block-container.js'
 */

/** The component of each element type. For unknown types, the page shows the type's name. */
const COMPONENTS = {
  button: Button,
  workflow_button: Button,
  plain_text_input: TextInput,
  email_text_input: TextInput,
  url_text_input: TextInput,
  number_input: TextInput,
  rich_text_input: TextInput,
  static_select: SelectMenu,
  external_select: SelectMenu,
  users_select: SelectMenu,
  conversations_select: SelectMenu,
  channels_select: SelectMenu,
  multi_static_select: SelectMenu,
  multi_external_select: SelectMenu,
  multi_users_select: SelectMenu,
  multi_conversations_select: SelectMenu,
  multi_channels_select: SelectMenu,
  checkboxes: CheckboxesOrRadioButtons,
  radio_buttons: CheckboxesOrRadioButtons,
  datepicker: DateTimeInput,
  timepicker: DateTimeInput,
  datetimepicker: DateTimeInput,
  overflow: Overflow,
  file_input: FileInput,
};

/** @type {ReadonlyMap<string, unknown>} */
const byType = new Map(Object.entries(COMPONENTS));

/** @param {{ element: FormElement, settings: BlockSettings }} props */
export function Element({ element, settings }) {
  if (element.type === 'image') return html`<${Picture} image=${element} class="image-accessory" />`;
  const component = byType.get(element.type);
  if (component === undefined)
    return html`<span class="not-rendered">Unknown element: ${element.type}</span>`;
  return html`<${component} element=${element} settings=${settings} />`;
}
