import { describe, expect, test } from 'vitest';
import { summarize } from '../read.ts';

// The current time in these tests: Friday 20 November 2026, 11:15 in Berlin.

const locale = 'de-DE';

describe('German phrases with a single meaning are understood', () => {
  test.each([
    ['Montag als erstes', '2026-11-23 09:00'],
    ['morgen zum Mittagessen', '2026-11-21 12:00'],
    ['ok dann Do 15 Uhr', '2026-11-26 15:00'],
    ['vielleicht lieber Montag 10 Uhr', '2026-11-23 10:00'],
    ['verschieben auf morgen 9 Uhr', '2026-11-21 09:00'],
    ['können wir das Montag um 10 posten?', '2026-11-23 10:00'],
    ['viertel vor 0', '2026-11-20 23:45'],
    ['morgen um viertel nach 0', '2026-11-21 00:15'],
    ['so 20h15', '2026-11-22 20:15'],
    ['fünf vor halb vier', '2026-11-20 15:25'],
    ['übermorgen 8 Uhr 30', '2026-11-22 08:30'],
    ['nächsten Donnerstag um 16 Uhr', '2026-11-26 16:00'],
    ['am 3. Dezember gegen 14 Uhr', '2026-12-03 14:00'],
    ['kommenden Montag, 9:15 Uhr', '2026-11-23 09:15'],
    ['heute Abend um 8', '2026-11-20 20:00'],
    ['Donnerstagnachmittag um drei', '2026-11-26 15:00'],
    ['in zwei Wochen um 10 Uhr', '2026-12-04 10:00'],
    ['am fünfundzwanzigsten Januar um 9:30 Uhr', '2027-01-25 09:30'],
    ['Viertel nach sieben abends', '2026-11-20 19:15'],
    ['letzter Freitag im Januar 14 Uhr', '2027-01-29 14:00'],
    ['15.1.27, 7:45', '2027-01-15 07:45'],
    ['naechsten Dienstag 10:00', '2026-11-24 10:00'],
    ['10.12. um 8.30 Uhr', '2026-12-10 08:30'],
    ['morgen 10.10', '2026-11-21 10:10'],
    ['So 15 Uhr', '2026-11-22 15:00'],
    ['morgen früh um 7', '2026-11-21 07:00'],
    ['Dienstag mittags', '2026-11-24 12:00'],
    ['Heiligabend 18 Uhr', '2026-12-24 18:00'],
    ['bitte morgen um 9:00 posten', '2026-11-21 09:00'],
    ['Mittwoch 18 Uhr MEZ', '2026-11-25 18:00'],
    ['morgen um 9 Uhr in Tokyo', '2026-11-21 09:00 Asia/Tokyo'],
    ['am zwölften dritten um 9:15', '2027-03-12 09:15'],
    ['am fünften Zehnten 14 Uhr', '2027-10-05 14:00'],
    ['Dienstag, den ersten Zwölften 8:45', '2026-12-01 08:45'],
    ['3. März 27 um 9:15', '2027-03-03 09:15'],
    ['4. Juli 31 14:00', '2031-07-04 14:00'],
    ['am 9. Mai 28, 16 Uhr', '2028-05-09 16:00'],
    ['übernächsten Dienstag 9:15', '2026-12-01 09:15'],
    ['übernächste Woche Montag 10:30', '2026-11-30 10:30'],
    ['am Mittwoch übernächster Woche 8:15', '2026-12-02 08:15'],
    ['morgen zur Mittagszeit', '2026-11-21 12:00'],
    ['Dienstag nach dem Mittagessen', '2026-11-24 13:00'],
    ['Montag spät am Nachmittag', '2026-11-23 17:00'],
    ['Dienstag spät', '2026-11-24 21:00'],
    ['ganz früh am 3. Dezember', '2026-12-03 06:00'],
    ['Montag zum Feierabend', '2026-11-23 17:00'],
    ['am Freitag 4.12', '2026-12-04 09:00'],
    ['morgen 6:45', '2026-11-21 06:45'],
    ['in 3 Werktagen um 10:00', '2026-11-25 10:00'],
    ['nächster Arbeitstag 8:30 Uhr', '2026-11-23 08:30'],
    ['Dienstag nach Ostern 10 Uhr', '2027-03-30 10:00'],
    ['am Tag vor Heiligabend', '2026-12-23 09:00'],
    ['7.12 vormittags', '2026-12-07 09:00'],
    ['heute Nacht', '2026-11-20 23:00'],
    ['in ner Stunde', '2026-11-20 12:15'],
    ['binnen 20 Minuten', '2026-11-20 11:35'],
    ['Montag gg. 14 Uhr', '2026-11-23 14:00'],
    ['Faschingssonntag nächstes Jahr 11 Uhr', '2027-02-07 11:00'],
    ['Mittwoch 15 Uhr nächste Woche', '2026-11-25 15:00'],
    ['übernächste Woche 8:30 Uhr am Mittwoch', '2026-12-02 08:30'],
    ['nächste Woche Sonntag 10 Uhr', '2026-11-29 10:00'],
    ['kommenden Freitag 14 Uhr', '2026-11-27 14:00'],
    ['in zwei Wochen am Mittwoch um 9:30', '2026-12-02 09:30'],
    ['morgen in einer Woche 9 Uhr', '2026-11-28 09:00'],
    ['KW 3 Donnerstag 10 Uhr', '2027-01-21 10:00'],
    ['Freitag 11:30 KW 49', '2026-12-04 11:30'],
    ['Mitte nächster Woche 9 Uhr', '2026-11-25 09:00'],
    ['Ende Januar', '2027-01-31 09:00'],
    ['am 5. Januar nächsten Jahres', '2027-01-05 09:00'],
    ['nächsten Monat am 8. 10 Uhr', '2026-12-08 10:00'],
    ['03/04 um 9 Uhr', '2027-04-03 09:00'],
    ['morgen um halb neun', '2026-11-21 08:30'],
  ])('%s', (text, wallTime) => {
    expect(summarize(text, { locale })).toBe(`understood: ${wallTime}`);
  });
});

describe('German phrases with several meanings are ambiguous', () => {
  test.each([
    ['in acht Tagen', '2026-11-27 11:15 | 2026-11-28 11:15'],
    ['dreiviertel acht', '2026-11-21 07:45 | 2026-11-20 19:45'],
    ['am Wochenende', '2026-11-21 09:00 | 2026-11-22 09:00'],
    ['Ende des Tages', '2026-11-20 17:00 | 2026-11-20 23:59'],
    ['Freitag 10.10', '2027-10-10 09:00 | 2027-10-08 09:00 | 2026-11-27 10:10'],
  ])('%s', (text, wallTimes) => {
    expect(summarize(text, { locale })).toBe(`ambiguous: ${wallTimes}`);
  });
});

describe('German phrases that aren’t a single future time are refused', () => {
  test.each([
    ['besser nicht Montag 9 Uhr', 'besser nicht'],
    ['verschieben um 2 Stunden', 'verschieben … Stunden'],
    ['gestern um 9', 'gestern'],
    ['vor zwei Stunden', 'vor zwei Stunden'],
    ['letzten Freitag', 'letzten Freitag'],
    ['jeden Montag um 9', 'jeden'],
    ['montags um 9', 'montags'],
    ['alle zwei Stunden', 'alle zwei'],
    ['von 9 bis 11 Uhr', 'bis'],
    ['9-11 Uhr', '9-11 Uhr'],
    ['Mo-Fr 9 Uhr', 'Mo-Fr'],
    ['Montag oder Dienstag', 'oder'],
    ['nach 9 Uhr', 'nach'],
    ['viertel neun', 'viertel neun'],
    ['so gegen 17 Uhr', 'so'],
    ['nicht morgen um 9', 'nicht'],
    ['Meeting morgen um 9', 'Meeting'],
    ['2.12. und 3.12.', 'und'],
    ['31.2.', '31.2.'],
    ['25 Uhr', '25 Uhr'],
    ['nächste Woche 9 Uhr', 'nächste Woche 9 Uhr'],
    ['3. Dezember nächste Woche', '3. Dezember nächste Woche'],
    ['Freitag nächsten Monat', 'Freitag nächsten Monat'],
  ])('%s', (text, unparsedText) => {
    expect(summarize(text, { locale })).toBe(`not-understood: ${unparsedText}`);
  });
});
