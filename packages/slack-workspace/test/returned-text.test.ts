import { describe, expect, it } from 'vitest';
import { openWorkspace } from './support/fixtures.ts';

const channel = 'C02HARBOUR';
const { workspace, client } = await openWorkspace();

const makeText = (text: string, style?: object) => ({ type: 'text', text, ...(style ? { style } : {}) });
const makeSection = (...elements: object[]) => ({ type: 'rich_text_section', elements });

describe('the text of an app comes back', () => {
  it.each([
    ['fish & <chips>', 'fish &amp; &lt;chips&gt;'],
    ['fish &amp; chips', 'fish &amp; chips'],
    ['see https://example.com/a?b=1&c=2.', 'see <https://example.com/a?b=1&amp;c=2>.'],
    ['see <https://example.com|this>', 'see <https://example.com|this>'],
    ['write to ana@example.com', 'write to <mailto:ana@example.com|ana@example.com>'],
    ['run `curl https://example.com`', 'run `curl https://example.com`'],
    ['*see https://example.com/a*', '*see <https://example.com/a>*'],
    ['<@U02BENOKAF> and <!here>', '<@U02BENOKAF> and <!here>'],
  ])('escaped and with links: %s', async (text, returned) => {
    const sent = await client.chat.postMessage({ channel, text });
    expect(sent.message?.text).toBe(returned);
    const updated = await client.chat.update({ channel, ts: sent.ts ?? '', text });
    expect(updated).toMatchObject({ text: returned, message: { text: returned } });
  });

  it.each([
    ['plain', [makeSection(makeText('plain'))]],
    [
      '*bold _both_* and ~struck~ `code`',
      [
        makeSection(
          makeText('bold ', { bold: true }),
          makeText('both', { bold: true, italic: true }),
          makeText(' and '),
          makeText('struck', { strike: true }),
          makeText(' '),
          makeText('code', { code: true }),
        ),
      ],
    ],
    [
      'one\ntwo :tada: <@U02BENOKAF> <https://example.com|here>',
      [
        makeSection(
          makeText('one\ntwo '),
          { type: 'emoji', name: 'tada', unicode: '1f389' },
          makeText(' '),
          { type: 'user', user_id: 'U02BENOKAF' },
          makeText(' '),
          { type: 'link', url: 'https://example.com', text: 'here' },
        ),
      ],
    ],
    [
      '> quoted\n```let a;```',
      [
        { type: 'rich_text_quote', elements: [makeText('quoted')] },
        { type: 'rich_text_preformatted', elements: [makeText('let a;')], border: 0 },
      ],
    ],
    ['• one\n• two', [makeSection(makeText('• one\n• two'))]],
  ])('as rich_text if it came without blocks: %s', async (text, elements) => {
    const { message } = await client.chat.postMessage({ channel, text });
    expect(message?.blocks).toEqual([{ type: 'rich_text', block_id: expect.any(String), elements }]);
  });
});

describe('the blocks of an app come back', () => {
  it('with defaults, escaped text and links', async () => {
    const { message } = await client.chat.postMessage({
      channel,
      text: 'x',
      blocks: [
        { type: 'header', text: { type: 'plain_text', text: 'A & B' } },
        { type: 'section', text: { type: 'mrkdwn', text: 'C & https://example.com' } },
        { type: 'section', text: { type: 'mrkdwn', text: 'https://example.com', verbatim: true } },
      ],
    });
    const texts = message?.blocks?.map((block) => ('text' in block ? block.text : undefined));
    expect(texts).toEqual([
      { type: 'plain_text', text: 'A &amp; B', emoji: true },
      { type: 'mrkdwn', text: 'C &amp; <https://example.com>', verbatim: false },
      { type: 'mrkdwn', text: 'https://example.com', verbatim: true },
    ]);
  });

  it('with the defaults of inputs in a view', async () => {
    const { view } = await client.views.publish({
      user_id: 'U01ANAFERR',
      view: {
        type: 'home',
        blocks: [
          {
            type: 'input',
            label: { type: 'plain_text', text: 'Name' },
            element: { type: 'plain_text_input', action_id: 'name' },
          },
        ],
      },
    });
    expect(view?.blocks).toEqual([
      {
        type: 'input',
        block_id: expect.any(String),
        label: { type: 'plain_text', text: 'Name', emoji: true },
        optional: false,
        dispatch_action: false,
        element: {
          type: 'plain_text_input',
          action_id: 'name',
          dispatch_action_config: { trigger_actions_on: ['on_enter_pressed'] },
        },
      },
    ]);
  });
});

it.each([
  ['fish & <chips>', 'fish &amp; &lt;chips&gt;', [makeText('fish & <chips>')]],
  [
    'see https://example.com/a?b=1&c=2, please',
    'see <https://example.com/a?b=1&amp;c=2>, please',
    [makeText('see '), { type: 'link', url: 'https://example.com/a?b=1&c=2' }, makeText(', please')],
  ],
  [
    'harbour.com, (www.harbour.co.uk/menu?x=1) or ana@harbour.com; not v1.2 or node.js',
    '<http://harbour.com|harbour.com>, (<http://www.harbour.co.uk/menu?x=1|www.harbour.co.uk/menu?x=1>) or <mailto:ana@harbour.com|ana@harbour.com>; not v1.2 or node.js',
    [
      { type: 'link', url: 'http://harbour.com', text: 'harbour.com' },
      makeText(', ('),
      { type: 'link', url: 'http://www.harbour.co.uk/menu?x=1', text: 'www.harbour.co.uk/menu?x=1' },
      makeText(') or '),
      { type: 'link', url: 'mailto:ana@harbour.com', text: 'ana@harbour.com' },
      makeText('; not v1.2 or node.js'),
    ],
  ],
  [
    'https://example.com/foo_ and `curl harbour.com`',
    '<https://example.com/foo_> and `curl harbour.com`',
    [
      { type: 'link', url: 'https://example.com/foo_' },
      makeText(' and '),
      makeText('curl harbour.com', { code: true }),
    ],
  ],
  [
    '🎉 hello 👨‍💻',
    ':tada: hello 👨‍💻',
    [{ type: 'emoji', name: 'tada', unicode: '1f389' }, makeText(' hello 👨‍💻')],
  ],
  [
    '@ben and @nobody, look into #random',
    '<@U02BENOKAF> and @nobody, look into <#C04RANDOM0|>',
    [
      { type: 'user', user_id: 'U02BENOKAF' },
      makeText(' and @nobody, look into '),
      { type: 'channel', channel_id: 'C04RANDOM0' },
    ],
  ],
  [
    'thanks (@ben), @tom. It is in (#random).',
    'thanks (<@U02BENOKAF>), <@U04TOMSATO>. It is in (<#C04RANDOM0|>).',
    [
      makeText('thanks ('),
      { type: 'user', user_id: 'U02BENOKAF' },
      makeText('), '),
      { type: 'user', user_id: 'U04TOMSATO' },
      makeText('. It is in ('),
      { type: 'channel', channel_id: 'C04RANDOM0' },
      makeText(').'),
    ],
  ],
])('the text that a person types is stored with Slack’s markup: %s', async (typed, stored, elements) => {
  await workspace.as('Ana').in('#general').type(typed);
  const { messages } = await client.conversations.history({ channel: 'C01GENERAL', limit: 1 });
  expect(messages).toEqual([
    expect.objectContaining({
      text: stored,
      client_msg_id: expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
      blocks: [{ type: 'rich_text', block_id: expect.any(String), elements: [makeSection(...elements)] }],
    }),
  ]);
});
