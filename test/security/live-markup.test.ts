import { expect, test } from 'vitest';
import { button, context, escapeText, plain, section } from '../../src/slack/blocks.ts';
import { disableParsing } from '../../src/slack/message.ts';
import { findLiveMarkup, findUnsafeOptions } from '../support/live-markup.ts';

// Tests of the markup checker, on which other tests depend.

const createMessage = (text: string) => disableParsing({ text: 'Here.', blocks: [section(text)] });

test.each([
  ['a broadcast', createMessage('<!channel>')],
  ['a broadcast with a label', createMessage('<!here|here>')],
  ['a link', createMessage('<http://evil|good>')],
  ['an address in brackets', createMessage('<mailto:a@b.c>')],
  ['an unescaped bracket', createMessage('a < b')],
  ['an unescaped ampersand', createMessage('&lt;!channel&gt; & more')],
  ['the text of a notification', disableParsing({ text: '<!everyone>' })],
  ['a context block', disableParsing({ text: 'x', blocks: [context('<!channel>')] })],
  [
    'a field of a section',
    { blocks: [{ type: 'section', fields: [{ type: 'mrkdwn', verbatim: true, text: '<!here>' }] }] },
  ],
  ['mrkdwn that is not verbatim', { blocks: [{ type: 'section', text: { type: 'mrkdwn', text: 'hi' } }] }],
  ['a block of markdown', { blocks: [{ type: 'markdown', text: 'hi' }] }],
  [
    'a rich text broadcast',
    { blocks: [{ type: 'rich_text', elements: [{ type: 'broadcast', range: 'here' }] }] },
  ],
  ['a picture that Slack fetches', { blocks: [{ type: 'image', image_url: 'http://169.254.169.254/' }] }],
  ['a button with a foreign address', { blocks: [{ ...button('Go', 'go'), url: 'https://evil.example/' }] }],
  ['an attachment', { attachments: [{ pretext: '<!channel>' }] }],
])('the markup checker finds %s', (_what, payload) => {
  expect(findLiveMarkup(payload)).not.toEqual([]);
});

test('the app’s own mentions and dates, escaped text and plain text are not live markup', () => {
  const text = escapeText('<!channel> <@UEVIL> <http://evil|good> &lt;b&gt;');
  const blocks = [
    section(`<@U0123> in <#C0123>: ${text}`),
    section('<!date^1790000000^{date_short}, {time}|Mon 21 Sep, 09:00 (UTC)>'),
    { type: 'section', text: plain('<!channel> <http://evil|good>') },
  ];
  expect(findLiveMarkup({ text, blocks })).toEqual([]);
});

test('a mention of an id that occurs only in hostile texts is live markup', () => {
  expect(findLiveMarkup(createMessage('<@UEVIL1>'))).toEqual([]);
  expect(findLiveMarkup(createMessage('<@UEVIL1>'), { testOnlyIds: /EVIL/ })).not.toEqual([]);
});

test('a message is unsafe if it lets Slack turn its text into links', () => {
  expect(findUnsafeOptions(disableParsing({ text: 'x' }))).toEqual([]);
  expect(findUnsafeOptions({ text: 'x' })).toHaveLength(4);
});
