import { expect, test } from 'vitest';
import { findLeadingMoments } from '../../../src/when/when.ts';
import { FRIDAY } from '../read.ts';

test.each([
  [
    'en-US',
    ['tomorrow 9am', 'friday'],
    ['Dinner for two', 'Today we dance', 'March with us', '10 years of us'],
  ],
  ['de', ['morgen 9 Uhr', 'in 2 Stunden'], ['Am Freitag geht es los', '20 % auf alles', '10 Jahre Liebe']],
  ['fr', ['demain 9h', 'vendredi'], ['Soirée pizza', 'Un an déjà', '20 % sur tout', '10 ans de café']],
  ['es', ['mañana 9h', 'viernes'], ['Noche de pizza', 'Hoy celebramos', 'Mar y sol', '20 % en todo']],
  ['it', ['domani alle 9', 'venerdì'], ['Oggi si festeggia', 'Mar Rosso', '20 % su tutto', '10 anni di noi']],
  ['pt', ['amanhã 9h', 'sexta'], ['Noite de pizza', 'Hoje celebramos', 'Out novo', '10 anos de nós']],
  ['nl', ['morgen 9 uur', '1 december 14 uur'], ['Weekend!', 'Avond van de pizza', '10 jaar koffie']],
  ['ja', ['明日9時', '2時間後'], ['新商品が出ました', '3つの理由', '今日から発売', '10周年です']],
] as const)('no word of a text is taken for a part of the time before it, in %s', (locale, times, texts) => {
  const wrong = times.flatMap((words) =>
    texts.flatMap((rest) => {
      const text = `${words} ${rest}`;
      const found = findLeadingMoments({ text, now: FRIDAY, zone: 'Europe/Berlin', locale });
      return found?.words === words && found.rest === rest ? [] : [`${text}: ${found?.words}`];
    }),
  );
  expect(wrong).toEqual([]);
});
