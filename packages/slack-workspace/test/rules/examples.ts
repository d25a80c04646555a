import { listWords } from '../../src/words.ts';

// The smallest object of each kind that Slack accepts.

const createPlainText = (text: string) => ({ type: 'plain_text', text });
const side = { text: createPlainText('Good'), value: 'good' };
const url = 'https://x.example';
const workflow = { trigger: { url } };
const option = { text: createPlainText('A'), value: 'a' };

/** Elements that need nothing but their type. */
const BARE_ELEMENTS = listWords(`
  external_select multi_external_select users_select multi_users_select conversations_select
  multi_conversations_select channels_select multi_channels_select datepicker timepicker datetimepicker
  plain_text_input email_text_input url_text_input rich_text_input file_input
`);

const ELEMENTS: Record<string, object> = {
  ...Object.fromEntries(BARE_ELEMENTS.map((type) => [type, { type }])),
  button: { type: 'button', text: createPlainText('Go') },
  workflow_button: { type: 'workflow_button', text: createPlainText('Go'), workflow },
  checkboxes: { type: 'checkboxes', options: [option] },
  radio_buttons: { type: 'radio_buttons', options: [option] },
  overflow: { type: 'overflow', options: [option] },
  static_select: { type: 'static_select', options: [option] },
  multi_static_select: { type: 'multi_static_select', options: [option] },
  number_input: { type: 'number_input', is_decimal_allowed: false },
  icon_button: { type: 'icon_button', icon: 'trash', text: createPlainText('Go') },
  feedback_buttons: { type: 'feedback_buttons', positive_button: side, negative_button: side },
};

const input = { type: 'input', label: createPlainText('L'), element: ELEMENTS.plain_text_input };
const image = { type: 'image', image_url: 'https://x.example/i.png', alt_text: 'a cup' };

const BLOCKS: Record<string, object> = {
  section: { type: 'section', text: createPlainText('Words') },
  header: { type: 'header', text: createPlainText('Words') },
  divider: { type: 'divider' },
  context: { type: 'context', elements: [createPlainText('Words')] },
  actions: { type: 'actions', elements: [ELEMENTS.button] },
  image,
  input,
  markdown: { type: 'markdown', text: 'Words' },
  rich_text: { type: 'rich_text', elements: [] },
  alert: { type: 'alert', text: createPlainText('Words') },
  context_actions: { type: 'context_actions', elements: [ELEMENTS.icon_button] },
  card: { type: 'card', title: createPlainText('Words') },
  carousel: { type: 'carousel', elements: [{ type: 'card', title: createPlainText('Words') }] },
  container: { type: 'container', title: createPlainText('Words'), child_blocks: [{ type: 'divider' }] },
  file: { type: 'file', source: 'remote', external_id: 'x' },
  table: { type: 'table', rows: [[{ type: 'raw_text', text: 'x' }]] },
  data_table: { type: 'data_table', caption: 'x', rows: [[{ type: 'raw_text', text: 'x' }]] },
  video: { type: 'video', video_url: url, thumbnail_url: url, alt_text: 'x', title: createPlainText('x') },
  task_card: { type: 'task_card', task_id: '1', title: 'x', status: 'pending' },
  plan: { type: 'plan', title: 'x' },
};

const text = { type: 'text', text: 'x' };

const RICH_TEXT: Record<string, object> = {
  text,
  link: { type: 'link', url: 'https://x.example' },
  emoji: { type: 'emoji', name: 'wave' },
  broadcast: { type: 'broadcast', range: 'here' },
  channel: { type: 'channel', channel_id: 'C01GENERAL' },
  color: { type: 'color', value: '#b4552d' },
  date: { type: 'date', timestamp: 1_796_115_600, format: '{date}' },
  team: { type: 'team', team_id: 'T01HARBOUR' },
  user: { type: 'user', user_id: 'U01ANAFERR' },
  usergroup: { type: 'usergroup', usergroup_id: 'S01BARISTA' },
  rich_text_section: { type: 'rich_text_section', elements: [text] },
  rich_text_quote: { type: 'rich_text_quote', elements: [text] },
  rich_text_preformatted: { type: 'rich_text_preformatted', elements: [text] },
  rich_text_list: { type: 'rich_text_list', style: 'bullet', elements: [] },
};

const MODAL = { type: 'modal', title: createPlainText('T'), submit: createPlainText('Go'), blocks: [] };

/** Composition objects and views. */
const OBJECTS: Record<string, object> = {
  plain_text: createPlainText('x'),
  mrkdwn: { type: 'mrkdwn', text: 'x' },
  option,
  formatted_option: option,
  overflow_option: option,
  option_group: { label: createPlainText('x'), options: [option] },
  confirm: { text: createPlainText('Sure?') },
  dispatch_action_config: {},
  conversation_filter: {},
  raw_text: { type: 'raw_text', text: 'x' },
  raw_number: { type: 'raw_number', text: '1', value: 1 },
  column_settings: { align: 'right', is_wrapped: true },
  feedback_button: side,
  url: { type: 'url', url: 'https://x.example', text: 'x' },
  slack_file: { id: 'F1' },
  workflow,
  image_element: image,
  modal: MODAL,
  home: { type: 'home', blocks: [] },
  options_answer: { options: [] },
};

export const EXAMPLES: Record<string, object> = {
  ...OBJECTS,
  ...ELEMENTS,
  ...BLOCKS,
  ...RICH_TEXT,
  rich_text_style: { bold: true },
};

const INPUT_ONLY = ['plain_text_input', 'email_text_input', 'url_text_input', 'number_input', 'file_input'];
const CONTEXT_ONLY = ['icon_button', 'feedback_buttons'];

interface Placed {
  pointer: string;
  blocks?: object[];
  view?: object;
}
const inBlock = (block: object, pointer: string): Placed => ({
  blocks: [block],
  pointer: `/blocks/0${pointer}`,
});
const inElement = (type: string, fields: object, pointer: string) =>
  inBlock({ type: 'actions', elements: [{ type, ...fields }] }, `/elements/0${pointer}`);
const inRichText = (piece: object, pointer: string) =>
  inBlock({ type: 'rich_text', elements: [{ type: 'rich_text_section', elements: [piece] }] }, pointer);
const inInput = (element: object, pointer: string): Placed => ({
  view: { ...MODAL, blocks: [{ type: 'input', label: createPlainText('L'), element }] },
  pointer: `/view/blocks/0/element${pointer}`,
});
const inFeedback = (positive_button: object) => ({
  type: 'feedback_buttons',
  positive_button,
  negative_button: side,
});

const inText = (text: object) => inBlock({ type: 'section', text }, '/text');
const inView = (view: object): Placed => ({ view, pointer: '/view' });
const inCell = (cell: object) => inBlock({ type: 'table', rows: [[cell]] }, '/rows/0/0');
const go = createPlainText('Go');

/** Where an object of each kind is allowed. The other kinds are blocks or elements. */
const PLACES: Record<string, (object: object) => Placed> = {
  modal: inView,
  home: inView,
  plain_text: inText,
  mrkdwn: inText,
  option: (one) => inElement('static_select', { options: [one] }, '/options/0'),
  formatted_option: (one) => inElement('checkboxes', { options: [one] }, '/options/0'),
  overflow_option: (one) => inElement('overflow', { options: [one] }, '/options/0'),
  option_group: (group) => inElement('static_select', { option_groups: [group] }, '/option_groups/0'),
  confirm: (confirm) => inElement('button', { text: go, confirm }, '/confirm'),
  conversation_filter: (filter) => inElement('conversations_select', { filter }, '/filter'),
  workflow: (workflow) => inElement('workflow_button', { text: go, workflow }, '/workflow'),
  feedback_button: (one) =>
    inBlock({ type: 'context_actions', elements: [inFeedback(one)] }, '/elements/0/positive_button'),
  url: (source) => inBlock({ ...BLOCKS.task_card, sources: [source] }, '/sources/0'),
  rich_text_style: (style) => inRichText({ ...RICH_TEXT.text, style }, '/elements/0/elements/0/style'),
  slack_file: (slack_file) => inBlock({ type: 'image', alt_text: 'x', slack_file }, '/slack_file'),
  raw_text: inCell,
  raw_number: inCell,
  column_settings: (one) => inBlock({ ...BLOCKS.table, column_settings: [one] }, '/column_settings/0'),
  image_element: (accessory) => inBlock({ ...BLOCKS.section, accessory }, '/accessory'),
  input: (block) => ({ view: { ...MODAL, blocks: [block] }, pointer: '/view/blocks/0' }),
  dispatch_action_config: (config) =>
    inInput({ type: 'plain_text_input', dispatch_action_config: config }, '/dispatch_action_config'),
};

/** Puts an object where its kind is allowed. Returns the surrounding blocks or view, and the object's pointer. */
export function placeObject(kind: string, object: object): Placed {
  const place = PLACES[kind];
  if (place) return place(object);
  if (kind in BLOCKS) return inBlock(object, '');
  if (kind.startsWith('rich_text_') && kind in RICH_TEXT)
    return inBlock({ type: 'rich_text', elements: [object] }, '/elements/0');
  if (kind in RICH_TEXT) return inRichText(object, '/elements/0/elements/0');
  if (INPUT_ONLY.includes(kind)) return inInput(object, '');
  if (CONTEXT_ONLY.includes(kind))
    return inBlock({ type: 'context_actions', elements: [object] }, '/elements/0');
  if (kind.startsWith('multi_'))
    return inBlock({ type: 'section', text: createPlainText('Words'), accessory: object }, '/accessory');
  return inBlock({ type: 'actions', elements: [object] }, '/elements/0');
}
