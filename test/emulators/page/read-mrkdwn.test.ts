import { describe, expect, test } from 'vitest';
import { readMrkdwn } from '../../../src/emulators/slack/page/read-mrkdwn.js';
import { cpuMs } from '../../support/cpu-ms.ts';

const text = (words: string) => ({ type: 'text', text: words });

describe("Slack's mrkdwn", () => {
  test('bold, italic and struck words are marked, and can stand in each other', () => {
    expect(readMrkdwn('*bold _both_* ~gone~')).toEqual([
      { type: 'bold', children: [text('bold '), { type: 'italic', children: [text('both')] }] },
      text(' '),
      { type: 'strike', children: [text('gone')] },
    ]);
  });

  test.each([
    ['2 * 3 * 4', 'stars with spaces around them'],
    ['snake_case_name', 'underscores inside a word'],
    ['*never closed', 'a mark without its partner'],
    ['a * b*', 'a mark that opens before a space'],
    ['**', 'two marks with nothing between'],
    ['<b>not html</b>', 'angle brackets that are not an entity of Slack'],
    ['a < b', 'a lone bracket'],
    ['12:30:45', 'a time of day'],
  ])('%s stays as typed: %s', (words) => {
    const flat = readMrkdwn(words);
    expect(
      flat
        .map((piece) =>
          piece.type === 'text' ? piece.text : `:${'name' in piece ? piece.name : piece.type}:`,
        )
        .join(''),
    ).toBe(words);
  });

  test('the three escaped signs are read back, once', () => {
    expect(readMrkdwn('&lt;b&gt; &amp;amp;')).toEqual([text('<b> &amp;')]);
  });

  test('code keeps what would be formatting elsewhere', () => {
    expect(readMrkdwn('`*a* &lt;` *x*')).toEqual([
      { type: 'code', text: '*a* <' },
      text(' '),
      { type: 'bold', children: [text('x')] },
    ]);
  });

  test('a block of code keeps its lines', () => {
    expect(readMrkdwn('before\n```\none\n  *two*\n```\nafter')).toEqual([
      text('before'),
      { type: 'break' },
      { type: 'pre', text: 'one\n  *two*' },
      text('after'),
    ]);
  });

  test('quoted lines belong together, with the sign escaped or not', () => {
    expect(readMrkdwn('> one\n&gt;two\nthree')).toEqual([
      { type: 'quote', children: [text('one'), { type: 'break' }, text('two')] },
      text('three'),
    ]);
  });

  test('three signs quote all that follows', () => {
    expect(readMrkdwn('>>>one\ntwo')).toEqual([
      { type: 'quote', children: [text('one'), { type: 'break' }, text('two')] },
    ]);
  });

  test('a line with a bullet or a number is an item', () => {
    expect(readMrkdwn('• one\n2. two')).toEqual([
      { type: 'item', mark: '•', children: [text('one')] },
      { type: 'item', mark: '2.', children: [text('two')] },
    ]);
  });

  test('links, people, channels, everybody and dates are read', () => {
    expect(
      readMrkdwn(
        '<https://x.org/?a=1&amp;b=2|x> <@U01AB> <#C01AB|news> <!here> <!date^1796115600^{date}^https://x.org|1 Dec>',
      ),
    ).toEqual([
      { type: 'link', url: 'https://x.org/?a=1&b=2', label: 'x' },
      text(' '),
      { type: 'user', id: 'U01AB', label: undefined },
      text(' '),
      { type: 'channel', id: 'C01AB', label: 'news' },
      text(' '),
      { type: 'broadcast', name: 'here' },
      text(' '),
      { type: 'date', ms: 1_796_115_600_000, format: '{date}', url: 'https://x.org', fallback: '1 Dec' },
    ]);
  });

  test.each(['javascript:alert(1)', 'data:text/html,x', 'vbscript:x', 'file:///etc/passwd'])(
    '%s never becomes a link',
    (url) => {
      expect(readMrkdwn(`<${url}|press me>`)).toEqual([text('press me')]);
      expect(JSON.stringify(readMrkdwn(`<${url}>`))).not.toContain('"link"');
      expect(readMrkdwn(`<!date^1796115600^{date}^${url}|1 Dec>`)[0]).toMatchObject({
        type: 'date',
        url: undefined,
      });
    },
  );

  test('a closing sign inside a link or code closes nothing', () => {
    expect(readMrkdwn('_see <https://x.org/a_|here> now_')).toEqual([
      {
        type: 'italic',
        children: [text('see '), { type: 'link', url: 'https://x.org/a_', label: 'here' }, text(' now')],
      },
    ]);
  });

  test.each(['*a ', '<', '`', '_a ~b *', ':a', '>', '```'])(
    '40,000 signs of a text that repeats %j are read at once',
    (piece) => {
      const markup = piece.repeat(40_000 / piece.length);
      expect(cpuMs(() => readMrkdwn(markup))).toBeLessThan(1000);
    },
  );
});
