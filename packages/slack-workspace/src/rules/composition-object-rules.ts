import {
  ANY,
  array,
  BOOLEAN,
  type FieldRules,
  object,
  oneOf,
  optionalField,
  plainText,
  requiredField,
  string,
  textObject,
} from './field-rule.ts';

const option = {
  text: requiredField(plainText(75), 'T P'),
  // Some documents say 150, but every surface accepts 75.
  value: requiredField(string(75), 'T P'),
  description: optionalField(plainText(75), 'T P'),
};

/** Composition objects (docs.slack.dev, "Composition objects"). */
export const COMPOSITION_OBJECT_RULES: FieldRules = {
  plain_text: { text: requiredField(string(3000, 1), 'T P'), emoji: optionalField(BOOLEAN, 'T') },
  mrkdwn: { text: requiredField(string(3000, 1), 'T P'), verbatim: optionalField(BOOLEAN, 'T') },
  option,
  /** Options of checkboxes and radio buttons, whose text can be mrkdwn. */
  formatted_option: {
    ...option,
    text: requiredField(textObject(75), 'T P'),
    description: optionalField(textObject(75), 'T P'),
  },
  overflow_option: { ...option, url: optionalField(string(3000), 'T P') },
  option_group: {
    label: requiredField(plainText(75), 'T P'),
    options: requiredField(array(object('option'), 1, 100), 'T P'),
  },
  confirm: {
    title: optionalField(plainText(100), 'T P'),
    text: requiredField(textObject(300), 'T P'),
    confirm: optionalField(plainText(30), 'T P'),
    deny: optionalField(plainText(30), 'T P'),
    style: optionalField(oneOf('primary', 'danger'), 'T P'),
  },
  dispatch_action_config: {
    trigger_actions_on: optionalField(array(oneOf('on_enter_pressed', 'on_character_entered'), 1, 2), 'T P'),
  },
  conversation_filter: {
    include: optionalField(array(oneOf('im', 'mpim', 'private', 'public'), 1, 4), 'T'),
    exclude_external_shared_channels: optionalField(BOOLEAN, 'T'),
    exclude_bot_users: optionalField(BOOLEAN, 'T'),
  },
  /** Table cells. The limit in characters is for all cells of a table: see {@link BLOCK_LIST_RULES}. */
  raw_text: { text: requiredField(string(10_000, 1), 'T') },
  raw_number: { text: requiredField(string(10_000, 1), 'T'), value: requiredField(ANY, 'T') },
  column_settings: {
    align: optionalField(oneOf('left', 'center', 'right'), 'D T'),
    is_wrapped: optionalField(BOOLEAN, 'D T'),
  },
  /** A button of a feedback_buttons element. */
  feedback_button: {
    text: requiredField(plainText(75), 'T'),
    value: requiredField(string(2000), 'T'),
    accessibility_label: optionalField(string(75), 'T'),
  },
  /** A source of a task_card. */
  url: { url: requiredField(string(3000, 1), 'T'), text: requiredField(string(3000, 1), 'T') },
  slack_file: { id: optionalField(string(255), 'T'), url: optionalField(string(3000), 'T') },
  workflow: { trigger: requiredField(ANY, 'T') },
};
