import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyPhrase, anyText, MAX_MS, slowest } from './any-text.ts';
import { read } from './read.ts';

test('no text makes it throw, and each gets one of the five answers', () => {
  const kinds = ['understood', 'ambiguous', 'shifted', 'past', 'not-understood'];
  fc.assert(
    fc.property(anyText, (text) => {
      expect(kinds).toContain(read(text).kind);
    }),
    { numRuns: 5000 },
  );
});

test('no text takes more than 20 ms', () => {
  const { ms, text } = slowest(fc.sample(anyText, { numRuns: 5000, seed: 7 }));
  expect({ text, isSlow: ms > MAX_MS }).toEqual({ text, isSlow: false });
});

test('a moment that it understood is always to come, and on a whole minute', () => {
  fc.assert(
    fc.property(anyPhrase, (text) => {
      const reading = read(text);
      if (reading.kind !== 'understood' && reading.kind !== 'shifted') return;
      expect(reading.moment.instant.getTime()).toBeGreaterThan(Date.parse('2026-11-20T10:15:00Z'));
      expect(reading.moment.instant.getTime() % 60_000).toBe(0);
    }),
    { numRuns: 2000 },
  );
});
