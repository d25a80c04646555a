import { describe, expect, test } from 'vitest';
import { readMoments, renderMomentsReading } from './render-readings.ts';

describe('lists of times are understood', () => {
  test.each([
    ['mon/wed/fri 9am', '11-23 09:00, 11-25 09:00, 11-27 09:00'],
    ['mon tue at 10', '11-23 10:00, 11-24 10:00'],
    ['1, 8 and 15 december at noon', '12-01 12:00, 12-08 12:00, 12-15 12:00'],
    ['10;30 december at noon', '12-10 12:00, 12-30 12:00'],
    ['december 1, 8 and 15 at noon', '12-01 12:00, 12-08 12:00, 12-15 12:00'],
    ['the 1st and 15th at 9am', '12-01 09:00, 12-15 09:00'],
    ['january 1, the 8th and the 25th at noon', '01-01 12:00, 01-08 12:00, 01-25 12:00'],
    ['30 december and the 2nd at noon', '12-30 12:00, 01-02 12:00'],
    ['mon and tue 9am and 5pm', '11-23 09:00, 11-23 17:00, 11-24 09:00, 11-24 17:00'],
    ['9am and 5pm on mon and tue', '11-23 09:00, 11-23 17:00, 11-24 09:00, 11-24 17:00'],
    ['in 2 hours and 3 hours', '11-20 13:15, 11-20 14:15'],
    ['in 9 hours and 17:00', '11-20 17:00, 11-20 20:15'],
    ['in an hour and half an hour', '11-20 12:45'],
    ['Dec 1, 2026 at 9am, Dec 2, 2026 at 10am', '12-01 09:00, 12-02 10:00'],
    ['tomorrow 9am\nmon 10am\n\n1 dec at noon', '11-21 09:00, 11-23 10:00, 12-01 12:00'],
  ])('%s', (text, moments) => {
    expect(renderMomentsReading(text)).toBe(moments);
  });

  test('one time in several places is a list of times, sorted by time', () => {
    expect(renderMomentsReading('tomorrow 9am in Berlin, New York and Tokyo')).toBe(
      '11-21 09:00 Asia/Tokyo, 11-21 09:00, 11-21 09:00 America/New_York',
    );
  });

  test('a zone after the last time applies to all times', () => {
    expect(renderMomentsReading('mon 9am, wed 10am PT')).toBe(
      '11-23 09:00 America/Los_Angeles, 11-25 10:00 America/Los_Angeles',
    );
  });

  test('each time comes with the words that it was read from, and with its notes', () => {
    expect(readMoments('mon and wed 9am, thu')).toMatchObject({
      moments: [{ words: 'mon 9am' }, { words: 'wed 9am' }, { words: 'thu 9am' }],
    });
    expect(readMoments('mon, tue')).toMatchObject({
      moments: [
        { words: 'mon', notes: ['No time given: 09:00.'] },
        { words: 'tue', notes: ['No time given: 09:00.'] },
      ],
    });
  });

  test('a repeated time is used once, with a note', () => {
    expect(readMoments('tomorrow 9am ET and tomorrow 6am PT')).toMatchObject({
      kind: 'understood',
      moments: [{ words: 'tomorrow 9am ET' }],
      notes: ['You entered the same time twice, so I used it once.'],
    });
  });
});

describe('recurrences within a range are understood', () => {
  test.each([
    ['every weekday next week at 9am', '11-23 09:00, 11-24 09:00, 11-25 09:00, 11-26 09:00, 11-27 09:00'],
    ['monday to friday at 9am', '11-23 09:00, 11-24 09:00, 11-25 09:00, 11-26 09:00, 11-27 09:00'],
    ['mon-wed next week 10:30', '11-23 10:30, 11-24 10:30, 11-25 10:30'],
    ['every monday in december 10am', '12-07 10:00, 12-14 10:00, 12-21 10:00, 12-28 10:00'],
    ['weekdays until 24 november 9am', '11-23 09:00, 11-24 09:00'],
    ['every day from 1 to 2 december at 9am in Tokyo', '12-01 09:00 Asia/Tokyo, 12-02 09:00 Asia/Tokyo'],
  ])('%s', (text, moments) => {
    expect(renderMomentsReading(text)).toBe(moments);
  });

  test.each(['mon and thu mornings starting dec 1', 'every monday starting next week 9am'])(
    'a start is no range: %s',
    (text) => {
      expect(readMoments(text).kind).not.toBe('understood');
    },
  );

  test('if one half of the day has passed, the other is meant, and never no time at all', () => {
    expect(renderMomentsReading('thursday until today 7')).toBe('11-20 19:00');
    expect(readMoments('thursday until today 7')).toMatchObject({ notes: ['Already passed: 1.'] });
  });

  test('past times are omitted, with a note', () => {
    expect(readMoments('every day this week at 9am')).toMatchObject({
      moments: [{ moment: { instant: new Date('2026-11-21T08:00Z') } }, {}],
      notes: ['Already passed: 5.'],
    });
  });

  test('more than twenty times are refused', () => {
    expect(readMoments('every day in december 9am')).toMatchObject({
      kind: 'not-understood',
      reason: 'That’s 31 times. Use at most 20 at once.',
    });
  });
});

describe('one ambiguous part makes the whole list ambiguous', () => {
  test('a list is ambiguous if an hour could be in the morning or evening', () => {
    expect(renderMomentsReading('mon and tue at 7')).toBe(
      '11-23 07:00, 11-24 07:00 | 11-23 19:00, 11-24 19:00',
    );
    expect(renderMomentsReading('weekdays next week at 7')).toContain(' | 11-23 19:00');
  });

  test('a list is ambiguous if its time zone could be in America or Asia', () => {
    expect(renderMomentsReading('mon and tue 9am CST')).toBe(
      '11-23 09:00 America/Chicago, 11-24 09:00 America/Chicago | 11-23 09:00 Asia/Shanghai, 11-24 09:00 Asia/Shanghai',
    );
  });

  test('a list is ambiguous if only one of its parts is', () => {
    expect(renderMomentsReading('tomorrow 9am and monday at 7')).toBe(
      '11-21 09:00, 11-23 07:00 | 11-21 09:00, 11-23 19:00',
    );
  });
});

test.each([
  ['today 9am and tomorrow 9am', '11-21 09:00 [today 9am: past]'],
  ['27 march 2027 2am and 28 march 2027 2am', '03-27 02:00 [28 march 2027 2am: shifted]'],
  ['tomorrow 9am, blursday and mon 10am', '11-21 09:00, 11-23 10:00 [blursday: not-understood]'],
  ['tomorrow 9am\nnonsense here', '11-21 09:00 [nonsense here: not-understood]'],
])('each refused part of a list has a reason: %s', (text, expectedText) => {
  expect(renderMomentsReading(text)).toBe(expectedText);
});

test.each([
  ...['', 'hello and world', 'every monday 9am', 'monday to friday', 'this and that', 'weekdays 9am'],
  ...['16:00, 23 apr - 22:00, 27 april', 'between 3 and 12 december', 'tue, jan 12, 1pm - 2pm'],
  ...['monday or tuesday 9am', 'x'.repeat(201), 'tomorrow 9am\n'.repeat(21)],
])('other texts are refused with three examples: %s', (text) => {
  const reading = readMoments(text);
  expect(reading).toMatchObject({ kind: 'not-understood' });
  expect(reading.kind === 'not-understood' && reading.examples).toHaveLength(3);
});
