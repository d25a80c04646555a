import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

/** Modules that check the length of a text before reading it, and count their steps; `zones.ts` does so itself. */
const CHECKING_MODULES = [
  ...['understand-moment.ts', 'readings/moments/understand-moments.ts'],
  ...['readings/ranges/understand-range.ts', 'readings/ranges/find-range.ts'],
  ...['readings/recurrences/understand-recurrence.ts', 'readings/recurrences/repeated-times.ts'],
  'readings/understand-shift.ts',
];

/** Modules that read texts only with the checking modules. */
const DEPENDENT_MODULES = ['readings/moments/find-leading-moments.ts'];

/** Modules that don’t read texts from people, or look only for figures. */
const OTHER_MODULES =
  /^(?:limits|moment|date-order|format-moment|warm-up|readings\/question|readings\/\w+\/(?:range|recurrence)|zones\/wall-clock)\.ts$/;

test('every module that src/when exports checks the length of a text before reading it', () => {
  const source = ['when', 'range', 'recurrence', 'zones']
    .map((name) => readFileSync(`src/when/${name}.ts`, 'utf8'))
    .join('\n');
  const exportingPaths = [...source.matchAll(/^export (?:type )?\{([^}]*)\} from '\.\/([^']+)'/gm)].flatMap(
    ([, names = '', path = '']) => (/[a-z]/.test(names) ? [path] : []), // A constant reads no text.
  );
  const uncheckedPaths = [...new Set(exportingPaths)].filter(
    (path) => ![...CHECKING_MODULES, ...DEPENDENT_MODULES].includes(path) && !OTHER_MODULES.test(path),
  );
  expect(exportingPaths).toContain('understand-moment.ts');
  expect(uncheckedPaths).toEqual([]);
});
