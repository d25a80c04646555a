import fc from 'fast-check';
import { expect, test } from 'vitest';
import { read } from './read.ts';

const WORDS =
  'tomorrow next last friday fri at in 9 9am 17:30 5 half past to quarter noon midnight the 15th 31 feb dec 3/4 2027 12.11. - , every from until 2 hours and a days week month PT CST (Berlin) UTC+2 UTC+99 Z T 99999999999 0 ½ år 🎉 \u0000 \u200f'.split(
    ' ',
  );

const phrases = fc.array(fc.constantFrom(...WORDS), { maxLength: 25 }).map((words) => words.join(' '));
const texts = fc.oneof(phrases, fc.string({ unit: 'binary', maxLength: 210 }), fc.string({ maxLength: 210 }));

test('no text makes it throw, and each gets one of the five answers', () => {
  const kinds = ['understood', 'ambiguous', 'shifted', 'past', 'not-understood'];
  fc.assert(
    fc.property(texts, (text) => {
      expect(kinds).toContain(read(text).kind);
    }),
    { numRuns: 5000 },
  );
});

test('a moment that it understood is always to come, and on a whole minute', () => {
  fc.assert(
    fc.property(phrases, (text) => {
      const reading = read(text);
      if (reading.kind !== 'understood' && reading.kind !== 'shifted') return;
      expect(reading.moment.instant.getTime()).toBeGreaterThan(Date.parse('2026-11-20T10:15:00Z'));
      expect(reading.moment.instant.getTime() % 60_000).toBe(0);
    }),
    { numRuns: 2000 },
  );
});
