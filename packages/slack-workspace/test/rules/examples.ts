// The smallest object of each kind that Slack accepts.

const createPlainText = (text: string) => ({ type: 'plain_text', text });
const side = { text: createPlainText('Good'), value: 'good' };
const option = { text: createPlainText('A'), value: 'a' };

const ELEMENTS: Record<string, object> = {
  button: { type: 'button', text: createPlainText('Go') },
  workflow_button: {
    type: 'workflow_button',
    text: createPlainText('Go'),
    workflow: { trigger: { url: 'https://x.example' } },
  },
  checkboxes: { type: 'checkboxes', options: [option] },
  radio_buttons: { type: 'radio_buttons', options: [option] },
  overflow: { type: 'overflow', options: [option] },
  static_select: { type: 'static_select', options: [option] },
  multi_static_select: { type: 'multi_static_select', options: [option] },
  external_select: { type: 'external_select' },
  multi_external_select: { type: 'multi_external_select' },
  users_select: { type: 'users_select' },
  multi_users_select: { type: 'multi_users_select' },
  conversations_select: { type: 'conversations_select' },
  multi_conversations_select: { type: 'multi_conversations_select' },
  channels_select: { type: 'channels_select' },
  multi_channels_select: { type: 'multi_channels_select' },
  datepicker: { type: 'datepicker' },
  timepicker: { type: 'timepicker' },
  datetimepicker: { type: 'datetimepicker' },
  plain_text_input: { type: 'plain_text_input' },
  email_text_input: { type: 'email_text_input' },
  url_text_input: { type: 'url_text_input' },
  number_input: { type: 'number_input', is_decimal_allowed: false },
  rich_text_input: { type: 'rich_text_input' },
  file_input: { type: 'file_input' },
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
  video: {
    type: 'video',
    video_url: 'https://x.example',
    thumbnail_url: 'https://x.example',
    alt_text: 'x',
    title: createPlainText('x'),
  },
  task_card: { type: 'task_card', task_id: '1', title: 'x', status: 'pending' },
  plan: { type: 'plan', title: 'x' },
};

const RICH_TEXT: Record<string, object> = {
  text: { type: 'text', text: 'x' },
  link: { type: 'link', url: 'https://x.example' },
  emoji: { type: 'emoji', name: 'wave' },
  broadcast: { type: 'broadcast', range: 'here' },
  channel: { type: 'channel', channel_id: 'C01GENERAL' },
  color: { type: 'color', value: '#b4552d' },
  date: { type: 'date', timestamp: 1_796_115_600, format: '{date}' },
  team: { type: 'team', team_id: 'T01HARBOUR' },
  user: { type: 'user', user_id: 'U01ANAFERR' },
  usergroup: { type: 'usergroup', usergroup_id: 'S01BARISTA' },
  rich_text_section: { type: 'rich_text_section', elements: [] },
  rich_text_quote: { type: 'rich_text_quote', elements: [] },
  rich_text_preformatted: { type: 'rich_text_preformatted', elements: [] },
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
  workflow: { trigger: { url: 'https://x.example' } },
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

const createButton = (fields: object) => ({
  type: 'actions',
  elements: [{ type: 'button', text: createPlainText('Go'), ...fields }],
});
const createMenu = (type: string, fields: object) => ({ type: 'actions', elements: [{ type, ...fields }] });
const createModalWithInput = (element: object) => ({
  ...MODAL,
  blocks: [{ type: 'input', label: createPlainText('L'), element }],
});

/** Puts an object where its kind is allowed. Returns the surrounding blocks or view, and the object's pointer. */
export function placeObject(
  kind: string,
  object: object,
): { pointer: string; blocks?: object[]; view?: object } {
  const placeInBlocks = (block: object, pointer: string) => ({
    blocks: [block],
    pointer: `/blocks/0${pointer}`,
  });
  const placeRichText = (piece: object, pointer: string) =>
    placeInBlocks(
      { type: 'rich_text', elements: [{ type: 'rich_text_section', elements: [piece] }] },
      pointer,
    );
  switch (kind) {
    case 'modal':
    case 'home':
      return { view: object, pointer: '/view' };
    case 'plain_text':
    case 'mrkdwn':
      return placeInBlocks({ type: 'section', text: object }, '/text');
    case 'option':
      return placeInBlocks(createMenu('static_select', { options: [object] }), '/elements/0/options/0');
    case 'formatted_option':
      return placeInBlocks(createMenu('checkboxes', { options: [object] }), '/elements/0/options/0');
    case 'overflow_option':
      return placeInBlocks(createMenu('overflow', { options: [object] }), '/elements/0/options/0');
    case 'option_group':
      return placeInBlocks(
        createMenu('static_select', { option_groups: [object] }),
        '/elements/0/option_groups/0',
      );
    case 'confirm':
      return placeInBlocks(createButton({ confirm: object }), '/elements/0/confirm');
    case 'conversation_filter':
      return placeInBlocks(createMenu('conversations_select', { filter: object }), '/elements/0/filter');
    case 'workflow':
      return placeInBlocks(
        createMenu('workflow_button', { text: createPlainText('Go'), workflow: object }),
        '/elements/0/workflow',
      );
    case 'feedback_button':
      return placeInBlocks(
        {
          type: 'context_actions',
          elements: [{ type: 'feedback_buttons', positive_button: object, negative_button: side }],
        },
        '/elements/0/positive_button',
      );
    case 'url':
      return placeInBlocks({ ...BLOCKS.task_card, sources: [object] }, '/sources/0');
    case 'rich_text_style':
      return placeRichText({ ...RICH_TEXT.text, style: object }, '/elements/0/elements/0/style');
    case 'slack_file':
      return placeInBlocks({ type: 'image', alt_text: 'x', slack_file: object }, '/slack_file');
    case 'raw_text':
    case 'raw_number':
      return placeInBlocks({ type: 'table', rows: [[object]] }, '/rows/0/0');
    case 'column_settings':
      return placeInBlocks({ ...BLOCKS.table, column_settings: [object] }, '/column_settings/0');
    case 'image_element':
      return placeInBlocks({ type: 'section', text: createPlainText('x'), accessory: object }, '/accessory');
    case 'input':
      return { view: { ...MODAL, blocks: [object] }, pointer: '/view/blocks/0' };
    case 'dispatch_action_config':
      return {
        view: createModalWithInput({ type: 'plain_text_input', dispatch_action_config: object }),
        pointer: '/view/blocks/0/element/dispatch_action_config',
      };
    default:
      if (kind in BLOCKS) return placeInBlocks(object, '');
      if (kind in RICH_TEXT && kind.startsWith('rich_text_'))
        return placeInBlocks({ type: 'rich_text', elements: [object] }, '/elements/0');
      if (kind in RICH_TEXT) return placeRichText(object, '/elements/0/elements/0');
      if (INPUT_ONLY.includes(kind))
        return { view: createModalWithInput(object), pointer: '/view/blocks/0/element' };
      if (CONTEXT_ONLY.includes(kind))
        return placeInBlocks({ type: 'context_actions', elements: [object] }, '/elements/0');
      return placeInBlocks({ type: 'actions', elements: [object] }, '/elements/0');
  }
}
