import { describe, expect, test } from 'vitest';
import { understandMoments } from '../../src/when/when.ts';
import { FRIDAY, read, summarize, testReadings } from './read.ts';

// The current time in these tests: Friday 20 November 2026, 11:15 in Berlin.

describe('an event from a calendar means its beginning', () => {
  test.each([
    ['en-US', 'Tuesday, December 1⋅2:00 – 3:30pm', '2026-12-01 14:00'],
    ['en-US', 'Tuesday, December 1⋅11:30 – 12:30pm', '2026-12-01 11:30'],
    ['de', 'Dienstag, 1. Dezember⋅14:00 – 15:30', '2026-12-01 14:00'],
    ['fr', 'Mardi 1 décembre⋅14:00 – 15:30', '2026-12-01 14:00'],
    ['es', 'Martes, 1 de diciembre⋅14:00 – 15:30', '2026-12-01 14:00'],
    ['it', 'Martedì 1 dicembre⋅14:00 – 15:30', '2026-12-01 14:00'],
    ['pt-BR', 'Terça-feira, 1 de dezembro⋅14:00 – 15:30', '2026-12-01 14:00'],
    ['nl', 'dinsdag 1 december⋅14:00 – 15:30', '2026-12-01 14:00'],
    ['en-US', 'Thu Dec 3, 2026 9:30am – 10am (EST)', '2026-12-03 09:30 America/New_York'],
    ['en-GB', 'Thu 3 Dec 2026 16:15 – 17:00', '2026-12-03 16:15'],
    ['ja', '2026年12月1日(火) 14:00 – 14:30', '2026-12-01 14:00'],
  ])('Google’s, in %s: %s', (locale, text, expected) => {
    expect(summarize(text, { locale })).toBe(`understood: ${expected}`);
  });

  test.each([
    [
      'en-US',
      'Tuesday, July 6, 2027 10:00 AM-11:00 AM (UTC-08:00) Pacific Time (US & Canada)',
      'Los_Angeles',
    ],
    ['en-GB', 'Tuesday, 6 July 2027 10:00-11:00 (UTC+00:00) Dublin, Edinburgh, Lisbon, London', 'Dublin'],
    ['de', 'Dienstag, 6. Juli 2027 10:00-11:00 (UTC+02:00) Athen, Bukarest, Helsinki.', 'Helsinki'],
    ['fr', 'mardi 6 juillet 2027 10:00-11:00 (UTC+09:00) Osaka, Sapporo, Tokyo', 'Tokyo'],
  ])('Outlook’s, in the zone of its places: %s, %s', (locale, text, city) => {
    const reading = read(text, { locale });
    expect(reading).toMatchObject({
      kind: 'understood',
      notes: [expect.stringMatching(/^The end \(11:00( AM)?\)/)],
    });
    expect(summarize(text, { locale })).toMatch(new RegExp(`^understood: 2027-07-06 10:00 .*/${city}$`));
  });

  test('places with the clock of the reader’s own zone are that zone, in summer too', () => {
    const text = 'Tuesday, July 6, 2027 10:00-11:00 (UTC+01:00) Amsterdam, Berlin, Bern, Rome, Vienna';
    expect(summarize(text)).toBe('understood: 2027-07-06 10:00');
    expect(summarize(text, { zone: 'Europe/Rome' })).toBe('understood: 2027-07-06 10:00 Europe/Rome');
  });

  test.each([
    ['DTSTART:20261201T090000', '2026-12-01 09:00'],
    ['DTSTART;TZID=Asia/Tokyo:20261201T090000', '2026-12-01 09:00 Asia/Tokyo'],
    ['DTSTART:20261201T090000Z', '2026-12-01 09:00 Etc/UTC'],
  ])('a calendar file’s: %s', (text, expected) => {
    expect(summarize(text)).toBe(`understood: ${expected}`);
  });

  test('it is one time, and no list', () => {
    const text = 'Tuesday, December 1, 2026 09:00-09:30 (UTC+01:00) Amsterdam, Berlin, Bern, Rome';
    const reading = understandMoments({ text, now: FRIDAY, zone: 'Europe/Lisbon' });
    expect(reading).toMatchObject({
      kind: 'understood',
      moments: [{ moment: { instant: new Date('2026-12-01T08:00:00Z') } }],
    });
  });

  test.each(['tuesday, dec 1, 1:00 pm - 1:15 pm', 'tomorrow 9am - 11am', '1 December 2026 9:00-10:00'])(
    'a range that somebody types is refused: %s',
    (text) => {
      expect(read(text)).toMatchObject({ reason: 'That’s a range. Pick one time.' });
    },
  );
});

describe('marks round a phrase are no part of it', () => {
  test.each([
    ['en-US', 'tuesday 9:05.'],
    ['en-US', "'tuesday 9:05'"],
    ['en-US', '‹tuesday 9:05›'],
    ['de', '‚Di 9:05‘'],
    ['de', '»Dienstag 9:05 Uhr.«'],
    ['fr', '« mardi 9h05 ».'],
    ['es', '"el martes a las 9:05"'],
    ['it', '«martedì alle 9:05»'],
    ['ja', '「火曜日 9:05」'],
    ['ja', '火曜日 9:05。'],
  ])('in %s: %s', (locale, text) => {
    expect(summarize(text, { locale })).toBe('understood: 2026-11-24 09:05');
  });
});

testReadings('short forms of planners are understood: %s', {}, [
  ['national coffee day 8am', 'understood: 2027-09-29 08:00'],
  ['Teacher Appreciation Day', 'understood: 2027-05-04 09:00'],
  ["national teachers' day 2026", 'past: 2026-05-05 09:00'],
  ['administrative professionals day', 'understood: 2027-04-21 09:00'],
  ['national ice cream day', 'understood: 2027-07-18 09:00'],
  ['thrs 10a', 'understood: 2026-11-26 10:00'],
  ['wensday 10a', 'understood: 2026-11-25 10:00'],
  ['7/14 9', 'understood: 2027-07-14 09:00'],
  ['july 4 pm', 'understood: 2027-07-04 15:00'],
]);

test.each([
  ['de', '14.7. 9'],
  ['de', '14/7 9'],
  ['fr', '14/7 9'],
  ['pt', '14/7 9'],
])('a number after a date in figures is an hour, in %s: %s', (locale, text) => {
  expect(summarize(text, { locale })).toBe('understood: 2027-07-14 09:00');
});

test.each([
  ['en-US', 'after 5pm tuesday'],
  ['en-US', 'tuesday after 5pm'],
  ['de', 'Dienstag nach 17 Uhr'],
  ['fr', 'mardi après 17h'],
  ['es', 'martes después de las 17h'],
  ['it', 'martedì dopo le 17'],
  ['pt', 'terça depois das 17h'],
  ['nl', 'dinsdag na 17 uur'],
])('“after” a time means from then on, in %s: %s', (locale, text) => {
  expect(summarize(text, { locale })).toBe('understood: 2026-11-24 17:00');
});

test.each([
  ['en-US', '2 hours after 5pm tuesday'],
  ['de', '2 Stunden nach 17 Uhr am Dienstag'],
])('a duration after a time is counted from it, in %s: %s', (locale, text) => {
  expect(summarize(text, { locale })).toBe('understood: 2026-11-24 19:00');
});

test.each([
  ['de', 'nachher um 4'],
  ['fr', "tout à l'heure à 16h"],
  ['es', 'luego a las 16h'],
  ['nl', 'straks om 4'],
  ['nl', 'zo meteen om 16 uur'],
  ['ja', 'あとで16時'],
])('“later today” leads to a time, in %s: %s', (locale, text) => {
  expect(summarize(text, { locale })).toBe('understood: 2026-11-20 16:00');
});

test.each([
  ['it', '2 ore', '2026-11-20 14:00 | 2026-11-20 13:15'],
  ['it', '8 ore', '2026-11-21 08:00 | 2026-11-20 19:15'],
  ['es', '1 hora', '2026-11-20 13:00 | 2026-11-20 12:15'],
  ['pt', '3 horas', '2026-11-20 15:00 | 2026-11-20 14:15'],
  ['fr', '24 heures', '2026-11-21 00:00 | 2026-11-21 11:15'],
  ['fr', '24h', '2026-11-21 00:00 | 2026-11-21 11:15'],
  ['nl', '24 uur', '2026-11-21 00:00 | 2026-11-21 11:15'],
])('hours that may be counted are asked, in %s: %s', (locale, text, expected) => {
  expect(summarize(text, { locale })).toBe(`ambiguous: ${expected}`);
});

test.each([
  ['fr', '48 heures', '2026-11-22 11:15'],
  ['es', '14 horas', '2026-11-20 14:00'],
  ['de', '24 Uhr', '2026-11-21 00:00'],
])('hours that can only be one of both aren’t asked, in %s: %s', (locale, text, expected) => {
  expect(summarize(text, { locale })).toBe(`understood: ${expected}`);
});
