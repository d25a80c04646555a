import {
  ANYTHING,
  type FieldRule,
  FLAG,
  type Kinds,
  like,
  list,
  may,
  must,
  number,
  oneOf,
  plain,
  string,
  thing,
} from './rule.ts';

type Fields = Record<string, FieldRule>;

const action: Fields = { action_id: may(string(255, 1), 'T P') };
const confirmable: Fields = { confirm: may(thing('confirm'), 'T P') };
const focusable: Fields = { focus_on_load: may(FLAG, 'T') };
const placeholder: Fields = { placeholder: may(plain(150), 'T P') };
const style: Fields = { style: may(oneOf('primary', 'danger'), 'T P') };
const spoken: Fields = { accessibility_label: may(string(75), 'T P') };
const picker: Fields = { ...action, ...confirmable, ...focusable };
const select: Fields = { ...picker, ...placeholder };
const multi: Fields = { ...select, max_selected_items: may(number(1, Number.MAX_SAFE_INTEGER), 'T P') };
const input: Fields = {
  ...action,
  ...focusable,
  ...placeholder,
  dispatch_action_config: may(thing('dispatch_action_config'), 'T P'),
};
const responds: Fields = { response_url_enabled: may(FLAG, 'T') };

const options: Fields = {
  options: may(list(thing('option'), 1, 100), 'T P'),
  option_groups: may(list(thing('option_group'), 1, 100), 'T P'),
};
const external: Fields = { min_query_length: may(number(0, Number.MAX_SAFE_INTEGER), 'T') };
const conversations: Fields = {
  default_to_current_conversation: may(FLAG, 'T'),
  filter: may(thing('conversation_filter'), 'T'),
};
const chosen = (kind: string, max: number) => may(list(thing(kind), 1, max), 'T P');
const ids = may(list(string(255), 1, 100), 'T');

const DATE = /^\d{4}-\d{2}-\d{2}$/;
const TIME = /^([01]\d|2[0-3]):[0-5]\d$/;

/** Interactive elements and images (docs.slack.dev, "Block elements"). */
export const ELEMENT_RULES: Kinds = {
  button: {
    ...action,
    ...confirmable,
    ...style,
    ...spoken,
    text: must(plain(75), 'T P'),
    value: may(string(2000), 'T P'),
    url: may(string(3000), 'T P'),
  },
  workflow_button: {
    ...action,
    ...confirmable,
    ...style,
    ...spoken,
    text: must(plain(75), 'T P'),
    workflow: must(thing('workflow'), 'T'),
  },
  icon_button: {
    ...action,
    ...confirmable,
    ...spoken,
    icon: must(string(255, 1), 'T'),
    text: must(plain(75), 'T'),
    value: may(string(2000), 'T'),
    visible_to_user_ids: may(list(string(255), 0, 100), 'T'),
  },
  feedback_buttons: {
    ...action,
    positive_button: must(thing('feedback_button'), 'T'),
    negative_button: must(thing('feedback_button'), 'T'),
  },
  checkboxes: {
    ...picker,
    options: must(list(thing('formatted_option'), 1, 10), 'T P'),
    initial_options: chosen('formatted_option', 10),
  },
  radio_buttons: {
    ...picker,
    options: must(list(thing('formatted_option'), 1, 10), 'T P'),
    initial_option: may(thing('formatted_option'), 'T P'),
  },
  overflow: { ...action, ...confirmable, options: must(list(thing('overflow_option'), 1, 5), 'T P') },
  static_select: { ...select, ...options, initial_option: may(thing('option'), 'T P') },
  multi_static_select: { ...multi, ...options, initial_options: chosen('option', 100) },
  external_select: { ...select, ...external, initial_option: may(thing('option'), 'T P') },
  multi_external_select: { ...multi, ...external, initial_options: chosen('option', 100) },
  users_select: { ...select, initial_user: may(string(255), 'T P') },
  multi_users_select: { ...multi, initial_users: ids },
  conversations_select: {
    ...select,
    ...responds,
    ...conversations,
    initial_conversation: may(string(255), 'T P'),
  },
  multi_conversations_select: { ...multi, ...conversations, initial_conversations: ids },
  channels_select: { ...select, ...responds, initial_channel: may(string(255), 'T P') },
  multi_channels_select: { ...multi, initial_channels: ids },
  datepicker: { ...select, initial_date: may(like(DATE), 'T P') },
  timepicker: { ...select, initial_time: may(like(TIME), 'T P'), timezone: may(string(255), 'T') },
  datetimepicker: { ...picker, initial_date_time: may(number(1_000_000_000, 9_999_999_999), 'T') },
  plain_text_input: {
    ...input,
    initial_value: may(string(3000), 'T'),
    multiline: may(FLAG, 'T'),
    min_length: may(number(0, 3000), 'T'),
    max_length: may(number(1, 3000), 'T'),
  },
  email_text_input: { ...input, initial_value: may(string(3000), 'T') },
  url_text_input: { ...input, initial_value: may(string(3000), 'T') },
  number_input: {
    ...input,
    is_decimal_allowed: must(FLAG, 'T'),
    initial_value: may(string(255), 'T'),
    min_value: may(string(255), 'T'),
    max_value: may(string(255), 'T'),
  },
  rich_text_input: {
    ...input,
    initial_value: may(ANYTHING, 'T'),
    min_lines: may(number(1, 100), 'T'),
    max_lines: may(number(1, 100), 'T'),
  },
  file_input: {
    ...action,
    filetypes: may(list(string(20, 1), 1, 100), 'T'),
    max_files: may(number(1, 10), 'T'),
  },
};
