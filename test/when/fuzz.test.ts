import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyPhrase, anyText, findSlowestText, MAX_MS } from './any-text.ts';
import { read } from './read.ts';

test('every random text has a reading of a known kind, and none throws an error', () => {
  const kinds = ['understood', 'now', 'ambiguous', 'shifted', 'past', 'not-understood'];
  fc.assert(
    fc.property(anyText, (text) => {
      expect(kinds).toContain(read(text).kind);
    }),
    { numRuns: 1500 },
  );
});

test('every random text is read in at most 20 ms', () => {
  const { ms, text } = findSlowestText(fc.sample(anyText, { numRuns: 3000, seed: 7 }));
  expect({ text, isSlow: ms > MAX_MS }).toEqual({ text, isSlow: false });
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
