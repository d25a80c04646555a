import { describe, expect, test } from 'vitest';
import { listPhrases, read, summarize, testReadings } from './read.ts';

// The current time in these tests: Friday 20 November 2026, 11:15 in Berlin.

testReadings('phrases without spaces are understood: %s', { kind: 'understood' }, [
  ['7amtomorrow', '2026-11-21 07:00'],
  ['tmrw6pm', '2026-11-21 18:00'],
  ['tues8:05', '2026-11-24 08:05'],
  ['nexttuesday 8:05', '2026-11-24 08:05'],
  ['tuesdayevening', '2026-11-24 18:00'],
  ['3hoursfromnow', '2026-11-20 14:15'],
]);

testReadings('dates and times in technical formats are understood: %s', { kind: 'understood' }, [
  ['20261224T180500Z', '2026-12-24 18:05 Etc/UTC'],
  ['2026-12-24T1805', '2026-12-24 18:05'],
  ['Dec 24 - 6:05pm', '2026-12-24 18:05'],
  ['December 24 – 18:05', '2026-12-24 18:05'],
  ['2026/12/24T18:05', '2026-12-24 18:05'],
  ['24/Dec/2026:18:05:00 +0000', '2026-12-24 18:05 Etc/UTC'],
]);

testReadings('%s', { kind: 'understood' }, [
  ['tuesday 7amPST', '2026-11-24 07:00 America/Los_Angeles'],
  ['tuesday 7am [JST]', '2026-11-24 07:00 Asia/Tokyo'],
  ['7am E.S.T. on tuesday', '2026-11-24 07:00 America/New_York'],
  ['tuesday 7am CET/CEST', '2026-11-24 07:00'],
  ['tuesday 7am Japanese time', '2026-11-24 07:00 Asia/Tokyo'],
  ['tuesday 7am NY time', '2026-11-24 07:00 America/New_York'],
]);

test('a minus between two times is a range', () => {
  expect(summarize('tuesday 09:00-11:00')).toBe('not-understood: 09:00-11:00');
});

test('a note names each corrected word', () => {
  expect(read('tusday 9:05')).toMatchObject({
    kind: 'understood',
    notes: ['“tusday” was read as “Tuesday”.'],
  });
  expect(read('in 20 minuts')).toMatchObject({ notes: ['“minuts” was read as “minutes”.'] });
  expect(read('chrismas 9:05')).toMatchObject({ notes: ['“chrismas” was read as “Christmas”.'] });
});

testReadings('%s', { kind: 'understood' }, [
  ['at ten past', '2026-11-20 12:10'],
  ['twenty to', '2026-11-20 11:40'],
  ['half past the hour', '2026-11-20 11:30'],
  ['at the top of the hour', '2026-11-20 12:00'],
]);

test('minutes without an hour are refused with another day', () => {
  expect(read('tuesday at ten past').kind).toBe('not-understood');
});

describe('counted times are understood', () => {
  testReadings('%s', { kind: 'understood' }, [
    ['the third tuesday from now', '2026-12-08 09:00'],
    ['2 dec + 10 days', '2026-12-12 09:00'],
    ['noon plus 90 minutes', '2026-11-20 13:30'],
    ['two-and-a-half hours from noon', '2026-11-20 14:30'],
    ['within 3 hours', '2026-11-20 14:15'],
    ['in 4 nights', '2026-11-24 21:00'],
    ['the same day next month at 9:05', '2026-12-20 09:05'],
    ['on the eve of epiphany', '2027-01-05 09:00'],
  ]);

  test('a number without a unit means minutes, and a small number is ambiguous', () => {
    expect(summarize('in 40')).toBe('understood: 2026-11-20 11:55');
    expect(summarize('in 3')).toBe('ambiguous: 2026-11-20 11:18 | 2026-11-20 14:15');
  });

  test('hours before a day are ambiguous, because they can count from its beginning or from the current time', () => {
    expect(summarize('3 hours before tuesday')).toBe('ambiguous: 2026-11-23 21:00 | 2026-11-24 08:15');
  });
});

describe('holidays are known by their names', () => {
  testReadings('%s', { kind: 'understood' }, [
    ['halloween eve', '2027-10-30 09:00'],
    ['third sunday of advent, 9:05', '2026-12-13 09:05'],
    ['third sunday in advent, 9:05', '2026-12-13 09:05'],
    ['leap day 9:05', '2028-02-29 09:05'],
    ['inauguration day', '2029-01-20 09:00'],
    ['world water day at 9:05', '2027-03-22 09:05'],
    ['tax day 2028', '2028-04-18 09:00'],
    ['remembrance sunday 9:05', '2027-11-14 09:05'],
  ]);

  test("outside the United States, mother's day is ambiguous", () => {
    expect(summarize("mother's day", { locale: 'en-GB' })).toBe(
      'ambiguous: 2027-03-07 09:00 | 2027-05-09 09:00',
    );
    expect(summarize("mother's day")).toBe('understood: 2027-05-09 09:00');
  });

  test('a phrase with an unknown holiday is refused', () => {
    expect(read('bank holiday monday').kind).toBe('not-understood');
    expect(read('the monday after my birthday').kind).toBe('not-understood');
  });
});

testReadings('%s', { kind: 'understood' }, [
  ['could you publish the newsletter on tuesday at 9:05, if possible?', '2026-11-24 09:05'],
  ['deadline: 8 dec', '2026-12-08 09:00'],
]);

test.each(
  listPhrases(`
  an hour later than tuesday 9:05 | send it 1 hour after the meeting on tuesday
  tomorrow instead of tuesday | the second meeting on tuesday | the tuesday of the conference
`),
)('words that reverse the meaning aren’t ignored: %s', (text) => {
  expect(read(text).kind).toBe('not-understood');
});

testReadings('the weekday nearest to a date is understood: %s', { kind: 'understood' }, [
  ['the tuesday nearest december 25 at 9:05', '2026-12-22 09:05'],
  ['closest friday to the 3rd of may, 8:05', '2027-04-30 08:05'],
  ['the second closest friday to may 3rd 8:05', '2027-05-07 08:05'],
  ['closest sunday to nov 18', '2027-11-21 09:00'],
]);

testReadings('timestamps are understood: %s', { kind: 'understood' }, [
  ['2027-01-22T17:57:39.123456+01:00', '2027-01-22 17:57'],
  ['Jan 22, 2027 • 5:57 PM', '2027-01-22 17:57'],
]);

testReadings('the zone of a timestamp is understood: %s', { kind: 'understood' }, [
  ['2027-01-22T17Z', '2027-01-22 17:00 Etc/UTC'],
  ['Fri Jan 22 2027 17:57:39 GMT+0000 (UTC)', '2027-01-22 17:57 Etc/UTC'],
  ['Fri Jan 22 2027 17:57:39 GMT+0000 (Coordinated Universal Time)', '2027-01-22 17:57 Etc/UTC'],
  ['22 jan 5pm utc plus 3', '2027-01-22 17:00 Etc/GMT-3'],
  ['22 jan 5pm gmt minus 3', '2027-01-22 17:00 Etc/GMT+3'],
  ['22 jan 5pm us pacific', '2027-01-22 17:00 America/Los_Angeles'],
]);

test.each([
  ':tada: tomorrow 9:15 :+1::skin-tone-2:',
  '⏰ tomorrow, 9:15 🇩🇪',
  'tomorrow:calendar: 9:15!!',
  'tomorrow 9️⃣:15',
])('emoji and their codes are ignored: %s', (text) => {
  expect(summarize(text)).toBe('understood: 2026-11-21 09:15');
});

test('a time with seconds and a word between colons are no emoji codes', () => {
  expect(summarize('tomorrow 9:15:00')).toBe('understood: 2026-11-21 09:15');
  expect(summarize('kickoff:monday:9:15')).toBe('understood: 2026-11-23 09:15');
});

test.each([
  ['en-US', ['dec #', '12/#', 'Dec #,', '# dec']],
  ['en-GB', ['#/12', '# dec', 'december #', 'dec #']],
])('the day of a date before an hour is never the hour, in %s', (locale, dates) => {
  const hours = ['10am', '11 am', '12pm', 'noon', '12 noon', 'at 10', '10:10'];
  for (const date of dates) {
    for (let day = 2; day <= 12; day += 1) {
      for (const hour of hours) {
        const text = `${date.replace('#', String(day))} ${hour}`;
        expect([text, summarize(text, { locale })]).toEqual([
          text,
          expect.stringContaining(`2026-12-${String(day).padStart(2, '0')}`),
        ]);
      }
    }
  }
});
