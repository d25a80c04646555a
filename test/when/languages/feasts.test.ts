import { describe, expect, test } from 'vitest';
import { FEAST_RULES, namedDays } from '../../../src/when/grammar/feasts.ts';
import { summarize } from '../read.ts';

// The current time in these tests: Friday 20 November 2026, 11:15 in Berlin.

describe.each([
  [
    'de',
    [
      ['Neujahr um 10 Uhr', '2027-01-01 10:00'],
      ['Heiligabend 16:30', '2026-12-24 16:30'],
      ['Silvester 23:59', '2026-12-31 23:59'],
      ['am Karfreitag um 15 Uhr', '2027-03-26 15:00'],
      ['Ostermontag 2028 um 9:15', '2028-04-17 09:15'],
      ['Pfingstsonntag 10:00', '2027-05-16 10:00'],
      ['Christi Himmelfahrt 8:30 Uhr', '2027-05-06 08:30'],
      ['Rosenmontag 11:11 Uhr', '2027-02-08 11:11'],
      ['Tag der Arbeit 9 Uhr', '2027-05-01 09:00'],
      ['am Tag der Deutschen Einheit um 11 Uhr', '2027-10-03 11:00'],
      ['zu Halloween um 18 Uhr', '2027-10-31 18:00'],
      ['am Black Friday um 8:30', '2026-11-27 08:30'],
      ['am 1. Advent um 17 Uhr', '2026-11-29 17:00'],
      ['Buß- und Bettag 9 Uhr', '2027-11-17 09:00'],
      ['Mariä Empfängnis 10 Uhr', '2026-12-08 10:00'],
      ['Nationalfeiertag 10 Uhr', '2027-10-26 10:00'],
      ['zwei Tage nach Ostern 9:00', '2027-03-30 09:00'],
    ],
  ],
  [
    'fr',
    [
      ["le jour de l'an à 10h", '2027-01-01 10:00'],
      ['veille de Noël à 18h', '2026-12-24 18:00'],
      ['Noël 2028 à 8h', '2028-12-25 08:00'],
      ['réveillon de la Saint-Sylvestre 23h', '2026-12-31 23:00'],
      ['le vendredi saint à 15h', '2027-03-26 15:00'],
      ['lundi de Pâques à 9h15', '2027-03-29 09:15'],
      ['à la Pentecôte à 10h', '2027-05-16 10:00'],
      ["jeudi de l'Ascension 8h30", '2027-05-06 08:30'],
      ['Mardi gras 11h', '2027-02-09 11:00'],
      ['Immaculée Conception à 10h', '2026-12-08 10:00'],
      ['le 1er mai à 9h', '2027-05-01 09:00'],
      ['le 14 juillet à 21h30', '2027-07-14 21:30'],
      ['fête nationale 22h', '2027-07-14 22:00'],
      ['Halloween à 18h', '2027-10-31 18:00'],
      ['Black Friday à 8h30', '2026-11-27 08:30'],
    ],
  ],
  [
    'es',
    [
      ['Año Nuevo a las 10:00', '2027-01-01 10:00'],
      ['Nochebuena a las 20:30', '2026-12-24 20:30'],
      ['víspera de Navidad a las 20:30', '2026-12-24 20:30'],
      ['día de la Virgen de Guadalupe a las 9:00', '2026-12-12 09:00'],
      ['en Navidad a las 10:30', '2026-12-25 10:30'],
      ['Nochevieja a las 23:30', '2026-12-31 23:30'],
      ['Viernes Santo a las 15:00', '2027-03-26 15:00'],
      ['el domingo de Resurrección a las 9:15', '2027-03-28 09:15'],
      ['Lunes de Pascua 10:00', '2027-03-29 10:00'],
      ['Pentecostés 2027 a las 10:00', '2027-05-16 10:00'],
      ['martes de carnaval 18:00', '2027-02-09 18:00'],
      ['Día del Trabajo a las 9:00', '2027-05-01 09:00'],
      ['Día de la Hispanidad 11:00', '2027-10-12 11:00'],
      ['día de Todos los Santos a las 10:15', '2027-11-01 10:15'],
      ['Halloween a las 20:15', '2027-10-31 20:15'],
      ['Viernes Negro a las 8:30', '2026-11-27 08:30'],
    ],
  ],
  [
    'nl',
    [
      ['nieuwjaarsdag 12:00', '2027-01-01 12:00'],
      ['kerstavond om 18 uur', '2026-12-24 18:00'],
      ['met kerst om 17 uur', '2026-12-25 17:00'],
      ['Oudejaarsavond 23:30', '2026-12-31 23:30'],
      ['Goede Vrijdag om 15 uur', '2027-03-26 15:00'],
      ['eerste paasdag 9:15', '2027-03-28 09:15'],
      ['Tweede Pinksterdag om 10 uur', '2027-05-17 10:00'],
      ['Hemelvaartsdag 8:30', '2027-05-06 08:30'],
      ['carnavalsmaandag 11:11', '2027-02-08 11:11'],
      ['Koningsdag om 10:15', '2027-04-27 10:15'],
      ['Koningsdag 2031 om 10:15', '2031-04-26 10:15'],
      ['pakjesavond 18:00', '2026-12-05 18:00'],
      ['Dag van de Arbeid 9:00', '2027-05-01 09:00'],
      ['Halloween om 20 uur', '2027-10-31 20:00'],
      ['Black Friday 8:30', '2026-11-27 08:30'],
    ],
  ],
  [
    'pt',
    [
      ['Ano Novo às 10h', '2027-01-01 10:00'],
      ['véspera de Natal às 20h', '2026-12-24 20:00'],
      ['no Natal às 10:30', '2026-12-25 10:30'],
      ['véspera de Ano Novo às 23:30', '2026-12-31 23:30'],
      ['Sexta-feira Santa às 15h', '2027-03-26 15:00'],
      ['domingo de Páscoa às 9h15', '2027-03-28 09:15'],
      ['Pentecostes às 10h', '2027-05-16 10:00'],
      ['terça-feira de Carnaval às 11h', '2027-02-09 11:00'],
      ['Dia do Trabalhador às 9h', '2027-05-01 09:00'],
      ['Tiradentes às 8:30', '2027-04-21 08:30'],
      ['Dia de Todos os Santos às 10h', '2027-11-01 10:00'],
      ['Halloween às 18h', '2027-10-31 18:00'],
      ['na Black Friday às 8:30', '2026-11-27 08:30'],
    ],
  ],
  [
    'it',
    [
      ['Capodanno alle 0:30', '2027-01-01 00:30'],
      ['vigilia di Natale alle 18:00', '2026-12-24 18:00'],
      ['Santa Lucia alle 8:00', '2026-12-13 08:00'],
      ['San Silvestro alle 23:30', '2026-12-31 23:30'],
      ['Venerdì Santo alle 15:00', '2027-03-26 15:00'],
      ['a Pasqua alle 12:30', '2027-03-28 12:30'],
      ["il lunedì dell'Angelo alle 9:15", '2027-03-29 09:15'],
      ['Pentecoste alle 10:00', '2027-05-16 10:00'],
      ['martedì grasso alle 17:15', '2027-02-09 17:15'],
      ['festa del lavoro 9:00', '2027-05-01 09:00'],
      ['Festa della Repubblica 9:00', '2027-06-02 09:00'],
      ['Ferragosto alle 10:15', '2027-08-15 10:15'],
      ['la Befana alle 8:00', '2027-01-06 08:00'],
      ['Halloween alle 20:15', '2027-10-31 20:15'],
      ['Black Friday alle 8:30', '2026-11-27 08:30'],
    ],
  ],
  [
    'ja',
    [
      ['元日の9時', '2027-01-01 09:00'],
      ['クリスマスイブの18時', '2026-12-24 18:00'],
      ['クリスマスの午前10時', '2026-12-25 10:00'],
      ['大晦日 23:30', '2026-12-31 23:30'],
      ['成人の日の10時', '2027-01-11 10:00'],
      ['こどもの日 9:15', '2027-05-05 09:15'],
      ['2028年の海の日 9:00', '2028-07-17 09:00'],
      ['ハロウィンの夜8時', '2027-10-31 20:00'],
      ['ブラックフライデー 8:30', '2026-11-27 08:30'],
    ],
  ],
])('holidays are known by their names in %s', (locale, phrases) => {
  test.each(phrases)('%s', (text = '', wallTime = '') => {
    expect(summarize(text, { locale })).toBe(`understood: ${wallTime}`);
  });
});

test.each([
  ['de', 'an Weihnachten 18 Uhr', '2026-12-25 18:00 | 2026-12-24 18:00'],
  ['de', 'Vatertag 10 Uhr', '2027-05-06 10:00 | 2027-06-13 10:00'],
  ['fr', 'fête des mères à 9h', '2027-05-30 09:00 | 2027-05-09 09:00'],
  ['fr', 'fête des mères 2031 à 9h', '2031-05-25 09:00 | 2031-05-11 09:00'],
  ['fr', 'fête des mères 2039 à 9h', '2039-06-05 09:00 | 2039-05-08 09:00'],
  ['nl', 'Sinterklaas 18:00', '2026-12-05 18:00 | 2026-12-06 18:00'],
  ['es', 'día de la madre 10:00', '2027-05-02 10:00 | 2027-05-09 10:00'],
  ['nl', 'Vaderdag 10:00', '2027-06-20 10:00 | 2027-06-13 10:00'],
  ['pt', 'Réveillon às 23:30', '2026-12-31 23:30 | 2027-01-01 23:30'],
  ['pt', 'Dia dos Namorados às 19h', '2027-06-12 19:00 | 2027-02-14 19:00'],
])('a holiday with two possible days is ambiguous: %s: %s', (locale, text, wallTimes) => {
  expect(summarize(text, { locale })).toBe(`ambiguous: ${wallTimes}`);
});

test('the fourth Sunday of Advent is the last Sunday before Christmas Day', () => {
  const days = [2022, 2023, 2026].map((year) => FEAST_RULES.fourthAdvent(year)?.toISODate());
  expect(days).toEqual(['2022-12-18', '2023-12-24', '2026-12-20']);
});

test('a holiday’s name isn’t found in a longer word', () => {
  expect(summarize('Neujahrskonzert 10 Uhr', { locale: 'de' })).toBe('not-understood: Neujahrskonzert');
});

describe('a duration before or after another day', () => {
  test.each([
    ['de', 'drei Tage vor Heiligabend, 10 Uhr', '2026-12-21 10:00'],
    ['de', 'eine Woche vor Ostern 9 Uhr', '2027-03-21 09:00'],
    ['fr', 'trois jours avant Noël 10h', '2026-12-22 10:00'],
    ['fr', 'deux jours après Noël à 9h30', '2026-12-27 09:30'],
    ['es', 'dos horas antes de medianoche', '2026-11-20 22:00'],
    ['pt', 'três dias antes do natal às 9h', '2026-12-22 09:00'],
    ['it', 'due giorni dopo natale alle 9:00', '2026-12-27 09:00'],
    ['nl', 'drie dagen voor kerst 9:00', '2026-12-22 09:00'],
  ])('%s: %s', (locale, text, wallTime) => {
    expect(summarize(text, { locale })).toBe(`understood: ${wallTime}`);
  });

  test.each([
    ['de', 'vor 3 Tagen'],
    ['fr', 'deux jours avant la sortie vendredi 9h'],
    ['es', 'tres días antes'],
  ])('without one it is refused, %s: %s', (locale, text) => {
    expect(summarize(text, { locale })).toMatch(/^not-understood/);
  });
});

test('a list of feasts with an unknown day is refused', () => {
  for (const day of ['05-last-munday', '05-lst-monday', 'estaer'])
    expect(() => namedDays(`${day} a feast`)).toThrow(`no rule for the feast ${day}`);
});
