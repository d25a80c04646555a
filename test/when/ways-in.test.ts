import { globSync, readFileSync } from 'node:fs';
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

/** What reads nothing that people write. */
const NO_WORDS =
  /^(?:limits|steps|moment|refusals|say-moment|warm-up|readings\/\w+\/(?:say-\w+|moments|range|recurrence|occurrences)|zones\/(?:wall-clock|fixed-offset-zone))\.ts$/;

test('nobody else reaches a reading but through a way in that looks at the length of the words', () => {
  const files = globSync('src/**/*.ts').filter((file) => !/^src\/(?:when\/|cli\/when\.ts)/.test(file));
  const used = files.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/from '(?:\.\.?\/)+when\/([^']+)'/g)].map(
      ([, path = '']) => path,
    ),
  );
  const others = [...new Set(used)].filter((path) => !WAYS_IN.includes(path) && !NO_WORDS.test(path));
  expect(used).toContain('understand-moment.ts');
  expect(others).toEqual([]);
});
