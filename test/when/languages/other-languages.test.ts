import { describe, expect, test } from 'vitest';
import { MAX_LINE_LENGTH } from '../../../src/when/limits.ts';
import { summarize, testReadings } from '../read.ts';

describe.each(['en-US', 'en-GB', 'de-DE', 'pt-BR', 'ja-JP'])('with the locale %s', (locale) => {
  testReadings('another language is understood: %s', { locale }, [
    ['donnerstag 14 uhr', 'understood: 2026-11-26 14:00'],
    ['quinta às 15h', 'understood: 2026-11-26 15:00'],
    ['mañana a las 15:00', 'understood: 2026-11-21 15:00'],
    ['vrijdag om 14 uur', 'ambiguous: 2026-11-20 14:00 | 2026-11-27 14:00'],
    ['dopodomani ore 15', 'understood: 2026-11-22 15:00'],
    ['明日の午前9時', 'understood: 2026-11-21 09:00'],
  ]);

  testReadings('two languages in one phrase are understood: %s', { locale }, [
    ['tomorrow 14 Uhr', 'understood: 2026-11-21 14:00'],
    ['明日 9am', 'understood: 2026-11-21 09:00'],
    ['tomorrow à 14h', 'understood: 2026-11-21 14:00'],
    ['this montag 9am', 'understood: 2026-11-23 09:00'],
    ['next jeudi 15h30', 'understood: 2026-11-26 15:30'],
  ]);

  test.each(['entre las 9 y las 11', 'ieri alle 9', 'gestern 14 Uhr'])(
    'a phrase that names no single time to come is refused: %s',
    (text) => {
      expect(summarize(text, { locale })).toMatch(/^(?:not-understood|past)/);
    },
  );
});

testReadings('a typing error in another language is corrected: %s', { locale: 'en-GB' }, [
  ['übermrogen 14 uhr', 'understood: 2026-11-22 14:00'],
  ['juebes a las 11am', 'understood: 2026-11-26 11:00'],
]);

test.each([
  'moin, tomorrow 9:15',
  'tomorrow 9:15, por favor!',
  'tomorrow 9:15 svp, merci',
  'tomorrow 9:15 please & thank you',
])('courtesies in any language are ignored: %s', (text) => {
  expect(summarize(text)).toBe('understood: 2026-11-21 09:15');
});

test('English that is understood isn’t read in another language', () => {
  // "Mar" is a Tuesday in French, Spanish and Italian.
  expect(summarize('mar 24 9:15', { locale: 'en-GB' })).toBe('understood: 2027-03-24 09:15');
});

test('the reader’s own language comes first', () => {
  // Morgen is tomorrow in German and in Dutch, and Dutch writes "morgen" for the morning too.
  expect(summarize('morgen 9:15', { locale: 'nl-NL' })).toBe('understood: 2026-11-21 09:15');
});

test.each([
  ['de-DE', 'um 9 und eine halbe Stunde nach Mitternacht'],
  ['es-ES', 'a las 9 y media hora antes de medianoche'],
  ['it-IT', 'alle 9 e mezza ora dopo'],
  ['pt-BR', 'às 9 e meia hora depois'],
  ['nl-NL', 'om 9 en een half uur later'],
  ['nl-NL', 'om 9 en een half uur voor middernacht'],
])('a time and a duration from it are no longer duration: in %s, %s', (locale, text) => {
  expect(summarize(text, { locale })).toMatch(/^not-understood/);
});

test.each([
  ['de-DE', 'in 3/4 Tagen'],
  ['fr-FR', 'dans 3/4 jours'],
  ['es-ES', 'en 3/4 semanas'],
  ['it-IT', 'tra 3/4 giorni'],
  ['pt-BR', 'em 3/4 dias'],
  ['nl-NL', 'over 3/4 dagen'],
])('three or four days are no part of a day: in %s, %s', (locale, text) => {
  expect(summarize(text, { locale })).toMatch(/^not-understood/);
});

test('a long text of other languages is refused', () => {
  const text = 'lorem ipsum dolor sit amet '.repeat(9).slice(0, MAX_LINE_LENGTH);
  expect(summarize(text)).toMatch(/^not-understood/);
});

test.each([
  ['es', 'san juan 22h', '2027-06-24 22:00'],
  ['es', 'el 24 a las 22h San Juan', '2026-11-24 22:00 America/Argentina/San_Juan'],
  ['pt', '2ª terça-feira de dezembro 17h', '2026-12-08 17:00'],
  ['fr', "dans 3/4 d'heure", '2026-11-20 12:00'],
  ['nl', 'over 2 wkn om 9 uur', '2026-12-04 09:00'],
  ['ja', '明日AM10', '2026-11-21 10:00'],
  ['ja', '11月24日(火) 18:00〜', '2026-11-24 18:00'],
])('short and everyday forms are understood, in %s: %s', (locale, text, expected) => {
  expect(summarize(text, { locale })).toBe(`understood: ${expected}`);
});
