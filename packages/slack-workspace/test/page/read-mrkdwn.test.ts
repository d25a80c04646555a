import { describe, expect, test } from 'vitest';
import { readMrkdwn } from '../../src/page/read-mrkdwn.ts';

const makeText = (markup: string) => ({ type: 'text', text: markup });

describe('Slack’s mrkdwn', () => {
  test('bold, italic and struck text is recognised, even if nested', () => {
    expect(readMrkdwn('*bold _both_* ~gone~')).toEqual([
      { type: 'bold', children: [makeText('bold '), { type: 'italic', children: [makeText('both')] }] },
      makeText(' '),
      { type: 'strike', children: [makeText('gone')] },
    ]);
  });

  test.each([
    ['2 * 3 * 4', 'stars with spaces around them'],
    ['snake_case_name', 'underscores inside a word'],
    ['*never closed', 'an opening delimiter without a closing one'],
    ['a * b*', 'an opening delimiter followed by a space'],
    ['**', 'two delimiters without text between them'],
    ['<b>not html</b>', 'angle brackets that are not an entity of Slack'],
    ['a < b', 'a single bracket'],
    ['12:30:45', 'a time of day'],
  ])('%s stays plain text: %s', (markup) => {
    const pieces = readMrkdwn(markup);
    expect(
      pieces
        .map((piece) =>
          piece.type === 'text' ? piece.text : `:${'name' in piece ? piece.name : piece.type}:`,
        )
        .join(''),
    ).toBe(markup);
  });

  test('the three escaped characters are decoded once', () => {
    expect(readMrkdwn('&lt;b&gt; &amp;amp;')).toEqual([makeText('<b> &amp;')]);
  });

  test('markup in code stays plain text', () => {
    expect(readMrkdwn('`*a* &lt;` *x*')).toEqual([
      { type: 'code', text: '*a* <' },
      makeText(' '),
      { type: 'bold', children: [makeText('x')] },
    ]);
  });

  test('a code block keeps its lines', () => {
    expect(readMrkdwn('before\n```\none\n  *two*\n```\nafter')).toEqual([
      makeText('before'),
      { type: 'break' },
      { type: 'pre', text: 'one\n  *two*' },
      makeText('after'),
    ]);
  });

  test('consecutive quoted lines are one quote, with the ">" escaped or not', () => {
    expect(readMrkdwn('> one\n&gt;two\nthree')).toEqual([
      { type: 'quote', children: [makeText('one'), { type: 'break' }, makeText('two')] },
      makeText('three'),
    ]);
  });

  test('">>>" quotes all following lines', () => {
    expect(readMrkdwn('>>>one\ntwo')).toEqual([
      { type: 'quote', children: [makeText('one'), { type: 'break' }, makeText('two')] },
    ]);
  });

  test('a line with a bullet or a number is a list item', () => {
    expect(readMrkdwn('• one\n2. two')).toEqual([
      { type: 'item', mark: '•', children: [makeText('one')] },
      { type: 'item', mark: '2.', children: [makeText('two')] },
    ]);
  });

  test('links, people, channels, broadcasts and dates are recognised', () => {
    expect(
      readMrkdwn(
        '<https://x.org/?a=1&amp;b=2|x> <@U01AB> <#C01AB|news> <!here> <!date^1796115600^{date}^https://x.org|1 Dec>',
      ),
    ).toEqual([
      { type: 'link', url: 'https://x.org/?a=1&b=2', label: 'x' },
      makeText(' '),
      { type: 'user', id: 'U01AB', label: undefined },
      makeText(' '),
      { type: 'channel', id: 'C01AB', label: 'news' },
      makeText(' '),
      { type: 'broadcast', name: 'here' },
      makeText(' '),
      { type: 'date', ms: 1_796_115_600_000, format: '{date}', url: 'https://x.org', fallback: '1 Dec' },
    ]);
  });

  test.each(['javascript:alert(1)', 'data:text/html,x', 'vbscript:x', 'file:///etc/passwd'])(
    '%s never becomes a link',
    (url) => {
      expect(readMrkdwn(`<${url}|press me>`)).toEqual([makeText('press me')]);
      expect(JSON.stringify(readMrkdwn(`<${url}>`))).not.toContain('"link"');
      expect(readMrkdwn(`<!date^1796115600^{date}^${url}|1 Dec>`)[0]).toMatchObject({
        type: 'date',
        url: undefined,
      });
    },
  );

  test('a mark inside a link or code closes nothing', () => {
    expect(readMrkdwn('_see <https://x.org/a_|here> now_')).toEqual([
      {
        type: 'italic',
        children: [
          makeText('see '),
          { type: 'link', url: 'https://x.org/a_', label: 'here' },
          makeText(' now'),
        ],
      },
    ]);
  });

  test.each(['*a ', '<', '`', '_a ~b *', ':a', '>', '```'])(
    '40,000 characters that repeat %j are parsed quickly',
    (piece) => {
      const markup = piece.repeat(40_000 / piece.length);
      const before = process.threadCpuUsage();
      readMrkdwn(markup);
      // In microseconds. Other programs hardly affect CPU time, unlike elapsed time.
      expect(process.threadCpuUsage(before).user).toBeLessThan(1_000_000);
    },
  );
});
