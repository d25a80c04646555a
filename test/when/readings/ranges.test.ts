import { describe, expect, test } from 'vitest';
import { understandRange } from '../../../src/when/readings/ranges/understand-range.ts';
import { FRIDAY, listPhrases } from '../read.ts';
import { renderRangeReading } from './render-readings.ts';

const read = (text: string, zone = 'Europe/Berlin') =>
  understandRange({ text, now: FRIDAY, zone, locale: 'en-GB' });

test.each([
  ['after the first monday of the month', 'from Tue 3 Nov'],
  ['before the first monday of the month', 'until Sun 1 Nov'],
  ['after the last friday of the month', 'from Sat 28 Nov'],
  ['before the last friday of the month', 'until Thu 26 Nov'],
  ['until the first of the year', 'until Fri 1 Jan 2027'],
  ['seit dem ersten Montag dieses Monats', 'from Mon 2 Nov'],
])('the place of a day in a period can begin or end a range: %s', (text, expectedText) => {
  expect(renderRangeReading(text)).toBe(expectedText);
});

test.each([
  ['since diwali', 'from Sun 8 Nov'],
  ["since mother's day", 'from Sun 15 Mar | from Sun 10 May'],
  ['until halloween', 'until Sun 31 Oct 2027'],
  ['after next halloween', 'from Mon 1 Nov 2027'],
  ['after next diwali', 'from Sat 30 Oct 2027 | from Fri 29 Oct 2027'],
  ['before next diwali', 'until Thu 28 Oct 2027 | until Wed 27 Oct 2027'],
  ["after next new year's", 'from Sat 2 Jan 2027 | from Fri 1 Jan 2027'],
  ['since eid', 'from Wed 27 May | from Thu 28 May'],
  ['since the monday after easter', 'from Mon 6 Apr'],
  ['since the day after the first monday of the month', 'from Tue 3 Nov'],
  ['since the bank holiday', 'from Mon 31 Aug'],
  ['before the bank holiday', 'until Thu 24 Dec'],
])('a range can begin or end on a feast: %s', (text, expectedText) => {
  expect(renderRangeReading(text)).toBe(expectedText);
});

test.each([
  ['since eid', '2026-04-10', 'from Fri 20 Mar | from Sat 21 Mar'],
  ['after eid', '2026-04-10', 'from Thu 28 May | from Fri 29 May'],
  ['since diwali', '2027-11-20', 'from Fri 29 Oct | from Thu 28 Oct'],
  ['until diwali', '2027-11-20', 'until Tue 17 Oct 2028'],
  ["after next new year's", '2026-02-20', 'from Sat 2 Jan 2027 | from Fri 1 Jan 2027'],
  ['since the day after thanksgiving', '2026-11-30', 'from Fri 27 Nov'],
])('a feast that comes twice a year, or has two days in one year: %s on %s', (text, day, expectedText) => {
  expect(renderRangeReading(text, { now: new Date(`${day}T10:00:00Z`) })).toBe(expectedText);
});

test.each([
  ['from 22 to 6', 'Fri 20 Nov, 22:00 to Sat 21 Nov, 06:00'],
  ['from ten to six', 'Fri 20 Nov, 10:00 to 18:00'],
  ['from quarter to 9', 'from Fri 20 Nov, 08:45 | from Fri 20 Nov, 20:45'],
  ['from 20:00 to 24:00', 'Fri 20 Nov, 20:00 to Sat 21 Nov, 00:00'],
])('two hours after “from” are the ends of a range: %s', (text, expectedText) => {
  expect(renderRangeReading(text)).toBe(expectedText);
});

test.each([
  ['de', 'Anfang Dezember', 'Tue 1 Dec to Thu 10 Dec'],
  ['de', 'Monatsende', 'Sat 21 Nov to Mon 30 Nov'],
  ['fr', 'fin novembre', 'Sat 21 Nov to Mon 30 Nov'],
  ['es', 'principios de diciembre', 'Tue 1 Dec to Thu 10 Dec'],
])('the edge of a month has several days, in %s: %s', (locale, text, expectedText) => {
  expect(renderRangeReading(text, { locale })).toBe(expectedText);
});

test.each([
  ['de', 'Jahresende', 'Thu 31 Dec'],
  ['de', 'Ende des Quartals', 'Thu 31 Dec'],
  ['fr', 'fin de l’année', 'Thu 31 Dec'],
  ['en', 'end of q4', 'Thu 31 Dec'],
  ['en', 'end of 2027', 'Fri 31 Dec 2027'],
])('the end of a quarter or year is its last day, in %s: %s', (locale, text, expectedText) => {
  expect(renderRangeReading(text, { locale })).toBe(expectedText);
});

test('“d’ici 18 heures” names an hour, and “d’ici 2 heures” two hours', () => {
  expect(renderRangeReading('d’ici 18 heures', { locale: 'fr' })).toMatch(/^until .*18:00/);
  expect(renderRangeReading('d’ici 2 heures', { locale: 'fr' })).not.toMatch(/02:00/);
});

test('a range can begin on a feast that is over, in German and French', () => {
  expect(renderRangeReading('seit Ostern', { locale: 'de' })).toBe('from Sun 5 Apr');
  expect(renderRangeReading('depuis le nouvel an', { locale: 'fr' })).toBe('from Thu 1 Jan');
});

test('“since” with a future day starts on that day, and says so', () => {
  expect(read('since first monday of next quarter')).toMatchObject({
    text: 'from Mon 4 Jan 2027 (Berlin)',
    notes: ['That’s to come, so from then on.'],
  });
  expect(read('since the first monday of the month')).toMatchObject({ notes: [] });
});

describe('days, weeks, months, quarters and years are understood', () => {
  test.each([
    ['all week', 'Mon 16 Nov to Sun 22 Nov'],
    ['w/c 7 dec', 'Mon 7 Dec to Sun 13 Dec'],
    ['the week after thanksgiving', 'Mon 30 Nov to Sun 6 Dec'],
    ['the week before christmas', 'Mon 14 Dec to Sun 20 Dec'],
    ['a week before christmas', 'Fri 18 Dec'],
    ['christmas week', 'Mon 21 Dec to Sun 27 Dec'],
    ['monday week', 'Mon 30 Nov'],
    ['first week of december', 'Mon 7 Dec to Sun 13 Dec | Tue 1 Dec to Mon 7 Dec'],
    ['the last week of november', 'Mon 30 Nov to Sun 6 Dec | Tue 24 Nov to Mon 30 Nov'],
    ['first week of march', 'Mon 1 Mar 2027 to Sun 7 Mar 2027'],
    ['thursday before noon', 'Thu 26 Nov, 00:00 to 12:00'],
    ['friday before christmas', 'Fri 18 Dec'],
    ['the week before friday', 'Mon 9 Nov to Sun 15 Nov'],
    ['week after friday', 'Fri 27 Nov | Fri 4 Dec'],
    ['beginning of next week', 'Mon 23 Nov'],
    ['2026-W49', 'Mon 30 Nov to Sun 6 Dec'],
    ['before w/c monday', 'until Sun 22 Nov'],
    ['week 48', 'Mon 23 Nov to Sun 29 Nov'],
    ['in march', 'Mon 1 Mar 2027 to Wed 31 Mar 2027'],
    ['since last christmas', 'from Thu 25 Dec 2025'],
    ['last easter', 'Sun 5 Apr'],
    ['the second half of next month', 'Wed 16 Dec to Thu 31 Dec'],
    ['second half of the year', 'Wed 1 Jul to Thu 31 Dec'],
    ['first half of this week', 'Mon 16 Nov to Wed 18 Nov'],
    ['early december', 'Tue 1 Dec to Thu 10 Dec'],
    ['late february', 'Fri 19 Feb 2027 to Sun 28 Feb 2027'],
    ['end of this week', 'Fri 20 Nov | Sun 22 Nov'],
    ['late friday', 'Fri 20 Nov, 16:00 to 23:59'],
    ['q1', 'Fri 1 Jan 2027 to Wed 31 Mar 2027'],
    ['the second quarter of 2026', 'Wed 1 Apr to Tue 30 Jun'],
    ['last friday', 'Fri 13 Nov'],
    ['christmas eve', 'Thu 24 Dec'],
    ['nxt wk', 'Mon 23 Nov to Sun 29 Nov'],
  ])('%s', (text, expectedText) => {
    expect(renderRangeReading(text)).toBe(expectedText);
  });

  test('the first day of the week depends on the locale', () => {
    expect(renderRangeReading('this week', { locale: 'en-US' })).toBe('Sun 15 Nov to Sat 21 Nov');
    expect(renderRangeReading('this week', { locale: 'de-DE' })).toBe('Mon 16 Nov to Sun 22 Nov');
  });
});

describe('ranges counted from now are understood', () => {
  test.each([
    ['next twenty days', 'Fri 20 Nov, 11:15 to Thu 10 Dec'],
    ['last 5 mths', 'Sat 20 Jun to Fri 20 Nov, 11:15'],
    ['past 2 hours', 'Fri 20 Nov, 09:15 to 11:15'],
    ['3 days ago', 'Tue 17 Nov'],
    ['in the next three weeks', 'Fri 20 Nov, 11:15 to Fri 11 Dec'],
  ])('%s', (text, expectedText) => {
    expect(renderRangeReading(text)).toBe(expectedText);
  });

  test('“the last week” means seven days, with a note', () => {
    expect(read('the last week')).toMatchObject({
      text: 'Fri 13 Nov to Fri 20 Nov, 11:15 (Berlin)',
      notes: ['One week counted from today, not the calendar’s.'],
    });
  });

  test('24 hours are elapsed hours at a clock change', () => {
    const now = new Date('2027-03-28T10:00:00Z');
    const reading = understandRange({ text: 'last 24 hours', now, zone: 'Europe/Berlin' });
    expect(reading).toMatchObject({ range: { from: new Date('2027-03-27T10:00:00Z'), to: now } });
  });
});

describe('ranges with a first and last day or time are understood', () => {
  test.each([
    ['monday to wednesday', 'Mon 23 Nov to Wed 25 Nov'],
    ['24 december to monday', 'no'],
    ['1-5 december', 'Tue 1 Dec to Sat 5 Dec'],
    ['the 1st to the 5th', 'Tue 1 Dec to Sat 5 Dec'],
    ['20 december until 5 january', 'Sun 20 Dec to Tue 5 Jan 2027'],
    ['nov 30 - dec 4, 2026', 'Mon 30 Nov to Fri 4 Dec'],
    ['2026-12-31', 'Thu 31 Dec'],
    ['2026-12-01 to 2026-12-05', 'Tue 1 Dec to Sat 5 Dec'],
    ['2026-12-01/2026-12-05', 'Tue 1 Dec to Sat 5 Dec'],
    ['1 Dec 2026 to 30 Nov 2027', 'Tue 1 Dec to Tue 30 Nov 2027'],
    ['21 Nov 2026 to 20 Nov 2027', 'Sat 21 Nov to Sat 20 Nov 2027'],
    ['21 Nov to 20 Nov', 'no'],
    ['20 Nov 2027 to 21 Nov 2026', 'no'],
    ['from yesterday to tomorrow', 'Thu 19 Nov to Sat 21 Nov'],
    ['on friday between 9 and 12', 'Fri 20 Nov, 09:00 to 12:00'],
    ['tomorrow from 7 to 8pm', 'Sat 21 Nov, 19:00 to 20:00'],
    ['tomorrow from 11 to 1pm', 'Sat 21 Nov, 11:00 to 13:00'],
    ['from nine to five tomorrow', 'Sat 21 Nov, 09:00 to 17:00'],
    ['from 2pm till tomorrow 4:30pm', 'Fri 20 Nov, 14:00 to Sat 21 Nov, 16:30'],
    ['monday morning from 10am to 12pm', 'Mon 23 Nov, 10:00 to 12:00'],
    ['tomorrow evening from 7 to 9', 'Sat 21 Nov, 19:00 to 21:00'],
    ['the ninth to the seventeenth of april', 'Fri 9 Apr 2027 to Sat 17 Apr 2027'],
    ['from the twenty-seventh to the third of april', 'Sat 27 Mar 2027 to Sat 3 Apr 2027'],
    ['from 2026-q1 to 2026-q2', 'Thu 1 Jan to Tue 30 Jun'],
    ['from monday 9am to friday 5pm', 'Mon 16 Nov, 09:00 to Fri 20 Nov, 17:00'],
    ['from now to midnight', 'Fri 20 Nov, 11:15 to Sat 21 Nov, 00:00'],
    ['now until tuesday', 'Fri 20 Nov, 11:15 to Tue 24 Nov'],
    ['today until midnight', 'Fri 20 Nov to Sat 21 Nov, 00:00'],
    ['saturday night from midnight to 2am', 'Sun 22 Nov, 00:00 to 02:00'],
    ['tonight from midnight to 2am', 'Sat 21 Nov, 00:00 to 02:00'],
    ['this week until noon', 'no'],
  ])('%s', (text, expectedText) => {
    expect(renderRangeReading(text)).toBe(expectedText);
  });

  test.each([
    ['starting tomorrow', 'from Sat 21 Nov'],
    ['by the end of november', 'until Mon 30 Nov'],
    ['not before monday', 'from Mon 23 Nov'],
    ['no earlier than monday', 'from Mon 23 Nov'],
  ])('%s has only one boundary', (text, expectedText) => {
    expect(renderRangeReading(text)).toBe(expectedText);
  });
});

describe('the instants of a range', () => {
  test('a day is from its first to its last millisecond', () => {
    expect(read('tomorrow')).toMatchObject({
      range: { from: new Date('2026-11-20T23:00:00.000Z'), to: new Date('2026-11-21T22:59:59.999Z') },
    });
  });

  test('a range ends at its last time, and “before” ends a millisecond earlier', () => {
    expect(read('friday 9-12')).toMatchObject({ range: { to: new Date('2026-11-20T11:00:00.000Z') } });
    expect(read('before 9am tomorrow')).toMatchObject({
      range: { to: new Date('2026-11-21T07:59:59.999Z') },
    });
  });

  test('a range can have a time zone', () => {
    expect(read('this week in Tokyo')).toMatchObject({
      range: { from: new Date('2026-11-15T15:00:00Z'), zone: 'Asia/Tokyo' },
    });
  });

  test('a day without midnight begins at its first instant', () => {
    const now = new Date('2026-04-20T12:00:00Z');
    const reading = understandRange({ text: '24 april 2026', now, zone: 'Africa/Cairo', locale: 'en-GB' });
    expect(reading).toMatchObject({
      range: { from: new Date('2026-04-23T22:00:00Z'), to: new Date('2026-04-24T20:59:59.999Z') },
    });
  });
});

describe('the days of a date in figures', () => {
  const readIn = (text: string, dateOrder?: 'unsure' | 'month-first') => {
    const reading = understandRange({ text, now: FRIDAY, zone: 'Europe/Berlin', locale: 'en-GB', dateOrder });
    if (reading.kind === 'understood') return reading.text.replace(' (Berlin)', '');
    return (
      reading.kind === 'ambiguous' && reading.candidates.map((each) => each.text.replace(' (Berlin)', ''))
    );
  };

  test.each([
    ['03/04', 'Sat 3 Apr 2027', 'Thu 4 Mar 2027'],
    ['03/04 - 05/04', 'Sat 3 Apr 2027 to Mon 5 Apr 2027', 'Thu 4 Mar 2027 to Tue 4 May 2027'],
  ])('are in the reader’s order, and asked if that is unsure: %s', (text, dayFirst, monthFirst) => {
    expect(readIn(text)).toBe(dayFirst);
    expect(readIn(text, 'month-first')).toBe(monthFirst);
    expect(readIn(text, 'unsure')).toEqual([dayFirst, monthFirst]);
  });

  test.each([
    ['sat 03/04', 'Sat 3 Apr 2027'],
    ['3.4.2027', 'Sat 3 Apr 2027'],
    ['13/04', 'Tue 13 Apr 2027'],
  ])('aren’t asked after a weekday, with dots, or with a day above 12: %s', (text, day) =>
    expect(readIn(text, 'unsure')).toBe(day),
  );
});

describe('ranges with two meanings are ambiguous', () => {
  test.each([['next weekend', 'Sat 21 Nov to Sun 22 Nov | Sat 28 Nov to Sun 29 Nov']])(
    '%s',
    (text, expectedText) => {
      expect(renderRangeReading(text)).toBe(expectedText);
    },
  );

  test('a range is ambiguous if its time zone could be in America or Asia', () => {
    expect(renderRangeReading('tomorrow CST')).toBe('Sat 21 Nov (Chicago) | Sat 21 Nov (Shanghai)');
  });
});

describe('other texts are refused with three examples', () => {
  test.each([
    ...listPhrases(`
    99999999999 days | hello | every monday | 9am | tomorrow 9am | 9-12 | 30 feb | 5 to 1 december | from
    12-2025 | monday or tuesday | to friday and | last | next 0 days | next 99999 years
    december first week | may first week | 4th of july week | thursday until 3 | thursday before 3
  `),
    '',
    'x'.repeat(201),
  ])('%s', (text) => {
    const reading = read(text);
    expect(reading).toMatchObject({ kind: 'not-understood' });
    expect(reading.kind === 'not-understood' && reading.examples).toHaveLength(3);
  });

  test('the examples work', () => {
    const reading = read('hello');
    const examples = reading.kind === 'not-understood' ? reading.examples : [];
    expect(examples.map((example) => read(example).kind)).toEqual(Array(3).fill('understood'));
  });
});

describe('the end of a range', () => {
  const evening = new Date(+FRIDAY + 7 * 3_600_000);
  const textOf = (text: string, locale = 'en-GB') => {
    const reading = understandRange({ text, now: evening, zone: 'Europe/Berlin', locale });
    return reading.kind === 'understood' ? reading.text.replace(' (Berlin)', '') : reading.kind;
  };

  test.each([
    ['until friday 9am', 'until Fri 27 Nov, 09:00'],
    ['before friday 9am', 'until Fri 27 Nov, 08:59'],
    ['between midnight and 6am', 'Fri 20 Nov, 00:00 to 06:00'],
  ])('is the coming one, or in a list the one of today: %s', (text, expectedText) => {
    expect(textOf(text)).toBe(expectedText);
  });

  test.each([
    ['before 9am', 'until Sat 21 Nov, 08:59'],
    ['between midnight and 6am', 'Sat 21 Nov, 00:00 to 06:00'],
  ])('has not passed in a plan: %s', (text, expectedText) => {
    const reading = understandRange({ text, now: evening, zone: 'Europe/Berlin', isAhead: true });
    expect(reading).toMatchObject({ text: `${expectedText} (Berlin)` });
  });

  test('is in the week after this year’s Christmas, before that week is over', () => {
    const now = new Date('2026-12-29T10:15:00Z');
    const reading = understandRange({
      text: 'the week after christmas',
      now,
      zone: 'Etc/UTC',
      isAhead: true,
    });
    expect(reading).toMatchObject({ text: 'Sun 27 Dec to Sat 2 Jan 2027 (UTC)' });
  });

  test('is today’s, in the early morning', () => {
    const now = new Date(+FRIDAY - 4 * 3_600_000);
    expect(renderRangeReading('before friday 9am', { now })).toBe('until Fri 20 Nov, 08:59');
    expect(renderRangeReading('from midnight to 8am', { now })).toBe('Fri 20 Nov, 00:00 to 08:00');
  });

  test.each([
    ['22:00 to 2:00', 'Fri 20 Nov, 22:00 to Sat 21 Nov, 02:00'],
    ['friday 10pm-2', 'Fri 20 Nov, 22:00 to Sat 21 Nov, 02:00'],
  ])('is in the night that follows: %s', (text, expectedText) => {
    expect(textOf(text)).toBe(expectedText);
  });

  test.each([
    ['before the end of the month', 'until Mon 30 Nov', 'en-GB'],
    ['before the end of december', 'until Thu 31 Dec', 'en-GB'],
    ['before the end of next week', 'until Sun 29 Nov', 'en-GB'],
    ['until the end of the day', 'until Fri 20 Nov', 'en-GB'],
    ['by EOM', 'until Mon 30 Nov', 'en-GB'],
    ['before eom', 'until Mon 30 Nov', 'en-GB'],
    ['vor Ende Dezember', 'until Thu 31 Dec', 'de'],
    ['avant la fin du mois', 'until Mon 30 Nov', 'fr'],
  ])('includes the last day: %s', (text, expectedText, locale) => {
    expect(textOf(text, locale)).toBe(expectedText);
  });

  test.each([
    ['金曜日まで', 'until Fri 20 Nov'],
    ['12月5日までに', 'until Sat 5 Dec'],
    ['12月5日以前', 'until Sat 5 Dec'],
    ['12月前', 'until Mon 30 Nov'],
    ['金曜日より前', 'until Thu 26 Nov'],
    ['昼前', 'Fri 20 Nov, 10:00 to 12:00'],
    ['3日前', 'Tue 17 Nov'],
    ['明日の午前', 'Sat 21 Nov, 06:00 to 12:00'],
    ['明日の9時まで', 'until Sat 21 Nov, 09:00'],
    ['月曜日から金曜日まで', 'Mon 16 Nov to Fri 20 Nov'],
  ])('is the day before まで: %s', (text, expectedText) => {
    expect(textOf(text, 'ja')).toBe(expectedText);
  });
});
