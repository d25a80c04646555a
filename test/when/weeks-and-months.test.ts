import { describe, expect, test } from 'vitest';
import { read, summarize, testReadings } from './read.ts';

// The current time in these tests: Friday 20 November 2026, 11:15 in Berlin.

describe('a week, month, quarter or year is ambiguous', () => {
  test.each([
    ['some day next week', '2026-11-23 09:00 | 2026-11-27 11:15'],
    ['sometime next quarter', '2027-01-01 09:00 | 2027-02-20 11:15'],
    ['the week after next at 8:05', '2026-11-30 08:05 | 2026-12-04 08:05'],
    ['sunday week after next 9am', '2026-12-06 09:00 | 2026-11-29 09:00'],
  ])('%s', (text, wallTimes) => {
    expect(summarize(text)).toBe(`ambiguous: ${wallTimes}`);
    expect(read(text)).toMatchObject({ kind: 'ambiguous' });
  });

  testReadings('the current week, month or year is ambiguous: %s', { kind: 'ambiguous' }, [
    ['this month at 16:05', '2026-11-20 16:05 | 2026-11-30 16:05'],
    ['later this year', '2026-11-20 12:00 | 2026-12-31 09:00'],
    ['sometime this week 17:05', '2026-11-20 17:05 | 2026-11-22 17:05'],
  ]);

  testReadings('a month is ambiguous: %s', { kind: 'ambiguous' }, [
    ['some day in july', '2027-07-01 09:00 | 2027-07-20 09:00'],
    ['2027-08', '2027-08-01 09:00 | 2027-08-20 09:00'],
    ['next december', '2026-12-01 09:00 | 2026-12-20 09:00 | 2027-12-01 09:00'],
  ]);

  testReadings('the next days are ambiguous: %s', { kind: 'ambiguous' }, [
    ['the coming two days at 8:05', '2026-11-21 08:05 | 2026-11-22 08:05'],
    ['some time in the 2 upcoming days', '2026-11-21 09:00 | 2026-11-22 09:00'],
    ['the coming three days, 7:05', '2026-11-21 07:05 | 2026-11-22 07:05 | 2026-11-23 07:05'],
  ]);

  testReadings('a month is also found by its number: %s', { kind: 'ambiguous' }, [
    ['the 9th month of 2027', '2027-09-01 09:00 | 2027-09-20 09:00'],
    ['the second month of next year at 7:05', '2027-02-01 07:05 | 2027-02-20 07:05'],
    ['in the last month of 2028', '2028-12-01 09:00 | 2028-12-20 09:00'],
  ]);

  testReadings('a weekend is ambiguous: %s', { kind: 'ambiguous' }, [
    ['next weekend at 10:05', '2026-11-21 10:05 | 2026-11-22 10:05 | 2026-11-28 10:05 | 2026-11-29 10:05'],
    ['two weekends from now', '2026-11-28 09:00 | 2026-11-29 09:00'],
    ['the last weekend of february', '2027-02-27 09:00 | 2027-02-28 09:00'],
  ]);

  test('a note asks to choose a day', () => {
    expect(read('next week at 9:05')).toMatchObject({ notes: ['No day given: choose one.'] });
  });

  test.each(["let's discuss the budget for the next quarter", 'sales were good this month', 'may I ask you'])(
    'a week or month in another sentence isn’t a date: %s',
    (text) => {
      expect(read(text).kind).toBe('not-understood');
    },
  );
});

testReadings('%s', { kind: 'understood' }, [
  ['the middle of february at 9:05', '2027-02-15 09:05'],
  ['mid-april', '2027-04-15 09:00'],
  ['midweek, 8:05', '2026-11-25 08:05'],
  ['mid-2028', '2028-07-01 09:00'],
  ['the start of q3 2027 at 9:05', '2027-07-01 09:05'],
  ['last day of the third quarter', '2027-09-30 09:00'],
  ['last weekday of the year at 8:05', '2026-12-31 08:05'],
  ['the penultimate day of the month', '2026-11-29 09:00'],
  ['the start of tuesday', '2026-11-24 09:00'],
]);

test.each([
  ['early april', '2027-04-01 09:00 | 2027-04-05 09:00'],
  ['late in february', '2027-02-25 09:00 | 2027-02-28 09:00'],
  ['early next week at 9:05', '2026-11-23 09:05 | 2026-11-24 09:05'],
  ['h2 2028', '2028-07-01 09:00 | 2028-12-31 09:00'],
  ['week 49', '2026-11-30 09:00 | 2026-12-04 09:00'],
])('a part with several days can be ambiguous: %s', (text, wallTimes) => {
  expect(summarize(text)).toBe(`${wallTimes.includes('|') ? 'ambiguous' : 'understood'}: ${wallTimes}`);
});

testReadings('a weekday or date beside a week or month is in it, in any order: %s', { kind: 'understood' }, [
  ['the 5th at 9am next month', '2026-12-05 09:00'],
  ['next month 9am on the 5th', '2026-12-05 09:00'],
]);

testReadings('abbreviations of teams are understood: %s', { kind: 'understood' }, [
  ['by eow', '2026-11-20 17:00'],
  ['eoy', '2026-12-31 17:00'],
  ['eom 3pm', '2026-11-30 15:00'],
  ['eod monday', '2026-11-23 17:00'],
  ['2moz 3pmish', '2026-11-21 15:00'],
]);

testReadings('%s', { kind: 'ambiguous' }, [
  ['8 december, late', '2026-12-08 17:00 | 2026-12-08 21:00'],
  ['late thursday', '2026-11-26 17:00 | 2026-11-26 21:00'],
  ['tonight at 3', '2026-11-21 03:00 | 2026-11-20 15:00'],
  ['tue 15', '2026-12-15 09:00 | 2026-11-24 15:00'],
]);

testReadings('only the hour or the date fits: %s', { kind: 'understood' }, [
  ['thu 12', '2026-11-26 12:00'],
  ['tuesday 14:00', '2026-11-24 14:00'],
]);

testReadings('a number above 12 beside a weekday may be a day that isn’t on it: %s', { kind: 'ambiguous' }, [
  ['tuesday 14', '2027-09-14 09:00 | 2026-12-14 09:00 | 2026-11-24 14:00'],
  ['monday 19', '2027-04-19 09:00 | 2026-12-19 09:00 | 2026-11-23 19:00'],
]);

testReadings('two statements of one day agree: %s', { kind: 'understood' }, [
  ['monday 3 days from now', '2026-11-23 09:00'],
  ['in 3 days on monday at 5pm', '2026-11-23 17:00'],
]);

test('a weekday that isn’t the counted day is asked', () => {
  expect(summarize('two months from today on tuesday')).toBe(
    'ambiguous: 2027-01-26 09:00 | 2027-01-19 09:00',
  );
  expect(summarize('in 3 days on friday 9am')).toBe('ambiguous: 2026-11-23 09:00 | 2026-11-27 09:00');
});

test('“in the morning”, typed in the morning, is ambiguous', () => {
  const now = new Date('2026-11-20T09:10:00Z');
  expect(summarize('in the morning', { now })).toBe('ambiguous: 2026-11-21 09:00 | 2026-11-20 11:00');
  expect(summarize('this morning', { now })).toBe('understood: 2026-11-20 11:00');
});

testReadings('the beginning or end of a day is understood: %s', { kind: 'understood' }, [
  ['tuesday, bright and early', '2026-11-24 06:00'],
  ['early tomorrow morning', '2026-11-21 06:00'],
]);

describe('a day can be named by its place in any period', () => {
  testReadings('%s', { kind: 'understood' }, [
    ['first monday of next quarter', '2027-01-04 09:00'],
    ['last weekday of q1', '2027-03-31 09:00'],
    ['the middle of the quarter', '2027-02-15 09:00'],
    ['first day of the week', '2026-11-23 09:00'],
    ['mid january at 9:05', '2027-01-15 09:05'],
  ]);

  test.each([
    ['es', 'mediados de mayo de 2028', '2028-05-15 09:00'],
    ['it', 'il primo venerdì di luglio alle 9:05', '2027-07-02 09:05'],
    ['de', 'Anfang der Woche 9 Uhr', '2026-11-23 09:00'],
    ['es', 'a principios de semana', '2026-11-23 09:00'],
    ['it', 'inizio settimana alle 9:05', '2026-11-23 09:05'],
    ['pt', 'no início da semana', '2026-11-23 09:00'],
    ['pt', 'fim do trimestre', '2026-12-31 09:00'],
    ['nl', 'begin van de week', '2026-11-23 09:00'],
    ['de', 'Ende Q4', '2026-12-31 09:00'],
    ['fr', "fin d'année prochaine", '2027-12-31 09:00'],
    ['fr', 'début T2', '2027-04-01 09:00'],
    ['es', 'a finales del primer trimestre', '2027-03-31 09:00'],
    ['it', "fine dell'anno 2027", '2027-12-31 09:00'],
    ['ja', '2027年末', '2027-12-31 09:00'],
    ['de', 'Monatsanfang', '2026-12-01 09:00'],
    ['de', 'zum Jahresbeginn', '2027-01-01 09:00'],
    ['de', 'Anfang zweites Halbjahr', '2027-07-01 09:00'],
    ['fr', 'fin du premier semestre', '2027-06-30 09:00'],
    ['en-GB', 'Ende des Jahres', '2026-12-31 09:00'],
    ['en-US', 'début T2', '2027-04-01 09:00'],
  ])('in %s: %s', (locale, text, wallTime) => {
    expect(summarize(text, { locale })).toBe(`understood: ${wallTime}`);
  });

  test.each([
    ['en', 'second to last day of next week', '2026-11-26 09:00 | 2026-11-28 09:00'],
    ['en', 'late this quarter', '2026-12-01 09:00 | 2026-12-31 09:00'],
    ['en', 'second to last week of may', '2027-05-24 09:00 | 2027-05-18 09:00'],
    ['de', 'Ende nächster Woche', '2026-11-27 09:00 | 2026-11-29 09:00'],
    ['de', 'letzter Tag nächster Woche', '2026-11-27 09:00 | 2026-11-29 09:00'],
    ['fr', 'fin de la semaine prochaine', '2026-11-27 09:00 | 2026-11-29 09:00'],
    ['de', 'Q1 2027', '2027-01-01 09:00 | 2027-03-31 09:00'],
    ['pt', 'segundo trimestre de 2027', '2027-04-01 09:00 | 2027-06-30 09:00'],
    ['nl', 'K1 2027', '2027-01-01 09:00 | 2027-03-31 09:00'],
    ['ja', '第1四半期', '2027-01-01 09:00 | 2027-03-31 09:00'],
    ['ja', '来四半期', '2027-01-01 09:00 | 2027-03-31 09:00'],
    ['en-GB', '1. Quartal', '2027-01-01 09:00 | 2027-03-31 09:00'],
    ['en-US', 'q4', '2026-11-20 12:00 | 2026-12-31 09:00'],
    ['de', 'letzte Woche im Dezember', '2026-12-28 09:00 | 2026-12-25 09:00'],
    ['fr', 'première semaine de janvier', '2027-01-04 09:00 | 2027-01-01 09:00'],
  ])('Upnext asks which of two days is meant, in %s: %s', (locale, text, wallTimes) => {
    expect(summarize(text, { locale })).toBe(`ambiguous: ${wallTimes}`);
  });

  test('Upnext says that a week of that name has passed', () => {
    expect(read('first week of november')).toMatchObject({
      notes: expect.arrayContaining(['Mon 2 Nov has passed, so in 2027.']),
    });
  });

  test('a quarter’s beginning or end can be two days', () => {
    expect(summarize('late q1 at 9:05')).toBe('ambiguous: 2027-03-01 09:05 | 2027-02-01 09:05');
    expect(summarize('first week next year')).toBe('ambiguous: 2027-01-04 09:00 | 2027-01-01 09:00');
  });
});

describe('the place of a day in a period can have anything beside it', () => {
  test.each([
    ['en', 'first monday evening of december', '2026-12-07 18:00'],
    ['en', 'last friday afternoon of the month', '2026-11-27 15:00'],
    ['en', 'last friday of january 9ish', '2027-01-29 09:00'],
    ['en', 'earth day 22 april 9:05', '2027-04-22 09:05'],
    ['en', 'may day 1 may', '2027-05-01 09:00'],
    ['en', 'third day of the coming week', '2026-11-25 09:00'],
    ['en', 'first day of the following week', '2026-11-23 09:00'],
    ['en', 'friday, week after next 9:05', '2026-12-04 09:05'],
    ['ja', '第5木曜日 10時', '2026-12-31 10:00'],
    ['fr', 'ce vendredi qui vient à 10h', '2026-11-27 10:00'],
  ])('in %s: %s', (locale, text, wallTime) => {
    expect(summarize(text, { locale })).toBe(`understood: ${wallTime}`);
  });

  test('a day of this month that is over has passed, but that of the month is the next one', () => {
    expect(summarize('erster Freitag diesen Monats 10 Uhr', { locale: 'de' })).toBe('past: 2026-11-06 10:00');
    expect(summarize('erster Freitag im Monat 10 Uhr', { locale: 'de' })).toBe(
      'understood: 2026-12-04 10:00',
    );
  });

  test.each([
    ['en', 'last friday of the year 9am', 'Fri 25 Dec has passed, so in 2027.'],
    ['de', 'letzter freitag des jahres 9 uhr', 'Fri 25 Dec has passed, so in 2027.'],
    ['ja', '12月の最後の金曜日9時', 'Fri 25 Dec has passed, so in 2027.'],
    ['ja', '12月の第2火曜日9時', 'Tue 8 Dec has passed, so in 2027.'],
  ])('a day of this year that has just passed is noted, in %s: %s', (locale, text, note) => {
    const now = new Date('2026-12-31T09:00:00Z');
    expect(read(text, { now, zone: 'Asia/Tokyo', locale })).toMatchObject({
      kind: 'understood',
      notes: [note],
    });
  });

  test.each([
    ['en', 'first monday of the year 9am'],
    ['de', 'erster montag des jahres 9 uhr'],
    ['nl', 'eerste maandag van het jaar 9 uur'],
  ])('a day of this year that is long over is that of the next, in %s: %s', (locale, text) => {
    expect(summarize(text, { locale })).toBe('understood: 2027-01-04 09:00');
    expect(read(text, { locale })).toMatchObject({ notes: [] });
  });

  test.each([
    ['en', 'december 9:00'],
    ['nl', 'december 9 uur'],
  ])('of a month and an hour, the day is asked, in %s: %s', (locale, text) => {
    expect(summarize(text, { locale })).toBe('ambiguous: 2026-12-01 09:00 | 2026-12-20 09:00');
  });

  test.each(['december 9am on friday', 'friday, december 9:00'])(
    'of a weekday, a month and an hour, nothing is assumed: %s',
    (text) => {
      const now = new Date('2026-11-18T10:15:00Z');
      expect(summarize(text, { now })).toMatch('not-understood: ');
    },
  );

  test('in the last month of a quarter, its late days are those of the month', () => {
    const now = new Date('2026-12-20T10:00:00Z');
    expect(summarize('late q4 9:05', { now })).toBe('ambiguous: 2026-12-25 09:05 | 2026-12-31 09:05');
  });

  test.each([
    ['third to last week of the month', '2026-11-20', 'ambiguous: 2026-12-14 09:00 | 2026-12-11 09:00'],
    ['second to last week of the month', '2026-11-20', 'understood: 2026-11-23 09:00'],
    ['second to last week of november', '2026-11-29', 'ambiguous: 2027-11-22 09:00 | 2027-11-17 09:00'],
    ['last week of the month', '2026-11-29', 'understood: 2026-11-30 09:00'],
    ['early december', '2026-12-12', 'past: 2026-12-01 09:00'],
    ['early this month', '2026-12-12', 'past: 2026-12-01 09:00'],
    ['early december 9am', '2026-12-12', 'past: 2026-12-01 09:00'],
    ['early december', '2026-12-05', 'understood: 2026-12-05 12:00'],
    ['next weekday', '2026-12-31', 'understood: 2027-01-01 09:00'],
    ['next workday', '2026-12-31', 'understood: 2027-01-04 09:00'],
  ])('a place that is over isn’t the rest of the period: %s, on %s', (text, day, answer) => {
    expect(summarize(text, { now: new Date(`${day}T10:15:00Z`) })).toBe(answer);
  });
});
