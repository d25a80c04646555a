import { ELEMENT_RULES } from './element-rules.ts';
import {
  ANYTHING,
  type FieldRule,
  FLAG,
  type Kinds,
  list,
  may,
  must,
  number,
  oneOf,
  plain,
  string,
  thing,
  typed,
  words,
} from './rule.ts';

type Fields = Record<string, FieldRule>;

const id: Fields = { block_id: may(string(255), 'T P') };
const picture: Fields = {
  image_url: may(string(3000, 1), 'T P'),
  slack_file: may(thing('slack_file'), 'T'),
  alt_text: must(string(2000, 1), 'T P'),
};

const MENUS = Object.keys(ELEMENT_RULES).filter((kind) => kind.endsWith('_select'));
const CHOICES = ['checkboxes', 'datepicker', 'radio_buttons', 'timepicker', ...MENUS];
const ACTIONS = ['button', 'datetimepicker', 'overflow', 'rich_text_input', 'workflow_button', ...CHOICES];
const ACCESSORIES = ['button', 'image_element', 'overflow', 'workflow_button', ...CHOICES];
const INPUTS = [
  'datetimepicker',
  'email_text_input',
  'file_input',
  'number_input',
  'plain_text_input',
  'rich_text_input',
  'url_text_input',
  ...CHOICES,
];

const CELL = typed('raw_text', 'raw_number', 'rich_text');

/** What may stand in a container block (@slack/types 3.2.0). */
const CONTAINED = [
  'actions',
  'context',
  'divider',
  'file',
  'header',
  'image',
  'input',
  'rich_text',
  'section',
  'table',
  'video',
];

/** Kinds of charts (docs.slack.dev/reference/block-kit/blocks/data-visualization-block). */
const CHARTS = ['area', 'bar', 'line', 'pie'];

/** Blocks (docs.slack.dev, "Blocks"). */
export const BLOCK_RULES: Kinds = {
  section: {
    ...id,
    text: may(words(3000), 'T P'),
    fields: may(list(words(2000), 1, 10), 'T P'),
    accessory: may(typed(...ACCESSORIES), 'T P'),
    expand: may(FLAG, 'T'),
  },
  header: { ...id, text: must(plain(150), 'T P') },
  divider: { ...id },
  context: { ...id, elements: must(list(typed('image_element', 'plain_text', 'mrkdwn'), 1, 10), 'T P') },
  actions: { ...id, elements: must(list(typed(...ACTIONS), 1, 25), 'T P') },
  /** Of type `image` too, where it stands in another block. */
  image_element: picture,
  image: { ...id, ...picture, title: may(plain(2000), 'T P') },
  input: {
    ...id,
    label: must(plain(2000), 'T P'),
    element: must(typed(...INPUTS), 'T P'),
    hint: may(plain(2000), 'T P'),
    optional: may(FLAG, 'T'),
    dispatch_action: may(FLAG, 'T'),
  },
  markdown: { ...id, text: must(string(12_000, 1), 'T P') },
  rich_text: { ...id, elements: must(ANYTHING, 'T') },
  alert: {
    ...id,
    text: must(words(3000), 'T'),
    level: may(oneOf('default', 'info', 'warning', 'error', 'success'), 'T'),
  },
  context_actions: { ...id, elements: must(list(typed('feedback_buttons', 'icon_button'), 1, 5), 'T') },
  card: {
    ...id,
    hero_image: may(typed('image_element'), 'T'),
    icon: may(typed('image_element'), 'T'),
    title: may(words(150), 'T'),
    subtitle: may(words(150), 'T'),
    body: may(words(200), 'T'),
    actions: may(list(typed('button'), 1, 25), 'T'),
  },
  carousel: { ...id, elements: must(list(typed('card'), 1, 10), 'T') },
  container: {
    ...id,
    title: may(plain(150), 'T'),
    rich_text_title: may(typed('rich_text'), 'T'),
    subtitle: may(words(150), 'T'),
    child_blocks: must(list(typed(...CONTAINED), 1, 10), 'T'),
    width: may(oneOf('narrow', 'standard', 'wide', 'full'), 'T'),
    icon: may(typed('image_element'), 'T'),
    is_collapsible: may(FLAG, 'T'),
    default_collapsed: may(FLAG, 'T'),
    has_header_divider: may(FLAG, 'T'),
  },
  file: { ...id, source: must(string(255, 1), 'T'), external_id: must(string(255, 1), 'T') },
  table: {
    ...id,
    rows: must(list(list(CELL, 1, 20), 1, 100), 'D T'),
    column_settings: may(list(thing('column_settings'), 1, 20), 'D T'),
  },
  data_table: {
    ...id,
    rows: must(list(list(CELL, 1, 20), 1, 100), 'T'),
    caption: must(string(3000), 'T'),
    page_size: may(number(1, 100), 'T'),
    row_header_column_index: may(number(0, Number.MAX_SAFE_INTEGER), 'T'),
  },
  data_visualization: { ...id, title: must(string(50, 1), 'D'), chart: must(typed(...CHARTS), 'D') },
  video: {
    ...id,
    video_url: must(string(3000, 1), 'T'),
    thumbnail_url: must(string(3000, 1), 'T'),
    alt_text: must(string(2000, 1), 'T'),
    title: must(plain(199), 'T'),
    title_url: may(string(3000), 'T'),
    author_name: may(string(49), 'T'),
    provider_name: may(string(3000), 'T'),
    provider_icon_url: may(string(3000), 'T'),
    description: may(plain(3000), 'T'),
  },
  task_card: {
    ...id,
    task_id: must(string(255, 1), 'T'),
    title: must(string(3000, 1), 'T'),
    status: must(oneOf('pending', 'in_progress', 'complete', 'error'), 'T'),
    details: may(typed('rich_text'), 'T'),
    output: may(typed('rich_text'), 'T'),
    sources: may(list(typed('url'), 0, 100), 'T'),
  },
  plan: { ...id, title: must(string(3000, 1), 'T'), tasks: may(list(typed('task_card'), 0, 100), 'T') },
};
