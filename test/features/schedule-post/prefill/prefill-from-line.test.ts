import { expect, test } from 'vitest';
import { useWordsAsText } from '../../../../src/features/schedule-post/prefill/prefill-from-line.ts';

const how = { locale: 'en-US', now: new Date('2026-11-20T12:00:00Z') };
const read = (when: string, more: object = {}, locale = 'en-US') =>
  useWordsAsText({ prefill: { text: '', when, platforms: [], ...more } }, { ...how, locale });

test('words of which none says a time are the text, and how to say both in one line is told', () => {
  const { prefill, notes } = read('We are live, come and see!');
  expect(prefill).toMatchObject({ text: 'We are live, come and see!', when: '' });
  expect(notes?.join()).toContain('/schedule-post tomorrow 9:30 on x: Hello!');
});

test.each([
  ['a time', 'tomorrow 9am', 'en-US'],
  ['a time with a slip in it', 'tomorow at 9am', 'en-US'],
  ['a time among words that say none', 'we are live tomorrow 9am', 'en-US'],
  ['one word, which more often is a slip', 'tomorow', 'en-US'],
  ['a time in the person’s own language', 'morgen um 8 Uhr', 'de-DE'],
  ['nothing', '', 'en-US'],
])('%s stays where the time is asked for', (_name, when, locale) => {
  expect(read(when, {}, locale).prefill).toMatchObject({ text: '', when });
});

test('a text that there is stays as it is', () => {
  expect(read('no time at all', { text: 'Hi' }).prefill).toMatchObject({
    text: 'Hi',
    when: 'no time at all',
  });
});
