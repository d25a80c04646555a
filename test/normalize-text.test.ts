import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { normalizeUnicode } from '../src/normalize-text.ts';
import { measureCpuMs } from './support/cpu-ms.ts';
import { WORST_TEXTS } from './support/worst-texts.ts';

const FORMS = ['NFC', 'NFD', 'NFKC', 'NFKD'] as const;
const FULL_RUN = `e${'\u0301'.repeat(30)}`;

test.each(['Café', 'Cafe\u0301', 'ﬁne ½ カ\u3099 ｶﾞ', 'שָׁלוֹם', 'நி', FULL_RUN])(
  'text in any language, such as %s, is normalized as by Unicode',
  (text) => {
    for (const form of FORMS) expect(normalizeUnicode(text, form)).toBe(text.normalize(form));
  },
);

test('a joiner follows the thirtieth of more marks, and nothing is lost', () => {
  const text = normalizeUnicode(`${FULL_RUN}\u0323`, 'NFD');
  expect(text).toBe(`${FULL_RUN}\u034f\u0323`);
  expect(normalizeUnicode(text, 'NFD')).toBe(text);
});

test('a compatibility form isn’t much more than twice as long as the text', () => {
  expect(normalizeUnicode('ﷺ', 'NFKC')).toBe('ﷺ'.normalize('NFKC'));
  expect(normalizeUnicode('ﷺ'.repeat(100), 'NFKC')).toHaveLength(232);
});

test('a text of 80,000 UTF-16 units is normalized in less than 50 ms of CPU time', () => {
  const durations = WORST_TEXTS.flatMap(({ name, create }) =>
    FORMS.map((form) => ({ name, form, text: create(80_000) })),
  ).map(({ name, form, text }) => {
    // A second run tells a slow text from a busy machine.
    const runs = [1, 2].map(() => measureCpuMs(() => normalizeUnicode(text, form)));
    return { name, form, ms: Math.min(...runs) };
  });
  expect(durations.filter(({ ms }) => ms > 50)).toEqual([]);
});

/** `when` imports nothing of the app, and takes at most 200 UTF-16 units (src/when/limits.ts). */
const EXEMPT = [
  'normalize-text.ts',
  'when/tidy-text.ts',
  'when/zones/zone-index.ts',
  'when/grammar/european/vocabulary.ts',
];

test('nothing else in src normalizes text', () => {
  const root = join(import.meta.dirname, '../src');
  const files = globSync('**/*.{ts,cts,cjs}', { cwd: root });
  const callers = files.filter((file) =>
    /\bnormalize\s*\(|\[['"]normalize/.test(readFileSync(join(root, file), 'utf8')),
  );
  expect(callers.sort()).toEqual(EXEMPT.toSorted());
});
