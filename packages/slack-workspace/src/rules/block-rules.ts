import { listWords } from '../words.ts';
import { ELEMENT_RULES, RICH_TEXT_ELEMENTS } from './element-rules.ts';
import {
  array,
  BOOLEAN,
  type FieldRules,
  type Fields,
  integer,
  object,
  oneOf,
  optionalField,
  plainText,
  requiredField,
  type Schema,
  string,
  textObject,
  typedObject,
} from './field-rule.ts';

const BLOCK_ID: Fields = { block_id: optionalField(string(255), 'T P') };
const PICTURE: Fields = {
  image_url: optionalField(string(3000, 1), 'T P'),
  slack_file: optionalField(object('slack_file'), 'T'),
  alt_text: requiredField(string(2000, 1), 'T P'),
};

const SELECTS = Object.keys(ELEMENT_RULES).filter((kind) => kind.endsWith('_select'));
const PICKERS = listWords('checkboxes datepicker radio_buttons timepicker').concat(SELECTS);
const typedPicker = (otherKinds: string) => typedObject(...listWords(otherKinds), ...PICKERS);
/** @slack/types also has multi-selects here, but Slack refuses them (node-slack-sdk #1299, python-slack-sdk #1631). */
const ACTIONS_ELEMENT = typedObject(
  ...listWords('button datetimepicker overflow rich_text_input workflow_button'),
  ...PICKERS.filter((kind) => !kind.startsWith('multi_')),
);
const ACCESSORY = typedPicker('button image_element overflow workflow_button');
const INPUT_ELEMENT = typedPicker(
  'datetimepicker email_text_input file_input number_input plain_text_input rich_text_input url_text_input',
);

const CELL = typedObject('raw_text', 'raw_number', 'rich_text');

/** Blocks that a container block accepts (@slack/types 3.2.0). */
const CONTAINER_BLOCK = typedObject(
  ...listWords('actions context divider file header image input rich_text section table video'),
);

const BLOCKS: FieldRules = {
  section: {
    text: optionalField(textObject(3000), 'T P'),
    fields: optionalField(array(textObject(2000), 1, 10), 'T P'),
    accessory: optionalField(ACCESSORY, 'T P'),
    expand: optionalField(BOOLEAN, 'T'),
  },
  header: { text: requiredField(plainText(150), 'T P') },
  divider: {},
  context: {
    elements: requiredField(array(typedObject('image_element', 'plain_text', 'mrkdwn'), 1, 10), 'T P'),
  },
  actions: { elements: requiredField(array(ACTIONS_ELEMENT, 1, 25), 'T P') },
  image: { ...PICTURE, title: optionalField(plainText(2000), 'T P') },
  input: {
    label: requiredField(plainText(2000), 'T P'),
    element: requiredField(INPUT_ELEMENT, 'T P'),
    hint: optionalField(plainText(2000), 'T P'),
    optional: optionalField(BOOLEAN, 'T'),
    dispatch_action: optionalField(BOOLEAN, 'T'),
  },
  markdown: { text: requiredField(string(12_000, 1), 'T P') },
  rich_text: { elements: RICH_TEXT_ELEMENTS },
  alert: {
    text: requiredField(textObject(3000), 'T'),
    level: optionalField(oneOf('default', 'info', 'warning', 'error', 'success'), 'T'),
  },
  context_actions: {
    elements: requiredField(array(typedObject('feedback_buttons', 'icon_button'), 1, 5), 'T'),
  },
  card: {
    hero_image: optionalField(typedObject('image_element'), 'T'),
    icon: optionalField(typedObject('image_element'), 'T'),
    title: optionalField(textObject(150), 'T'),
    subtitle: optionalField(textObject(150), 'T'),
    body: optionalField(textObject(200), 'T'),
    actions: optionalField(array(typedObject('button'), 1, 25), 'T'),
  },
  carousel: { elements: requiredField(array(typedObject('card'), 1, 10), 'T') },
  container: {
    title: optionalField(plainText(150), 'T'),
    rich_text_title: optionalField(typedObject('rich_text'), 'T'),
    subtitle: optionalField(textObject(150), 'T'),
    child_blocks: requiredField(array(CONTAINER_BLOCK, 1, 10), 'T'),
    width: optionalField(oneOf('narrow', 'standard', 'wide', 'full'), 'T'),
    icon: optionalField(typedObject('image_element'), 'T'),
    is_collapsible: optionalField(BOOLEAN, 'T'),
    default_collapsed: optionalField(BOOLEAN, 'T'),
    has_header_divider: optionalField(BOOLEAN, 'T'),
  },
  file: {
    source: requiredField(string(255, 1), 'T'),
    external_id: requiredField(string(255, 1), 'T'),
  },
  table: {
    rows: requiredField(array(array(CELL, 1, 20), 1, 100), 'D T'),
    column_settings: optionalField(array(object('column_settings'), 1, 20), 'D T'),
  },
  data_table: {
    rows: requiredField(array(array(CELL, 1, 20), 1, 100), 'T'),
    caption: requiredField(string(3000), 'T'),
    page_size: optionalField(integer(1, 100), 'T'),
    row_header_column_index: optionalField(integer(0, Number.MAX_SAFE_INTEGER), 'T'),
  },
  video: {
    video_url: requiredField(string(3000, 1), 'T'),
    thumbnail_url: requiredField(string(3000, 1), 'T'),
    alt_text: requiredField(string(2000, 1), 'T'),
    title: requiredField(plainText(199), 'T'),
    title_url: optionalField(string(3000), 'T'),
    author_name: optionalField(string(49), 'T'),
    provider_name: optionalField(string(3000), 'T'),
    provider_icon_url: optionalField(string(3000), 'T'),
    description: optionalField(plainText(3000), 'T'),
  },
  task_card: {
    task_id: requiredField(string(255, 1), 'T'),
    title: requiredField(string(3000, 1), 'T'),
    status: requiredField(oneOf('pending', 'in_progress', 'complete', 'error'), 'T'),
    details: optionalField(typedObject('rich_text'), 'T'),
    output: optionalField(typedObject('rich_text'), 'T'),
    sources: optionalField(array(typedObject('url'), 0, 100), 'T'),
  },
  plan: {
    title: requiredField(string(3000, 1), 'T'),
    tasks: optionalField(array(typedObject('task_card'), 0, 100), 'T'),
  },
};

/** Blocks (docs.slack.dev, "Blocks"). All can have a block_id. */
export const BLOCK_RULES: FieldRules = {
  ...Object.fromEntries(Object.entries(BLOCKS).map(([kind, fields]) => [kind, { ...BLOCK_ID, ...fields }])),
  /** An image in another block. Its `type` is `image`, like that of an image block. */
  image_element: PICTURE,
};

const BLOCK = typedObject(...Object.keys(BLOCKS));

const COMMON_FIELDS: Fields = {
  blocks: requiredField(array(BLOCK, 0, 100), 'D T'),
  private_metadata: optionalField(string(3000), 'P T D'),
  callback_id: optionalField(string(255), 'P T D'),
  external_id: optionalField(string(255), 'P T D'),
};

/** Views (docs.slack.dev, "Views"). */
export const VIEW_RULES: FieldRules = {
  modal: {
    ...COMMON_FIELDS,
    title: requiredField(plainText(24), 'P T D'),
    submit: optionalField(plainText(24), 'P T D'),
    close: optionalField(plainText(24), 'P T D'),
    clear_on_close: optionalField(BOOLEAN, 'T'),
    notify_on_close: optionalField(BOOLEAN, 'T'),
  },
  home: COMMON_FIELDS,
};

/** docs.slack.dev, "Blocks". */
export const MAX_MESSAGE_BLOCKS = 50;

export const MESSAGE_BLOCKS: Schema = array(BLOCK, 0, MAX_MESSAGE_BLOCKS);

/** An app's answer to an options request. */
export const OPTIONS_RULES: FieldRules = {
  options_answer: {
    options: optionalField(array(object('option'), 0, 100), 'D T'),
    option_groups: optionalField(array(object('option_group'), 0, 100), 'D T'),
  },
};
