import { describe, expect, test } from 'vitest';
import { brief, read } from './read.ts';

// All of these are read on Friday 20 November 2026 at 11:15 in Berlin.

describe('a title beside a whole moment is left unread, and that is said', () => {
  test.each([
    ['kickoff of skylark: monday 9:05am', '2026-11-23 09:05', 'of skylark:'],
    ['wedding monday 9am', '2026-11-23 09:00', 'wedding'],
    ['call ben tomorrow at 9am', '2026-11-21 09:00', 'call ben'],
    ['lunch with bob tomorrow at noon', '2026-11-21 12:00', 'lunch with bob'],
    ['tomorrow at 9am with sophie', '2026-11-21 09:00', 'with sophie'],
    ['tuesday 3pm at the blue cafe', '2026-11-24 15:00', 'at the blue cafe'],
    ['tomorrow at 9am to sharpen pencils', '2026-11-21 09:00', 'to sharpen pencils'],
  ])('%s', (text, wall, words) => {
    expect(brief(text)).toBe(`understood: ${wall}`);
    expect(read(text)).toMatchObject({ notes: [expect.stringContaining(words)] });
  });
});

describe('nothing is left unread that could tell when', () => {
  test.each([
    ['it turns the meaning round', 'skip monday 9am'],
    ['it turns the meaning round', 'anything but monday 9am'],
    ['it turns the meaning round', 'cancel monday 9am'],
    ['it turns the meaning round', 'nothing on monday 9am'],
    ['it moves the moment', 'shortly before monday 9am'],
    ['it moves the moment', 'tomorrow 9am minus an hour'],
    ['it moves the moment', 'once monday 9am passes'],
    ['it is over', 'met ben monday 9am'],
    ['it is over', 'visited rome monday 9am'],
    ['it could be a time zone', 'tomorrow 9am XYZ'],
    ['it could be a time zone', 'tomorrow 9am springfield'],
    ['it could be a time zone', 'tomorrow 9am in springfield'],
    ['it could be a day', 'payday monday 9am'],
    ['it could be a day', 'blursday monday 9am'],
    ['it could be a day', 'half term monday 9am'],
    ['it could be a time', 'sunset yoga tomorrow 7pm'],
    ['it could be a time', 'minute details at 9am monday'],
    ['it is another language', 'abends tomorrow 8:00'],
    ['it has figures', 'q4 plans with 3 people monday 9am'],
    ['the time is not said', 'lunch with bob tomorrow'],
    ['the day is not said', 'call ben at 9am'],
  ])('%s: %s', (_why, text) => {
    expect(read(text).kind).toBe('not-understood');
  });
});

describe('a number that belongs to something is no time', () => {
  test.each(['room 204', 'room 204 tomorrow at 9am', 'version 3 on monday', 'gate 17 on monday', '24/7'])(
    '%s',
    (text) => {
      expect(read(text).kind).toBe('not-understood');
    },
  );

  test.each([
    ['train 3pm tomorrow', '2026-11-21 15:00'],
    ['bus at 9:40 pm', '2026-11-20 21:40'],
    ['page 9 december', '2026-12-09 09:00'],
  ])('and a time beside it stays one: %s', (text, wall) => {
    expect(brief(text)).toBe(`understood: ${wall}`);
  });
});

test('"I sat" is no Saturday', () => {
  expect(read('i sat down at 9am').kind).toBe('not-understood');
  expect(brief('sat 9am')).toBe('understood: 2026-11-21 09:00');
});

test.each([
  ['1h30', '2026-11-21 01:30 | 2026-11-20 12:45'],
  ['2h15', '2026-11-21 02:15 | 2026-11-20 13:30'],
  ['tomorrow 9am, friday', '2026-11-21 09:00 | 2026-11-27 09:00'],
  ['next spring', '2027-03-20 09:00 | 2027-03-01 09:00'],
  ['this winter', '2026-12-21 09:00 | 2026-12-01 09:00'],
])('that means two things, and is asked about: %s', (text, walls) => {
  expect(brief(text)).toBe(`ambiguous: ${walls}`);
});

test.each([
  ['1800000000', '2027-01-15 09:00'],
  ['1800000000000', '2027-01-15 09:00'],
  ['@1800000060.000100', '2027-01-15 09:01'],
])('Unix time is an exact moment: %s', (text, wall) => {
  expect(brief(text)).toBe(`understood: ${wall}`);
});

test('other figures in a row are none', () => {
  for (const text of ['5551234567', '18000000000', '0170 1234567']) {
    expect(read(text).kind).toBe('not-understood');
  }
});

test.each([
  ['five to midnight', '2026-11-20 23:55'],
  ['5 till noon tomorrow', '2026-11-21 11:55'],
  ['top of the hour', '2026-11-20 12:00'],
  ['on the half hour', '2026-11-20 11:30'],
  ['within the next 2 hours', '2026-11-20 13:15'],
  ['in like 10 minutes', '2026-11-20 11:25'],
  ['a half-hour from now', '2026-11-20 11:45'],
  ['in 2 and 1/2 hours', '2026-11-20 13:45'],
  ['4 days in the future', '2026-11-24 11:15'],
  ['next week at the same time', '2026-11-27 11:15'],
  ['a month from now at the same time', '2026-12-20 11:15'],
  ['next to last day of december', '2026-12-30 09:00'],
  ['28 11 2026', '2026-11-28 09:00'],
  ['2026, december 28', '2026-12-28 09:00'],
  ['in december on the 3rd', '2026-12-03 09:00'],
  ['7 in the evening tonight', '2026-11-20 19:00'],
  ['dinner at 7:45 tonight', '2026-11-20 19:45'],
  ['not before monday 8:05', '2026-11-23 08:05'],
  ['monday, 8:05 at the very latest', '2026-11-23 08:05'],
  ['*monday 7:45pm*', '2026-11-23 19:45'],
  ['“monday 7:45pm”', '2026-11-23 19:45'],
  ['_next monday_', '2026-11-23 09:00'],
  ['move the meeting to monday 8:40', '2026-11-23 08:40'],
  ['pick up the kids from school at 3:15 pm tomorrow', '2026-11-21 15:15'],
])('%s', (text, wall) => {
  expect(brief(text)).toBe(`understood: ${wall}`);
});

test.each([
  'five to eight tonight',
  'ten to eleven tomorrow morning',
  '10 to midnight',
  'in the next 3 days',
])('what is as well a range stays refused: %s', (text) => {
  expect(read(text).kind).toBe('not-understood');
});
