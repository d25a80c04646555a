import { describe, expect, test } from 'vitest';
import { findRange } from '../../../src/when/readings/ranges/find-range.ts';
import { FRIDAY } from '../read.ts';

function summarizeFoundRange(text: string, locale = 'en-GB'): string {
  const range = findRange({ text, now: FRIDAY, zone: 'Europe/Berlin', locale });
  if (range === undefined) return 'none';
  if (range.kind === 'not-understood') return range.reason;
  const { reading } = range;
  const rangeText =
    reading.kind === 'understood' ? reading.text : `${reading.candidates.length} to choose from`;
  return `${range.phrase} → ${rangeText.replace(' (Berlin)', '')} · ${range.rest}`;
}

describe('a range is found in a text', () => {
  test.each([
    ['scheduled x this week', 'this week → Mon 16 Nov to Sun 22 Nov · scheduled x'],
    [
      'drafts from monday to friday on linkedin',
      'from monday to friday → Mon 16 Nov to Fri 20 Nov · drafts on linkedin',
    ],
    ['drafts this week on linkedin', 'this week → Mon 16 Nov to Sun 22 Nov · drafts on linkedin'],
    ['published since monday', 'since monday → from Mon 16 Nov · published'],
    ['x from now to midnight', 'from now to midnight → Fri 20 Nov, 11:15 to Sat 21 Nov, 00:00 · x'],
    ['mine yesterday', 'yesterday → Thu 19 Nov · mine'],
    ['posts this week in Tokyo', 'this week in Tokyo → Mon 16 Nov to Sun 22 Nov (Tokyo) · posts'],
    ['twitter black friday drafts', 'black friday → Fri 27 Nov · twitter drafts'],
    ['last 24 hours of errors', 'last 24 hours → Thu 19 Nov, 11:15 to Fri 20 Nov, 11:15 · of errors'],
    ['scheduled 03/04', '03/04 → Sat 3 Apr 2027 · scheduled'],
    ['between 1 and 5 december by me', 'between 1 and 5 december → Tue 1 Dec to Sat 5 Dec · by me'],
    ['this week', 'this week → Mon 16 Nov to Sun 22 Nov · '],
    ['x thursday before noon', 'thursday before noon → Thu 26 Nov, 00:00 to 12:00 · x'],
    ['posts in the first half of july', 'in the first half of july → Wed 1 Jul to Wed 15 Jul · posts'],
    ['drafts second half of december', 'second half of december → Wed 16 Dec to Thu 31 Dec · drafts'],
    ['scheduled early december', 'early december → Tue 1 Dec to Thu 10 Dec · scheduled'],
    ['friday before midnight', 'friday before midnight → Fri 20 Nov to Sat 21 Nov, 00:00 · '],
  ])('%s', (text, expectedText) => {
    expect(summarizeFoundRange(text)).toBe(expectedText);
  });

  test.each([
    ['de', 'Beiträge zweite Dezemberhälfte', 'zweite Dezemberhälfte'],
    ['fr', 'posts deuxième moitié de décembre', 'deuxième moitié de décembre'],
    ['es', 'posts segunda quincena de diciembre', 'segunda quincena de diciembre'],
    ['it', 'post seconda metà di dicembre', 'seconda metà di dicembre'],
    ['pt', 'posts segunda metade de dezembro', 'segunda metade de dezembro'],
    ['nl', 'posts tweede helft van december', 'tweede helft van december'],
    ['ja', '投稿 12月後半', '12月後半'],
  ])('half of a month, in %s: %s', (locale, text, phrase) => {
    expect(summarizeFoundRange(text, locale)).toContain(`${phrase} → Wed 16 Dec to Thu 31 Dec`);
  });

  test.each([
    [
      'fr',
      'brouillons de la semaine prochaine',
      'de la semaine prochaine → Mon 23 Nov to Sun 29 Nov · brouillons',
    ],
    ['fr', 'le mois passé sur x', 'le mois passé → Thu 1 Oct to Sat 31 Oct · sur x'],
    ['fr', 'x l’année prochaine', "l'année prochaine → Fri 1 Jan 2027 to Fri 31 Dec 2027 · x"],
    ['it', 'x quest’anno', "quest'anno → Thu 1 Jan to Thu 31 Dec · x"],
    ['de', 'Entwürfe nicht vor Montag', 'nicht vor Montag → from Mon 23 Nov · Entwürfe'],
    ['nl', 'posts voor december', 'voor december → 2 to choose from · posts'],
    ['nl', 'volgend kwartaal op x', 'volgend kwartaal → Fri 1 Jan 2027 to Wed 31 Mar 2027 · op x'],
  ])('each form of a word is part of one, in %s: %s', (locale, text, expectedText) => {
    expect(summarizeFoundRange(text, locale)).toBe(expectedText);
  });

  test.each([
    ['1-31 nov', '31 Nov doesn’t exist.'],
    ['nov 1 to 31', '31 Nov doesn’t exist.'],
    ['june 31 to july 5', '31 Jun doesn’t exist.'],
    ['31st of february', '31 Feb doesn’t exist.'],
    ['february the 31st', '31 Feb doesn’t exist.'],
    ['29 february 2027', '29 Feb 2027 doesn’t exist.'],
    ['february 31st, 2027', '31 Feb 2027 doesn’t exist.'],
    ['1-30 nov', '1-30 nov → Sun 1 Nov to Mon 30 Nov · '],
    ['30 posts in february', 'in february → Mon 1 Feb 2027 to Sun 28 Feb 2027 · 30 posts'],
  ])('a day that its month doesn’t have is refused: %s', (text, expected) => {
    expect(summarizeFoundRange(text)).toBe(expected);
  });

  test.each(['31. Februar', '31 février', '31 de febrero'])('and in other languages: %s', (text) => {
    const locales = ['de-DE', 'fr-FR', 'es-ES'];
    expect(locales.map((locale) => summarizeFoundRange(text, locale))).toContain('31 Feb doesn’t exist.');
  });

  test('the other words beside such a day are known', () => {
    const question = { text: 'drafts april 29-31 on x', now: FRIDAY, zone: 'Europe/Berlin' };
    expect(findRange(question)).toMatchObject({ kind: 'not-understood', rest: 'drafts on x' });
  });

  test.each(['', 'scheduled posts by ana'])('no range is found in %j', (text) => {
    expect(summarizeFoundRange(text)).toBe('none');
  });

  test('a text that is too long isn’t searched', () => {
    expect(summarizeFoundRange('x'.repeat(201))).toBe('Too long: 1 over the limit of 200 characters.');
  });

  test.each([
    ['en', 'from monday to friday', 'between 1 and 5 december', 'next month', ['posts % on x', 'drafts %']],
    [
      'de',
      'von Montag bis Freitag',
      'vom 1. bis 5. Dezember',
      'letzte 7 Tage',
      ['Posts % auf x', '% Entwürfe'],
    ],
    [
      'fr',
      'de lundi à vendredi',
      'entre le 1 et le 5 décembre',
      'la semaine dernière',
      ['posts % sur x', '% brouillons'],
    ],
    [
      'es',
      'de lunes a viernes',
      'entre el 1 y el 5 de diciembre',
      'hasta el viernes',
      ['posts % en x', '% borradores'],
    ],
    ['it', 'da lunedì a venerdì', 'tra il 1 e il 5 dicembre', 'prossimo mese', ['post % su x', '% bozze']],
    ['pt', 'de segunda a sexta', 'entre 1 e 5 de dezembro', 'próximo mês', ['posts % no x', '% rascunhos']],
    [
      'nl',
      'van maandag tot vrijdag',
      'tussen 1 en 5 december',
      'vorige week',
      ['posts % op x', '% concepten'],
    ],
    ['ja', '月曜日から金曜日まで', '今週', '過去7日間', ['下書き %', '% 下書き']],
  ] as const)('a range among other words is the range alone, in %s', (locale, ...ranges) => {
    const frames = ranges.pop() as readonly string[];
    const wrong = (ranges as readonly string[]).flatMap((range) =>
      frames.flatMap((frame) => {
        const text = frame.replace('%', range);
        const rest = frame.replace('%', '').replace(/\s+/g, ' ').trim();
        const [alone = ''] = summarizeFoundRange(range, locale).split(' · ');
        const found = summarizeFoundRange(text, locale);
        return found.replace(/\s+/g, ' ') === `${alone} · ${rest}` ? [] : [`${text}: ${found}`];
      }),
    );
    expect(wrong).toEqual([]);
  });
});
