import type { KnownBlock } from '@slack/types';
import { createHeader, createPlainText } from '../support/blocks.ts';

/** A message with a post, as an app could send it. */
export const card: { text: string; blocks: KnownBlock[] } = {
  text: 'Tomorrow: Fresh roast',
  blocks: [
    createHeader('Up next in Harbour Coffee'),
    {
      type: 'section',
      text: {
        type: 'mrkdwn',
        text: '>Fresh roast from *Huehuetenango* is in.\n>Come and taste it, first cup is on us. :coffee:',
      },
    },
    {
      type: 'section',
      fields: [
        { type: 'mrkdwn', text: '*When*\n<!date^1985504400^{date_long_pretty} at {time}|1 Dec 2032, 09:00>' },
        { type: 'mrkdwn', text: '*Platforms*\nInstagram, X' },
      ],
    },
    {
      type: 'context',
      elements: [
        { type: 'mrkdwn', text: ':test_tube: Practice service: nothing is published · by <@U01ANAFERR>' },
      ],
    },
    {
      type: 'actions',
      elements: [
        { type: 'button', action_id: 'another', text: createPlainText('New post'), style: 'primary' },
        { type: 'button', action_id: 'share', text: createPlainText('Share with channel') },
        {
          type: 'static_select',
          action_id: 'platform',
          placeholder: createPlainText('All platforms'),
          options: [
            { text: createPlainText('Instagram'), value: 'i' },
            { text: createPlainText('X'), value: 'x' },
          ],
        },
        {
          type: 'overflow',
          action_id: 'more',
          options: [{ text: createPlainText('Copy text'), value: 'copy' }],
        },
      ],
    },
  ],
};

/** The blocks that apps use most, one of each kind. `picture` is the address of an image. */
export const makeEveryBlock = (picture: string): KnownBlock[] => [
  createHeader('Every block :tada:'),
  {
    type: 'section',
    text: {
      type: 'mrkdwn',
      text: '*bold* _italic_ ~struck~ `code` <https://example.com/a?b=1&amp;c=2|a *link*> <@U02BENOKAF> <#C01GENERAL> <!here> :warning: &lt;b&gt;not html&lt;/b&gt; <script>alert(1)</script>\n• first\n• second, with words that are long enough to be broken into a second line of the same item\n```\nplain   text\n```',
    },
    accessory: { type: 'image', image_url: picture, alt_text: 'A cup from above' },
  },
  { type: 'divider' },
  { type: 'section', fields: ['*Left*\none', '*Right*\ntwo'].map((text) => ({ type: 'mrkdwn', text })) },
  {
    type: 'context',
    elements: [
      { type: 'image', image_url: picture, alt_text: 'Cup' },
      { type: 'mrkdwn', text: 'context with a picture' },
    ],
  },
  { type: 'image', image_url: picture, alt_text: 'A large cup', title: createPlainText('A picture') },
  {
    type: 'rich_text',
    elements: [
      {
        type: 'rich_text_section',
        elements: [
          { type: 'text', text: 'Rich ', style: { bold: true } },
          { type: 'emoji', name: 'rocket' },
        ],
      },
      {
        type: 'rich_text_list',
        style: 'bullet',
        elements: [{ type: 'rich_text_section', elements: [{ type: 'text', text: 'an item' }] }],
      },
    ],
  },
  { type: 'markdown', text: '## Markdown\n- with **bold** and [a link](https://example.com)' },
  {
    type: 'video',
    video_url: 'https://example.com/v',
    thumbnail_url: picture,
    alt_text: 'A video',
    title: createPlainText('Video'),
  },
];
