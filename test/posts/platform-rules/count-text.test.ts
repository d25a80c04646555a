import { describe, expect, test } from 'vitest';
import { findLinks } from '../../../src/posts/platform-rules/find-links.ts';
import { countForX } from '../../../src/posts/platform-rules/platform-rules.ts';
import { measureCpuMs } from '../../support/cpu-ms.ts';

describe('the length of a text on X', () => {
  test.each([
    ['', 0],
    ['We are live!', 12],
    ['café', 4],
    ['cafe\u0301', 4],
    ['ä\u0308', 2],
    ['日本語', 6],
    ['ｱｲｳ', 6],
    ['한국어', 6],
    ['한국어'.normalize('NFD'), 6],
    ['Привет', 6],
    ['“quoted” – and … more', 22],
    ['€5', 3],
    ['🎉', 2],
    ['👍🏽', 2],
    ['👨‍👩‍👧‍👦', 2],
    ['🧑‍🔧', 2],
    ['🏳️‍🌈', 2],
    ['🇩🇪🇫🇷', 4],
    ['🏴󠁧󠁢󠁥󠁮󠁧󠁿', 2],
    ['1️⃣', 2],
    ['❤️❤', 4],
    ['© 2026', 6],
    ['©️ 2026', 7],
    ['Read https://example.com/a/very/long/path?with=words#and-more now', 32],
    ['example.com', 23],
    ['example.com/path and www.example.co.uk', 51],
    ['HTTPS://EXAMPLE.COM', 23],
    ['(https://example.com/a_(b)).', 26],
    ['日本語example.comです', 33],
    ['https://münchen.de/straße!', 24],
    ['https://t.co/abc-def', 27],
    ['me@example.com', 14],
    ['@example.com', 12],
    ['example.notatld', 15],
    ['readme.md', 23],
    ['1.5 and e.g. this', 17],
    ['-example.com', 12],
  ])('the text %j counts as %i characters on X', (text, count) => {
    expect(countForX(text)).toBe(count);
  });

  test('a text of 40,000 characters is counted fast enough for a live form', () => {
    const fragments = [
      'letters ',
      '日本。',
      '🧑‍🔧',
      'a.',
      'see example.com/a ',
      'a.com/((',
      'рф.',
      '@a_-',
      'e\u0301',
    ];
    for (const fragment of fragments) {
      const text = fragment.repeat(40_000 / fragment.length);
      // Measured: at most 10 ms. A quadratic algorithm takes seconds.
      expect(
        measureCpuMs(() => countForX(text)),
        `40,000 of ${JSON.stringify(fragment)}, ms`,
      ).toBeLessThan(200);
    }
  });
});

describe('links on X', () => {
  const listLinks = (text: string) => findLinks(text).map(({ start, end }) => text.slice(start, end));

  test.each([
    ['See https://example.com/a, then http://b.org.', ['https://example.com/a', 'http://b.org']],
    ['foo.com日本bar.org/x', ['foo.com', 'bar.org/x']],
    ['"example.com"', ['example.com']],
    ['http://example.com:8080/?q=1&r=2', ['http://example.com:8080/?q=1&r=2']],
    ['example.com:8080', ['example.com']],
    ['https://xn--p1ai.xn--p1ai', ['https://xn--p1ai.xn--p1ai']],
    ['http://пример.рф/путь', ['http://пример.рф/путь']],
    ['http://under_score.example.com http://un_der.com', ['http://under_score.example.com']],
    ['http://-no.com http://no', []],
    [`https://example.com/${'a'.repeat(4080)}`, []],
    [`https://${'a'.repeat(64)}.com`, []],
    ['$example.com #example.com', []],
    ['a..com', []],
  ])('X finds links in %j', (text, links) => {
    expect(listLinks(text)).toEqual(links);
  });
});
