import { describe, expect, test } from 'vitest';
import { read, summarize } from '../read.ts';

// The current time in these tests: Friday 20 November 2026, 11:15 in Berlin.

test.each([
  ['de', 'Dienstga um 9:15', '2026-11-24 09:15', '“Dienstga” was read as “Dienstag”.'],
  ['de', '3. Februra um 9:45 Uhr', '2027-02-03 09:45', '“Februra” was read as “Februar”.'],
  ['de', 'übermorgne um 9:25', '2026-11-22 09:25', '“übermorgne” was read as “übermorgen”.'],
  ['fr', 'mecredi à 9h15', '2026-11-25 09:15', '“mecredi” was read as “mercredi”.'],
  ['fr', '5 spetembre 9h05', '2027-09-05 09:05', '“spetembre” was read as “septembre”.'],
  ['fr', 'demian à 9h25', '2026-11-21 09:25', '“demian” was read as “demain”.'],
  ['es', 'miercloes a las 9:15', '2026-11-25 09:15', '“miercloes” was read as “miércoles”.'],
  ['es', '3 de febreo a las 9:45', '2027-02-03 09:45', '“febreo” was read as “febrero”.'],
  ['es', 'mañnaa a las 9:25', '2026-11-21 09:25', '“mañnaa” was read as “mañana”.'],
  ['nl', 'donderag om 10:20', '2026-11-26 10:20', '“donderag” was read as “donderdag”.'],
  ['nl', '3 febuari 9:45', '2027-02-03 09:45', '“febuari” was read as “februari”.'],
  ['nl', 'vandaga om 19:25', '2026-11-20 19:25', '“vandaga” was read as “vandaag”.'],
  ['pt', 'segund-feira às 9:15', '2026-11-23 09:15', '“segund” was read as “segunda”.'],
  ['pt', '3 de feveriro às 9:45', '2027-02-03 09:45', '“feveriro” was read as “fevereiro”.'],
  ['pt', 'quitna às 10:20', '2026-11-26 10:20', '“quitna” was read as “quinta”.'],
  ['pt', 'terça feria às 9:15', '2026-11-24 09:15', '“feria” was read as “feira”.'],
  ['it', 'mercoldì alle 9:15', '2026-11-25 09:15', '“mercoldì” was read as “mercoledì”.'],
  ['it', '3 febbario alle 9:45', '2027-02-03 09:45', '“febbario” was read as “febbraio”.'],
  ['it', 'dmoani alle 9:25', '2026-11-21 09:25', '“dmoani” was read as “domani”.'],
  ['ja', '月耀日の9時', '2026-11-23 09:00', '“耀” was read as “曜”.'],
  ['ja', '来周の金曜日 9時', '2026-11-27 09:00', '“周” was read as “週”.'],
  ['ja', 'げつよびの9時', '2026-11-23 09:00', '“げつよび” was read as “げつようび”.'],
])('a typo of one letter is corrected, with a note: %s: %s', (locale, text, wallTime, note) => {
  expect(summarize(text, { locale })).toBe(`understood: ${wallTime}`);
  expect(read(text, { locale })).toMatchObject({ notes: [note] });
});

describe('a word isn’t corrected if it', () => {
  test.each([
    ['is another word', 'es', 'manzana a las 9:25', 'manzana'],
    ['is another word', 'es', 'coche a las 9:25', 'coche'],
    ['is another word', 'nl', 'kaart om 9:25', 'kaart'],
    ['is another word', 'pt', 'gosto às 9:25', 'gosto'],
    ['is another word', 'it', 'romani alle 9:25', 'romani'],
    ['is a name', 'fr', 'Martin à 9h15', 'Martin'],
    ['is a plural', 'de', 'Montage um 9:15', 'Montage'],
    ['is a plural', 'fr', 'lundis à 9h15', 'lundis'],
    ['is a plural', 'pt', 'quintas às 9:25', 'quintas'],
    ['could be one of two words', 'es', 'juio 3 a las 9:15', 'juio 3'],
    ['could be one of two words', 'it', 'mattini 9:15', 'mattini'],
    ['is two letters off', 'nl', 'donrdg om 9:15', 'donrdg'],
    ['is next to another unknown word', 'de', 'Projekt Dienstga um 9:15', 'Projekt Dienstga'],
    ['is too short', 'de', 'hete um 20:15', 'hete'],
    ['is another character', 'ja', '目標は9時', '目標は'],
  ])('%s: %s: %s', (_reason, locale, text, unparsedText) => {
    expect(summarize(text, { locale })).toBe(`not-understood: ${unparsedText}`);
  });

  test('a corrected word can be part of a recurrence or a past time', () => {
    expect(summarize('jeden Dienstga um 9', { locale: 'de' })).toBe('not-understood: jeden');
    expect(summarize('mercoldì scorso', { locale: 'it' })).toMatch(/^not-understood/);
  });

  test('a correct word has no note', () => {
    expect(read('mañana a las 9:25', { locale: 'es' })).toMatchObject({ notes: [] });
    expect(read('tomorrow 9:25', { locale: 'de' })).toMatchObject({ notes: [] });
  });
});
