import { expect, test } from 'vitest';
import { fillTextFromLine } from '../../../../src/features/schedule-post/prefill/prefill-from-line.ts';

const OPTIONS = { locale: 'en-US', now: new Date('2026-11-20T12:00:00Z') };
const prefillFrom = (when: string, values: object = {}, locale = 'en-US') =>
  fillTextFromLine({ prefill: { text: '', when, platforms: [], ...values } }, { ...OPTIONS, locale });

test('a line without a time becomes the text, and a note explains how to write both in one line', () => {
  const { prefill, notes } = prefillFrom('We are live, come and see!');
  expect(prefill).toMatchObject({ text: 'We are live, come and see!', when: '' });
  expect(notes?.join()).toContain('/schedule-post tomorrow 9:30 on x: Hello!');
});

test.each([
  ['a time', 'tomorrow 9am', 'en-US'],
  ['a time with a typo', 'tomorow at 9am', 'en-US'],
  ['a time among other words', 'we are live tomorrow 9am', 'en-US'],
  ['a single word, which is more often a typo', 'tomorow', 'en-US'],
  ['a time in the person’s own language', 'morgen um 8 Uhr', 'de-DE'],
  ['an empty line', '', 'en-US'],
])('%s stays in the field for the moment', (_name, when, locale) => {
  expect(prefillFrom(when, {}, locale).prefill).toMatchObject({ text: '', when });
});

test('a text that exists already stays unchanged', () => {
  expect(prefillFrom('no time at all', { text: 'Hi' }).prefill).toMatchObject({
    text: 'Hi',
    when: 'no time at all',
  });
});
