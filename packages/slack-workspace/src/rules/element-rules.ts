import { listWords } from '../words.ts';
import {
  ADDRESS,
  ANY,
  array,
  BOOLEAN,
  DATE,
  type FieldRules,
  type Fields,
  integer,
  matchingString,
  object,
  oneOf,
  optionalField,
  plainText,
  requiredField,
  string,
  textObject,
  typedObject,
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
  overflow_option: { ...option, url: optionalField(ADDRESS, 'T P') },
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

// Fields that several elements share.

const ACTION: Fields = { action_id: optionalField(string(255, 1), 'T P') };
const CONFIRM: Fields = { confirm: optionalField(object('confirm'), 'T P') };
const FOCUS: Fields = { focus_on_load: optionalField(BOOLEAN, 'T') };
const PLACEHOLDER: Fields = { placeholder: optionalField(plainText(150), 'T P') };
const ACCESSIBILITY_LABEL: Fields = { accessibility_label: optionalField(string(75), 'T P') };
const BUTTON: Fields = {
  ...ACTION,
  ...CONFIRM,
  ...ACCESSIBILITY_LABEL,
  style: optionalField(oneOf('primary', 'danger'), 'T P'),
  text: requiredField(plainText(75), 'T P'),
};
const PICKER: Fields = { ...ACTION, ...CONFIRM, ...FOCUS };
const SELECT: Fields = { ...PICKER, ...PLACEHOLDER };
const MULTI_SELECT: Fields = {
  ...SELECT,
  max_selected_items: optionalField(integer(1, Number.MAX_SAFE_INTEGER), 'T P'),
};
const INPUT: Fields = {
  ...ACTION,
  ...FOCUS,
  ...PLACEHOLDER,
  dispatch_action_config: optionalField(object('dispatch_action_config'), 'T P'),
};
const RESPONSE_URL: Fields = { response_url_enabled: optionalField(BOOLEAN, 'T') };

const OPTIONS: Fields = {
  options: optionalField(array(object('option'), 1, 100), 'T P'),
  option_groups: optionalField(array(object('option_group'), 1, 100), 'T P'),
};
const EXTERNAL: Fields = { min_query_length: optionalField(integer(0, Number.MAX_SAFE_INTEGER), 'T') };
const CONVERSATIONS: Fields = {
  default_to_current_conversation: optionalField(BOOLEAN, 'T'),
  filter: optionalField(object('conversation_filter'), 'T'),
};
const initialOptions = (kind: string, max: number) => optionalField(array(object(kind), 1, max), 'T P');
const INITIAL_IDS = optionalField(array(string(255), 1, 100), 'T');

const TIME = /^([01]\d|2[0-3]):[0-5]\d$/;

/** Interactive elements and images (docs.slack.dev, "Block elements"). */
export const ELEMENT_RULES: FieldRules = {
  button: {
    ...BUTTON,
    value: optionalField(string(2000), 'T P'),
    url: optionalField(ADDRESS, 'T P'),
  },
  workflow_button: { ...BUTTON, workflow: requiredField(object('workflow'), 'T') },
  icon_button: {
    ...ACTION,
    ...CONFIRM,
    ...ACCESSIBILITY_LABEL,
    icon: requiredField(string(255, 1), 'T'),
    text: requiredField(plainText(75), 'T'),
    value: optionalField(string(2000), 'T'),
    visible_to_user_ids: optionalField(array(string(255), 0, 100), 'T'),
  },
  feedback_buttons: {
    ...ACTION,
    positive_button: requiredField(object('feedback_button'), 'T'),
    negative_button: requiredField(object('feedback_button'), 'T'),
  },
  checkboxes: {
    ...PICKER,
    options: requiredField(array(object('formatted_option'), 1, 10), 'T P'),
    initial_options: initialOptions('formatted_option', 10),
  },
  radio_buttons: {
    ...PICKER,
    options: requiredField(array(object('formatted_option'), 1, 10), 'T P'),
    initial_option: optionalField(object('formatted_option'), 'T P'),
  },
  overflow: { ...ACTION, ...CONFIRM, options: requiredField(array(object('overflow_option'), 1, 5), 'T P') },
  static_select: { ...SELECT, ...OPTIONS, initial_option: optionalField(object('option'), 'T P') },
  multi_static_select: { ...MULTI_SELECT, ...OPTIONS, initial_options: initialOptions('option', 100) },
  external_select: { ...SELECT, ...EXTERNAL, initial_option: optionalField(object('option'), 'T P') },
  multi_external_select: { ...MULTI_SELECT, ...EXTERNAL, initial_options: initialOptions('option', 100) },
  users_select: { ...SELECT, initial_user: optionalField(string(255), 'T P') },
  multi_users_select: { ...MULTI_SELECT, initial_users: INITIAL_IDS },
  conversations_select: {
    ...SELECT,
    ...RESPONSE_URL,
    ...CONVERSATIONS,
    initial_conversation: optionalField(string(255), 'T P'),
  },
  multi_conversations_select: { ...MULTI_SELECT, ...CONVERSATIONS, initial_conversations: INITIAL_IDS },
  channels_select: { ...SELECT, ...RESPONSE_URL, initial_channel: optionalField(string(255), 'T P') },
  multi_channels_select: { ...MULTI_SELECT, initial_channels: INITIAL_IDS },
  datepicker: { ...SELECT, initial_date: optionalField(DATE, 'T P') },
  timepicker: {
    ...SELECT,
    initial_time: optionalField(matchingString(TIME), 'T P'),
    timezone: optionalField(string(255), 'T'),
  },
  datetimepicker: { ...PICKER, initial_date_time: optionalField(integer(1_000_000_000, 9_999_999_999), 'T') },
  plain_text_input: {
    ...INPUT,
    initial_value: optionalField(string(3000), 'T'),
    multiline: optionalField(BOOLEAN, 'T'),
    min_length: optionalField(integer(0, 3000), 'T'),
    max_length: optionalField(integer(1, 3000), 'T'),
  },
  email_text_input: { ...INPUT, initial_value: optionalField(string(3000), 'T') },
  url_text_input: { ...INPUT, initial_value: optionalField(string(3000), 'T') },
  number_input: {
    ...INPUT,
    is_decimal_allowed: requiredField(BOOLEAN, 'T'),
    initial_value: optionalField(string(255), 'T'),
    min_value: optionalField(string(255), 'T'),
    max_value: optionalField(string(255), 'T'),
  },
  rich_text_input: {
    ...INPUT,
    initial_value: optionalField(typedObject('rich_text'), 'T'),
    min_lines: optionalField(integer(1, 100), 'T'),
    max_lines: optionalField(integer(1, 100), 'T'),
  },
  file_input: {
    ...ACTION,
    filetypes: optionalField(array(string(20, 1), 1, 100), 'T'),
    max_files: optionalField(integer(1, 10), 'T'),
  },
};

const RICH_TEXT_STYLE: Fields = { style: optionalField(object('rich_text_style'), 'D T') };
const BORDER: Fields = { border: optionalField(integer(0, 1), 'T') };
const ID = requiredField(string(255, 1), 'T');

const PIECES: FieldRules = {
  // Slack refuses empty texts (NousResearch/hermes-agent #59621).
  text: { ...RICH_TEXT_STYLE, text: requiredField(string(40_000, 1), 'I') },
  // And empty texts of links (slack-go/slack #1412).
  link: {
    ...RICH_TEXT_STYLE,
    url: requiredField(string(3000, 1), 'T'),
    text: optionalField(string(40_000, 1), 'I'),
    unsafe: optionalField(BOOLEAN, 'T'),
  },
  emoji: {
    ...RICH_TEXT_STYLE,
    name: requiredField(string(255, 1), 'T'),
    unicode: optionalField(string(255), 'T'),
    url: optionalField(string(3000), 'T'),
    skin_tone: optionalField(integer(2, 6), 'D'),
  },
  broadcast: { ...RICH_TEXT_STYLE, range: requiredField(oneOf('here', 'channel', 'everyone'), 'T') },
  channel: { ...RICH_TEXT_STYLE, channel_id: ID },
  color: { ...RICH_TEXT_STYLE, value: ID },
  date: {
    ...RICH_TEXT_STYLE,
    timestamp: requiredField(integer(0, Number.MAX_SAFE_INTEGER), 'T'),
    format: requiredField(string(3000, 1), 'T'),
    url: optionalField(string(3000), 'T'),
    fallback: optionalField(string(3000), 'T'),
  },
  team: { ...RICH_TEXT_STYLE, team_id: ID },
  user: { ...RICH_TEXT_STYLE, user_id: ID },
  usergroup: { ...RICH_TEXT_STYLE, usergroup_id: ID },
};

const anyNumberOf = (...kinds: string[]) => requiredField(array(typedObject(...kinds), 0, 10_000), 'T');
/** Slack's own clients make empty sections (slackapi/python-slack-sdk #1576), but Slack refuses those of apps. */
const someOf = (...kinds: string[]) => requiredField(array(typedObject(...kinds), 1, 10_000), 'I');

/** The elements of rich_text blocks (docs.slack.dev, "Rich text block"). */
export const RICH_TEXT_RULES: FieldRules = {
  ...PIECES,
  rich_text_style: Object.fromEntries(
    listWords('bold italic strike code underline highlight client_highlight unlink').map((name) => [
      name,
      optionalField(BOOLEAN, 'D T'),
    ]),
  ),
  // Slack refuses empty ones (NousResearch/hermes-agent #59621).
  rich_text_section: { elements: someOf(...Object.keys(PIECES)) },
  rich_text_quote: { ...BORDER, elements: someOf(...Object.keys(PIECES)) },
  rich_text_preformatted: {
    ...BORDER,
    elements: someOf('text', 'link'),
    language: optionalField(string(255), 'D'),
  },
  rich_text_list: {
    ...BORDER,
    elements: anyNumberOf('rich_text_section'),
    style: requiredField(oneOf('bullet', 'ordered'), 'T'),
    indent: optionalField(integer(0, 100), 'T'),
    offset: optionalField(integer(0, Number.MAX_SAFE_INTEGER), 'D'),
  },
};

export const RICH_TEXT_ELEMENTS = anyNumberOf(
  ...listWords('rich_text_section rich_text_list rich_text_quote rich_text_preformatted'),
);
