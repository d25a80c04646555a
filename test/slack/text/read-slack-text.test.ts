import { describe, expect, test } from 'vitest';
import { readSlackText } from '../../../src/slack/text/text.ts';
import { measureCpuMs } from '../../support/cpu-ms.ts';

const NAMES: Record<string, string> = { U1: 'Ann', C1: 'launch', S1: 'marketing' };

function readMarkup(
  markup: string,
  message: { blocks?: unknown; attachments?: unknown; files?: unknown } = {},
) {
  return readSlackText({ text: markup, ...message, findName: (_, id) => NAMES[id] });
}

function readRichText(...elements: unknown[]) {
  return readMarkup('the text beside it', { blocks: [{ type: 'rich_text', elements }] });
}

const createSection = (...elements: unknown[]) => ({ type: 'rich_text_section', elements });
const createText = (content: string, style?: object) => ({
  type: 'text',
  text: content,
  ...(style && { style }),
});

describe("a message in Slack's markup", () => {
  test.each([
    ['Tom &amp; Jerry &lt;3 &amp;amp;', 'Tom & Jerry <3 &amp;'],
    ['See <https://example.com/?a=1&amp;b=2>', 'See https://example.com/?a=1&b=2'],
    ['See <https://example.com|our site>', 'See https://example.com'],
    ['On <http://a.com|a.com>, <http://b.de/?c=1&amp;d=2|b.de/?c=1&amp;d=2>', 'On a.com, b.de/?c=1&d=2'],
    ['On <http://a.com>, <http://b.com|a.com>', 'On http://a.com, http://b.com'],
    ['On <http://launch|launch>, <http://undefined>', 'On http://launch, http://undefined'],
    ['Mail <mailto:a@b.co|a@b.co> or <tel:+4930|+49 30>', 'Mail a@b.co or +4930'],
    [
      'Hi <@U1>, <@U2|bob>, <#C1>, <#C9|old>, <!subteam^S1> <!subteam^S2|@sales>',
      'Hi @Ann, @bob, #launch, #old, @marketing @sales',
    ],
    ['<!here> <!channel> <!everyone|everyone>', '@here @channel @everyone'],
    ['At <!date^1763631000^{date_short} {time}|20 Nov, 09:30 UTC>', 'At 20 Nov, 09:30 UTC'],
    ['At <!date^1763631000^{time}>', 'At 2025-11-20 09:30 UTC'],
    ['*Bold*, _italic_, ~gone~ and *_both_*.', 'Bold, italic, gone and both.'],
    ['*<https://a.co|Read>* _snake_case words_ *a * b*', 'https://a.co snake_case words a * b'],
    [
      '2 * 3 * 4 = 5*3*2, snake_case_name, ~5 and ~6, *not\nover lines*',
      '2 * 3 * 4 = 5*3*2, snake_case_name, ~5 and ~6, *not\nover lines*',
    ],
    ['Run `npm *start* :tada: &amp;` now', 'Run npm *start* :tada: & now'],
    ['Code:```\nlet *a* = 1;\n```done', 'Code:\nlet *a* = 1;\ndone'],
    ['&gt; first\n&gt;second\n&gt;&gt;&gt; rest', 'first\nsecond\nrest'],
    ['• one\n• two', '• one\n• two'],
    [':tada: at 10:30:45 :+1::skin-tone-4:', '🎉 at 10:30:45 👍🏽'],
    ['`unclosed *a <b', '`unclosed *a <b'],
    ['\n  Hi\n\nthere \n', 'Hi\n\nthere'],
    ['', ''],
  ])('the markup %j is read as %j', (markup, expected) => {
    expect(readMarkup(markup).text).toBe(expected);
  });

  test('a text that reads the same outside Slack has no list of changes', () => {
    expect(readMarkup('Tom &amp; Jerry <https://a.co> <http://b.com|b.com> :tada:').changes).toEqual([]);
  });

  test('a label that isn’t a domain becomes its address, and that is described', () => {
    expect(readMarkup('<http://launch|launch>').changes).toEqual(['“launch” becomes http://launch.']);
  });

  test('each difference outside Slack is described in a sentence', () => {
    const { changes } = readMarkup(
      '*Hi* <@U1> <!here> <@U7>: <https://a.co|our  site> <!date^1763631000^{time}|9:30> `x` :party_parrot:',
    );
    expect(changes).toEqual([
      '“our site” becomes https://a.co.',
      'Mentions become plain names: @Ann, @here.',
      'Where I couldn’t read a name, the text says @someone.',
      'Dates become plain text: 9:30.',
      'Formatting isn’t sent: code, bold.',
    ]);
  });

  test('a hundred changes of one kind are described in a few short sentences', () => {
    const links = Array.from(
      { length: 100 },
      (_, index) => `<https://a.co/${index}|${'w'.repeat(500)}${index}>`,
    );
    const people = Array.from({ length: 100 }, (_, index) => `<@U9|p${index}>`);
    const { changes } = readMarkup([...links, ...people].join(' '));
    expect(changes).toHaveLength(7);
    expect(changes.slice(5)).toEqual([
      '95 more links become their addresses.',
      'Mentions become plain names: @p0, @p1, @p2, @p3, @p4 and 95 more.',
    ]);
    expect(Math.max(...changes.map(({ length }) => length))).toBeLessThan(150);
  });

  test('files are listed as “not sent”', () => {
    const files = [{ title: 'Plan', name: 'plan.pdf' }, { name: 'a.png' }, {}, 'nonsense'];
    expect(readMarkup('Look', { files })).toMatchObject({
      text: 'Look',
      changes: ['Files stay in Slack and aren’t sent: Plan, a.png, a file.'],
    });
  });
});

describe('a message as rich text', () => {
  test('rich text is read instead of the plain text', () => {
    const result = readRichText(
      createSection(
        createText('Hi *you* :tada: &amp; ', { bold: true }),
        { type: 'user', user_id: 'U1' },
        createText(' in '),
        { type: 'channel', channel_id: 'C1' },
        createText(' and '),
        { type: 'usergroup', usergroup_id: 'S1' },
        createText(', '),
        { type: 'broadcast', range: 'channel' },
        createText(': '),
        { type: 'link', url: 'https://a.co', text: 'here' },
        createText(' '),
        { type: 'color', value: '#ff0000' },
      ),
    );
    expect(result.text).toBe(
      'Hi *you* :tada: &amp; @Ann in #launch and @marketing, @channel: https://a.co #ff0000',
    );
    expect(result.changes).toEqual([
      '“here” becomes https://a.co.',
      'Mentions become plain names: @Ann, #launch, @marketing, @channel.',
      'Formatting isn’t sent: bold.',
    ]);
  });

  test.each([
    [{ name: 'wave', unicode: '1f44b-1f3fd', skin_tone: 4 }, '👋🏽'],
    [{ name: 'tada' }, '🎉'],
    [{ name: '+1', skin_tone: 2 }, '👍🏻'],
    [{ name: 'thumbsup::skin-tone-6' }, '👍🏿'],
    [{ name: 'heart', unicode: 'nonsense' }, '❤️'],
    [{ name: 'party_parrot' }, ':party_parrot:'],
    [{}, ''],
  ])('the emoji %j becomes %j', (fields, expected) => {
    const result = readRichText(
      createSection(createText('<'), { type: 'emoji', ...fields }, createText('>')),
    );
    expect(result.text).toBe(`<${expected}>`);
  });

  test('lists, quotes and code start on new lines', () => {
    const createItem = (content: string) => createSection(createText(content));
    const result = readRichText(
      createSection(createText('Plan:\n')),
      { type: 'rich_text_list', style: 'bullet', elements: [createItem('one'), createItem('two')] },
      { type: 'rich_text_list', style: 'bullet', indent: 1, elements: [createItem('more')] },
      { type: 'rich_text_list', style: 'ordered', offset: 2, elements: [createItem('third')] },
      { type: 'rich_text_quote', elements: [createText('said')] },
      { type: 'rich_text_preformatted', elements: [createText('a < b')] },
      createSection(createText('End')),
    );
    expect(result.text).toBe('Plan:\n• one\n• two\n  • more\n3. third\nsaid\na < b\nEnd');
    expect(result.changes).toEqual(['Formatting isn’t sent: quote, code.']);
  });

  test('a date without fallback text is rendered in UTC', () => {
    const date = { type: 'date', timestamp: 1_763_631_000, format: '{time}' };
    expect(readRichText(createSection(date)).text).toBe('2025-11-20 09:30 UTC');
    expect(readRichText(createSection({ type: 'date' })).text).toBe('');
  });

  test('blocks of an app and rich text are read in the order of the message', () => {
    const blocks = [
      { type: 'header', text: { type: 'plain_text', text: 'A *title*' } },
      { type: 'rich_text', elements: [createSection(createText('Words'))] },
      { type: 'divider' },
      { type: 'section', text: { type: 'mrkdwn', text: '*More*' } },
      { type: 'image', image_url: 'https://a.co/b.png' },
    ];
    const result = readMarkup('summary', { blocks });
    expect(result.text).toBe('A *title*\nWords\nMore');
    expect(result.changes).toContain('I left out parts of the message that aren’t text.');
    expect(readMarkup('summary', { blocks: blocks.slice(2) }).text).toBe('More');
    expect(readMarkup('summary', { blocks: blocks.slice(4) }).text).toBe('summary');
  });

  test('the header, sections and context of an app are read, and not the text of its notification', () => {
    const blocks = [
      { type: 'header', text: { type: 'plain_text', text: 'Release &amp; 4.2' } },
      {
        type: 'section',
        text: { type: 'mrkdwn', text: 'Out *now*' },
        fields: [{ type: 'mrkdwn', text: 'For all' }],
      },
      { type: 'context', elements: [{ type: 'mrkdwn', text: 'By Ana' }, { type: 'image' }] },
      { type: 'markdown', text: 'The end' },
    ];
    expect(readMarkup('New message from Release bot', { blocks }).text).toBe(
      'Release & 4.2\nOut now\nFor all\nBy Ana\nThe end',
    );
  });

  test('the text of attachments is read, and the preview of a link isn’t', () => {
    const attachments = [
      {
        pretext: 'From the blog',
        title: 'Latte art',
        text: 'A *short* guide',
        fields: [{ title: 'Author', value: 'Ana' }],
        fallback: 'never shown',
      },
      { from_url: 'https://a.co', title: 'A page', text: 'Its description' },
      { from_url: 'https://x.slack.com/archives/C1/p1', is_share: true, text: 'Forwarded words' },
      {
        blocks: [{ type: 'section', text: { type: 'plain_text', text: 'In a block' } }],
        fallback: 'summary',
      },
      { fallback: 'Only a summary' },
      null,
    ];
    expect(readMarkup('See this:', { attachments }).text).toBe(
      'See this:\nFrom the blog\nLatte art\nA short guide\nAuthor: Ana\nForwarded words\nIn a block\nOnly a summary',
    );
    expect(readMarkup('', { attachments: attachments.slice(2, 3) }).text).toBe('Forwarded words');
  });

  test.each([
    [[{ type: 'rich_text' }]],
    [
      [
        {
          type: 'rich_text',
          elements: [null, 1, {}, { type: 'rich_text_section', elements: [{ type: 3 }] }],
        },
      ],
    ],
    [[{ type: 'rich_text', elements: [{ type: 'rich_text_list', indent: -1e9, elements: 'x' }] }]],
  ])('blocks of unknown shape are omitted: %j', (blocks) => {
    expect(readMarkup('said', { blocks }).text).toBe('');
  });

  test.each([null, 'x', [null], {}])(
    'the text is read if there are no valid blocks, as with %j',
    (blocks) => {
      expect(readMarkup('*said*', { blocks }).text).toBe('said');
    },
  );
});

test('40,000 formatting marks are read without a noticeable delay', () => {
  for (const sign of ['*a ', '_a_ ', '`', '<', '```', '&gt;', ':a', '<@U1>', '~a ~b~c']) {
    const markup = sign.repeat(40_000 / sign.length);
    expect(
      measureCpuMs(() => readMarkup(markup)),
      sign,
    ).toBeLessThan(300);
  }
});
