import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { findSlowestText, MAX_MS } from '../any-text.ts';
import { read } from '../read.ts';
import { createTextArbitrary, LANGUAGES } from './any-text-in.ts';

describe.each(LANGUAGES)('in %s', (locale) => {
  test('every random text has a reading of a known kind, and none throws an error', () => {
    const kinds = ['understood', 'now', 'ambiguous', 'shifted', 'past', 'not-understood'];
    fc.assert(
      fc.property(createTextArbitrary(locale), (text) => {
        expect(kinds).toContain(read(text, { locale }).kind);
      }),
      { numRuns: 300 },
    );
  });

  test('every random text is read in at most 20 ms', () => {
    const { ms, text } = findSlowestText(
      fc.sample(createTextArbitrary(locale), { numRuns: 600, seed: 7 }),
      locale,
    );
    expect({ text, isSlow: ms > MAX_MS }).toEqual({ text, isSlow: false });
  });
});
