import { mrkdwn, plain } from './text-objects.js';

const MARKDOWN = `## Markdown
with **bold**, *italic*, ~~struck~~ and [a link](https://example.com)
- a list with \`code\`
  - and more
- [x] done
1. first
2. second
> a quote

| Platform | Readers |
|---|---:|
| X | 87 |

---
\`\`\`
const cups = 2;
\`\`\``;

/** @import { Example } from './all-examples.js' */

const LEVELS = /** @type {const} */ (['default', 'info', 'success', 'warning', 'error']);

/**
 * @param {(typeof LEVELS)[number]} level
 * @returns {Example}
 */
const alertExample = (level) => ({
  title: `alert, ${level}`,
  blocks: [{ type: 'alert', level, text: mrkdwn(`An alert of the level *${level}*.`) }],
});

/**
 * Blocks without interactive elements.
 * @param {string} picture an address
 * @returns {Example[]}
 */
export const createTextExamples = (picture) => [
  { title: 'header', blocks: [{ type: 'header', text: plain('Up next in Harbour Coffee :tada:') }] },
  {
    title: 'section',
    blocks: [
      {
        type: 'section',
        text: mrkdwn(
          '*bold* _italic_ ~struck~ `code` <https://example.com/a?b=1&amp;c=2|a link> <@U02BENOKAF> <#C01GENERAL> <!here> :warning: &lt;b&gt;not html&lt;/b&gt; <script>alert(1)</script>\n• first\n• second, with words that are long enough to be broken into a second line of the same item\n>a quote\n```\nplain   text\n```',
        ),
      },
      { type: 'section', text: plain('Plain text, *as it is*, with its emoji :coffee:') },
    ],
  },
  {
    title: 'section with fields and a picture',
    blocks: [
      {
        type: 'section',
        text: mrkdwn('*Fresh roast from Huehuetenango*'),
        fields: [
          mrkdwn('*When*\n<!date^1796115600^{date_long_pretty} at {time}|1 Dec 2026, 09:00>'),
          mrkdwn('*Platforms*\nInstagram, X'),
        ],
        accessory: { type: 'image', image_url: picture, alt_text: 'A cup from above' },
      },
    ],
  },
  { title: 'divider', blocks: [{ type: 'divider' }] },
  {
    title: 'context',
    blocks: [
      {
        type: 'context',
        elements: [
          { type: 'image', image_url: picture, alt_text: 'Cup' },
          mrkdwn(':test_tube: Practice service: nothing is published · by <@U01ANAFERR>'),
          plain('and plain words'),
        ],
      },
    ],
  },
  {
    title: 'image',
    blocks: [{ type: 'image', image_url: picture, alt_text: 'A large cup', title: plain('A picture') }],
  },
  {
    title: 'markdown',
    blocks: [
      {
        type: 'markdown',
        text: MARKDOWN,
      },
    ],
  },
  ...LEVELS.map(alertExample),
  {
    title: 'file',
    blocks: [{ type: 'file', source: 'remote', external_id: 'menu-of-spring.pdf' }],
  },
  {
    title: 'video',
    blocks: [
      {
        type: 'video',
        video_url: 'https://example.com/roasting',
        thumbnail_url: picture,
        alt_text: 'A cup',
        title: plain('How we roast'),
        title_url: 'https://example.com/roasting',
        author_name: 'Mira Vos',
        provider_name: 'Harbour films',
        provider_icon_url: picture,
        description: plain('Two minutes from the green bean to the cup.'),
      },
    ],
  },
];
