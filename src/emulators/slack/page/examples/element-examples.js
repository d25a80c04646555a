import { mrkdwn, option, plain, rich } from './text-objects.js';

/**
 * @import { ContainerBlock, InputBlock, InputBlockElement } from '@slack/types'
 * @import { Example } from './all-examples.js'
 */

const DRINKS = [option('Coffee', 'Black'), option('Tea'), option('Lemonade')];
const CONFIRM = {
  title: plain('Delete this post?'),
  text: mrkdwn('This *can’t* be undone.'),
  confirm: plain('Delete'),
  deny: plain('Keep'),
  style: /** @type {const} */ ('danger'),
};

/** Every element of input blocks, with its label. @type {readonly (readonly [string, InputBlockElement])[]} */
const INPUTS = [
  ['Single line', { type: 'plain_text_input', placeholder: plain('What should people read?') }],
  [
    'Many lines',
    { type: 'plain_text_input', multiline: true, max_length: 280, initial_value: 'Fresh roast' },
  ],
  [
    'Formatted text',
    { type: 'rich_text_input', initial_value: rich('It is all *plain* here.'), min_lines: 2 },
  ],
  ['Email', { type: 'email_text_input', placeholder: plain('name@example.com') }],
  ['Address', { type: 'url_text_input', initial_value: 'https://example.com' }],
  ['Number', { type: 'number_input', is_decimal_allowed: false, min_value: '1', max_value: '10' }],
  ['Day', { type: 'datepicker', initial_date: '2026-12-01' }],
  ['Time', { type: 'timepicker', initial_time: '09:00', timezone: 'Europe/Berlin' }],
  ['Date and time', { type: 'datetimepicker', initial_date_time: 1_796_115_600 }],
  ['Drink', { type: 'static_select', options: DRINKS }],
  [
    'Drinks in groups',
    {
      type: 'multi_static_select',
      option_groups: [
        { label: plain('Hot'), options: [option('Coffee'), option('Tea')] },
        { label: plain('Cold'), options: [option('Lemonade'), option('Water')] },
      ],
      initial_options: [option('Tea')],
      max_selected_items: 3,
    },
  ],
  ['Place', { type: 'external_select', min_query_length: 0 }],
  ['Places', { type: 'multi_external_select', min_query_length: 0 }],
  ['Person', { type: 'users_select', initial_user: 'U02BENOKAF' }],
  ['People', { type: 'multi_users_select' }],
  ['Conversation', { type: 'conversations_select', filter: { include: ['public', 'im'] } }],
  ['Conversations', { type: 'multi_conversations_select' }],
  ['Channel', { type: 'channels_select', initial_channel: 'C01GENERAL' }],
  ['Channels', { type: 'multi_channels_select' }],
  ['Extras', { type: 'checkboxes', options: [option('Milk', 'From oats'), option('Sugar')] }],
  [
    'Size',
    { type: 'radio_buttons', options: [option('Small'), option('Large')], initial_option: option('Small') },
  ],
  ['Files', { type: 'file_input', filetypes: ['png', 'jpg', 'pdf'], max_files: 3 }],
];

/**
 * @param {readonly [string, InputBlockElement]} entry
 * @returns {InputBlock}
 */
function createInput([label, element]) {
  const id = label.toLowerCase().replaceAll(' ', '-');
  return {
    type: 'input',
    block_id: id,
    label: plain(label),
    optional: element.type !== 'plain_text_input',
    ...(element.type === 'file_input' ? { hint: plain('PNG, JPEG or PDF, at most three.') } : {}),
    element: { action_id: id, ...element },
  };
}

/**
 * @param {Partial<ContainerBlock>} more
 * @returns {ContainerBlock}
 */
const createContainer = (more) => ({
  type: 'container',
  subtitle: mrkdwn('Three of *twelve*'),
  child_blocks: [
    { type: 'section', text: mrkdwn('*Mon* Fresh roast') },
    { type: 'divider' },
    { type: 'actions', elements: [{ type: 'button', action_id: 'all', text: plain('See all') }] },
  ],
  ...more,
});

/**
 * Interactive elements.
 * @param {string} picture URL
 * @returns {Example[]}
 */
export const createElementExamples = (picture) => [
  {
    title: 'actions',
    blocks: [
      {
        type: 'actions',
        elements: [
          {
            type: 'button',
            action_id: 'again',
            text: plain('Schedule another'),
            style: 'primary',
            value: '1',
          },
          { type: 'button', action_id: 'share', text: plain('Share') },
          { type: 'button', action_id: 'delete', text: plain('Delete'), style: 'danger', confirm: CONFIRM },
          {
            type: 'workflow_button',
            action_id: 'workflow',
            text: plain('Run a workflow'),
            workflow: { trigger: { url: 'https://slack.com/shortcuts/Ft01/x' } },
          },
          { type: 'static_select', action_id: 'drink', placeholder: plain('A drink'), options: DRINKS },
          { type: 'datepicker', action_id: 'day', initial_date: '2026-12-01' },
          {
            type: 'overflow',
            action_id: 'more',
            options: [option('Rename'), option('Move', 'To another day')],
          },
        ],
      },
    ],
  },
  {
    title: 'section with an accessory',
    blocks: [
      {
        type: 'section',
        text: mrkdwn('*Who’s writing this?*\nI’ll notify them.'),
        accessory: { type: 'users_select', action_id: 'who', placeholder: plain('Choose a person') },
      },
    ],
  },
  {
    title: 'context_actions',
    blocks: [
      {
        type: 'context_actions',
        elements: [
          {
            type: 'feedback_buttons',
            action_id: 'feedback',
            positive_button: { text: plain('Good'), value: 'good' },
            negative_button: { text: plain('Bad'), value: 'bad' },
          },
          {
            type: 'icon_button',
            action_id: 'remove',
            icon: 'trash',
            text: plain('Remove'),
            confirm: CONFIRM,
          },
        ],
      },
    ],
  },
  {
    title: 'container',
    blocks: [createContainer({ title: plain('This week'), has_header_divider: true })],
  },
  {
    title: 'container, collapsible',
    blocks: [
      createContainer({
        rich_text_title: rich('Next week'),
        is_collapsible: true,
        width: 'wide',
        icon: { type: 'image', image_url: picture, alt_text: 'A cup' },
      }),
    ],
  },
  { title: 'input, with every element', surface: 'modal', blocks: INPUTS.map(createInput) },
];
