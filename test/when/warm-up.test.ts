import { expect, test } from 'vitest';
import { understandMoment } from '../../src/when/understand-moment.ts';
import { warmUpWords } from '../../src/when/warm-up.ts';
import { MOST_MS, worked } from './any-text.ts';

const FIRST_PHRASES = {
  'en-US': 'fri 14:30',
  'en-GB': 'tue at half eight',
  de: 'Fr 14:30',
  fr: 'vendredi 14h30',
  es: 'el viernes a las 14:30',
  it: 'venerdì 14:30',
  pt: 'sexta 14:30',
  nl: 'vr 14:30',
  ja: '金曜日 14:30',
};

test('after it no first phrase of any language takes long, and others had their turn all the while', async () => {
  let turns = 0;
  const others = setInterval(() => {
    turns += 1;
  }, 1);
  await warmUpWords();
  clearInterval(others);
  expect(turns).toBeGreaterThan(20);

  const slow = Object.entries(FIRST_PHRASES).filter(
    ([locale, text]) =>
      worked(() => understandMoment({ text, now: new Date(), zone: 'Europe/Berlin', locale })) > MOST_MS,
  );
  expect(slow).toEqual([]);
});
