import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { anyPhrase, anyText, findSlowestText, MAX_MS } from './any-text.ts';
import { createTextArbitrary, LANGUAGES } from './languages/any-text-in.ts';
import { read } from './read.ts';

const KINDS = ['understood', 'now', 'ambiguous', 'shifted', 'past', 'not-understood'];

describe.each([
  { locale: 'en-US', texts: anyText, numRuns: 1500 },
  ...LANGUAGES.map((locale) => ({ locale, texts: createTextArbitrary(locale), numRuns: 300 })),
])('in $locale', ({ locale, texts, numRuns }) => {
  test('every random text has a reading of a known kind, and none throws an error', () => {
    fc.assert(
      fc.property(texts, (text) => {
        expect(KINDS).toContain(read(text, { locale }).kind);
      }),
      { numRuns },
    );
  });

  test('every random text is read in at most 20 ms', () => {
    const { ms, text } = findSlowestText(fc.sample(texts, { numRuns: 2 * numRuns, seed: 7 }), locale);
    expect({ text, isSlow: ms > MAX_MS }).toEqual({ text, isSlow: false });
  });
});

test('an understood time is always in the future, and has no seconds', () => {
  fc.assert(
    fc.property(anyPhrase, (text) => {
      const reading = read(text);
      if (reading.kind !== 'understood' && reading.kind !== 'shifted') return;
      expect(reading.moment.instant.getTime()).toBeGreaterThan(Date.parse('2026-11-20T10:15:00Z'));
      expect(reading.moment.instant.getTime() % 60_000).toBe(0);
    }),
    { numRuns: 1000 },
  );
});
