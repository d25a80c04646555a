import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { MAX_MS, slowest } from '../any-text.ts';
import { read } from '../read.ts';
import { anyTextIn, LANGUAGES } from './any-text-in.ts';

describe.each(LANGUAGES)('in %s', (locale) => {
  test('no text makes it throw, and each gets one of the five answers', () => {
    const kinds = ['understood', 'ambiguous', 'shifted', 'past', 'not-understood'];
    fc.assert(
      fc.property(anyTextIn(locale), (text) => {
        expect(kinds).toContain(read(text, { locale }).kind);
      }),
      { numRuns: 1000 },
    );
  });

  test('no text takes more than 20 ms', () => {
    const { ms, text } = slowest(fc.sample(anyTextIn(locale), { numRuns: 1000, seed: 7 }), locale);
    expect({ text, isSlow: ms > MAX_MS }).toEqual({ text, isSlow: false });
  });
});
