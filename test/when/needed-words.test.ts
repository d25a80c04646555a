import { expect, test } from 'vitest';
import { summarize } from './read.ts';

// Rules are tried only on texts that have a word which they need. The current time: Friday 20 November 2026, 11:15.

test.each([
  ['weds 9:05', '2026-11-25 09:05'],
  ['friday fortnight', '2026-12-04 09:00 | 2026-12-11 09:00'],
  ['friday fortnight 9am', '2026-12-04 09:00 | 2026-12-11 09:00'],
  ['opening of business monday', '2026-11-23 09:00'],
  ['2moro noon', '2026-11-21 12:00'],
  ['monday, seven p. m.', '2026-11-23 19:00'],
  ["in 15'", '2026-11-20 11:30'],
  ['last thing tomorrow', '2026-11-21 17:00 | 2026-11-21 21:00'],
])('%s', (text, wallTimes) => {
  expect(summarize(text).replace(/^\w+: /, '')).toBe(wallTimes);
});
