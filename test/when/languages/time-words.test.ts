import { expect, test } from 'vitest';
import { otherLanguageOf } from '../../../src/when/grammar/languages.ts';
import { measureCpuMs } from '../../support/cpu-ms.ts';
import { testReadings } from '../read.ts';

test.each([
  ['de', 'Bußtag'],
  ['de', 'Busstag'],
  ['de', 'Gründonnerstag'],
  ['de', 'Gruendonnerstag'],
  ['pt', '6afeira 9h'],
  ['fr', 'apdemain'],
  ['it', 'dopodomani'],
  ['nl', 'om half 6'],
])('in %s, a text with a word for a time: %s', (locale, text) => {
  const language = otherLanguageOf(locale);
  expect(language?.hasTimeWord(language.prepare(text))).toBe(true);
});

test.each([
  ['nl', 'half price friday'],
  ['pt', 'Final days of our sale'],
  ['it', 'fine art for all'],
])('in %s, an English text without one: %s', (locale, text) => {
  expect(otherLanguageOf(locale)?.hasTimeWord(text)).toBe(false);
});

testReadings('a reader of English can write %s', {}, [
  ['6afeira 9h', 'understood: 2026-11-27 09:00'],
  ['2 ans', 'understood: 2028-11-20 11:15'],
]);

test('a long word is compared in linear time', () => {
  const text = 'q'.repeat(10_000);
  expect(measureCpuMs(() => otherLanguageOf('de')?.hasTimeWord(text))).toBeLessThan(500);
});
