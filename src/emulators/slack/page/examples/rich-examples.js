import { mrkdwn, plain, rich } from './text-objects.js';

/**
 * @import { RichTextElement, TaskCardBlock } from '@slack/types'
 * @import { Example } from './all-examples.js'
 */

/** @type {RichTextElement[]} */
const EVERY_PIECE = [
  { type: 'text', text: 'Bold', style: { bold: true } },
  { type: 'text', text: ', ' },
  { type: 'text', text: 'italic', style: { italic: true } },
  { type: 'text', text: ', ' },
  { type: 'text', text: 'struck', style: { strike: true } },
  { type: 'text', text: ', ' },
  { type: 'text', text: 'code', style: { code: true } },
  { type: 'text', text: ', ' },
  { type: 'text', text: 'underlined', style: { underline: true } },
  { type: 'text', text: ' ' },
  { type: 'link', url: 'https://example.com', text: 'a link' },
  { type: 'text', text: ' ' },
  { type: 'emoji', name: 'rocket' },
  { type: 'emoji', name: 'wave-of-ours', unicode: '1f44b-1f3fd' },
  { type: 'text', text: ' ' },
  { type: 'user', user_id: 'U02BENOKAF' },
  { type: 'text', text: ' ' },
  { type: 'usergroup', usergroup_id: 'S01BARISTA' },
  { type: 'text', text: ' ' },
  { type: 'team', team_id: 'T01HARBOUR' },
  { type: 'text', text: ' ' },
  { type: 'channel', channel_id: 'C01GENERAL' },
  { type: 'text', text: ' ' },
  { type: 'broadcast', range: 'here' },
  { type: 'text', text: ' ' },
  { type: 'date', timestamp: 1_796_115_600, format: '{date_long} at {time}', fallback: '1 Dec 2026' },
  { type: 'text', text: ' ' },
  { type: 'color', value: '#b4552d' },
];

/** @param {string} text */
const item = (text) => ({
  type: /** @type {const} */ ('rich_text_section'),
  elements: [{ type: /** @type {const} */ ('text'), text }],
});

/** @type {TaskCardBlock[]} */
const TASKS = [
  {
    type: 'task_card',
    task_id: 'read',
    title: 'Read the posts of this week',
    status: 'complete',
    output: rich('12 posts, 3 of them drafts.'),
    sources: [{ type: 'url', url: 'https://example.com/posts', text: 'Posts' }],
  },
  {
    type: 'task_card',
    task_id: 'write',
    title: 'Write the digest',
    status: 'in_progress',
    details: rich('Harbour Coffee first, then the night market.'),
  },
  { type: 'task_card', task_id: 'send', title: 'Send it', status: 'pending' },
  { type: 'task_card', task_id: 'tell', title: 'Tell the guests', status: 'error' },
];

/** @param {string} text */
const cell = (text) => ({ type: /** @type {const} */ ('raw_text'), text });
/** @param {number} value */
const count = (value) => ({
  type: /** @type {const} */ ('raw_number'),
  value,
  text: value.toLocaleString('en'),
});

const READERS = [
  ['Instagram', 1290],
  ['X', 87],
  ['LinkedIn', 402],
  ['TikTok', 2210],
  ['Facebook', 640],
  ['Mastodon', 75],
  ['Reddit', 311],
];

/**
 * Rich text, and blocks that contain it or other blocks.
 * @param {string} picture an address
 * @returns {Example[]}
 */
export const createRichExamples = (picture) => [
  {
    title: 'rich_text',
    blocks: [
      {
        type: 'rich_text',
        elements: [
          { type: 'rich_text_section', elements: EVERY_PIECE },
          { type: 'rich_text_list', style: 'bullet', elements: [item('an item'), item('another')] },
          {
            type: 'rich_text_list',
            style: 'ordered',
            indent: 1,
            border: 1,
            elements: [item('first'), item('second')],
          },
          { type: 'rich_text_quote', elements: [{ type: 'text', text: 'Somebody said this.' }] },
          {
            type: 'rich_text_preformatted',
            border: 0,
            elements: [
              { type: 'text', text: 'curl ' },
              { type: 'link', url: 'https://example.com' },
            ],
          },
        ],
      },
    ],
  },
  {
    title: 'table',
    blocks: [
      {
        type: 'table',
        column_settings: [{ is_wrapped: true }, { align: 'right' }, { align: 'center' }],
        rows: [
          [cell('Post'), cell('Readers'), cell('State')],
          [rich('Fresh roast from Huehuetenango, and what it costs'), count(1290), cell('Published')],
          [rich('The market opens at six'), count(87), cell('Draft')],
        ],
      },
    ],
  },
  {
    title: 'data_table',
    blocks: [
      {
        type: 'data_table',
        caption: 'Readers by platform',
        page_size: 5,
        row_header_column_index: 0,
        rows: [
          [cell('Platform'), cell('Readers')],
          ...READERS.map(([name, readers]) => [cell(String(name)), count(Number(readers))]),
        ],
      },
    ],
  },
  { title: 'task_card', blocks: TASKS.slice(0, 1) },
  { title: 'plan', blocks: [{ type: 'plan', title: 'The digest of this week', tasks: TASKS }] },
  {
    title: 'card',
    blocks: [
      {
        type: 'card',
        hero_image: { type: 'image', image_url: picture, alt_text: 'A cup' },
        icon: { type: 'image', image_url: picture, alt_text: 'A cup' },
        title: mrkdwn('Fresh roast'),
        subtitle: mrkdwn('Instagram, X'),
        body: mrkdwn('First cup is on us. :coffee:'),
        actions: [
          { type: 'button', action_id: 'open', text: plain('Open'), style: 'primary' },
          { type: 'button', action_id: 'skip', text: plain('Skip') },
        ],
      },
    ],
  },
  {
    title: 'carousel',
    blocks: [
      {
        type: 'carousel',
        elements: ['Monday', 'Tuesday', 'Wednesday', 'Thursday'].map((day) => ({
          type: 'card',
          block_id: `card-${day}`,
          title: mrkdwn(day),
          body: mrkdwn(`What is posted on ${day}.`),
          actions: [{ type: 'button', action_id: 'open', text: plain(`Open ${day}`) }],
        })),
      },
    ],
  },
];
