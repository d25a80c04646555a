import { html } from '../html.js';
import { Picture } from '../picture.js';
import { Button } from './button.js';
import { ChooseFromAll } from './choose-from-all.js';
import { FileInput } from './file-input.js';
import { MomentInput } from './moment-input.js';
import { Overflow } from './overflow.js';
import { SelectBox } from './select.js';
import { TextInput } from './text-input.js';

/**
 * @import { FormElement } from '../form-values.js'
 * @import { Place } from '../surface.js'
 */

/** The component of each element type. For any other type, the page shows the type's name. */
const COMPONENTS = {
  button: Button,
  workflow_button: Button,
  plain_text_input: TextInput,
  email_text_input: TextInput,
  url_text_input: TextInput,
  number_input: TextInput,
  rich_text_input: TextInput,
  static_select: SelectBox,
  external_select: SelectBox,
  users_select: SelectBox,
  conversations_select: SelectBox,
  channels_select: SelectBox,
  multi_static_select: SelectBox,
  multi_external_select: SelectBox,
  multi_users_select: SelectBox,
  multi_conversations_select: SelectBox,
  multi_channels_select: SelectBox,
  checkboxes: ChooseFromAll,
  radio_buttons: ChooseFromAll,
  datepicker: MomentInput,
  timepicker: MomentInput,
  datetimepicker: MomentInput,
  overflow: Overflow,
  file_input: FileInput,
};

/** @type {ReadonlyMap<string, unknown>} */
const byType = new Map(Object.entries(COMPONENTS));

/** @param {{ element: FormElement, place: Place }} props */
export function Element({ element, place }) {
  if (element.type === 'image') return html`<${Picture} of=${element} class="image-accessory" />`;
  const component = byType.get(element.type);
  if (component === undefined) return html`<span class="not-drawn">Not drawn here: ${element.type}</span>`;
  return html`<${component} element=${element} place=${place} />`;
}
