import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

/** What the rest of the app uses to have words read: each looks at their length first, and counts its steps. */
const WAYS_IN = [
  'understand-moment.ts',
  'readings/moments/understand-moments.ts',
  'readings/ranges/understand-range.ts',
  'readings/ranges/find-range.ts',
  'readings/recurrences/understand-recurrence.ts',
  'readings/recurrences/repeated-times.ts',
  'zones.ts',
];

/** What reads by these alone. */
const BY_THESE = [
  'answer-line.ts',
  'describe-reading.ts',
  'readings/describe-readings.ts',
  'readings/moments/find-leading-moments.ts',
];

/** What reads nothing that people write. */
const NO_WORDS =
  /^(?:limits|read-within-limits|moment|refusals|format-moment|warm-up|readings\/question|readings\/\w+\/(?:render-\w+|moments|range|recurrence|occurrences)|zones\/(?:wall-clock|fixed-offset-zone))\.ts$/;

test('whoever has words read gets to it through a way in that looks at the length of the words', () => {
  const face = readFileSync('src/when/when.ts', 'utf8');
  const used = [...face.matchAll(/from '\.\/([^']+)'/g)].map(([, path = '']) => path);
  const others = [...new Set(used)].filter(
    (path) => ![...WAYS_IN, ...BY_THESE].includes(path) && !NO_WORDS.test(path),
  );
  expect(used).toContain('understand-moment.ts');
  expect(others).toEqual([]);
});
