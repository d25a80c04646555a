import { describe, expect, test } from 'vitest';
import { listPhrases, read, summarize, testReadings } from './read.ts';

// The current time in these tests: Friday 20 November 2026, 11:15 in Berlin.

testReadings('%s', { kind: 'understood' }, [
  ['half-past seven tomorrow evening', '2026-11-21 19:30'],
  ['quarter-to-nine on tuesday morning', '2026-11-24 08:45'],
  ['twenty-three fifteen', '2026-11-20 23:15'],
  ['seventeen twenty tomorrow', '2026-11-21 17:20'],
  ['twenty-two oh five', '2026-11-20 22:05'],
  ['twenty til nine tonight', '2026-11-20 20:40'],
  ['quarter till six this evening', '2026-11-20 17:45'],
  ['tuesday 6 05pm', '2026-11-24 18:05'],
  ['1630h', '2026-11-20 16:30'],
  ['T17:25', '2026-11-20 17:25'],
  ['tuesday 12noon', '2026-11-24 12:00'],
  ['noontime tomorrow', '2026-11-21 12:00'],
  ['at 201000 tomorrow', '2026-11-21 20:10'],
]);

testReadings('an hour alone is ambiguous: %s', { kind: 'ambiguous' }, [
  ['seven', '2026-11-21 07:00 | 2026-11-20 19:00'],
  ['ten sharp', '2026-11-21 10:00 | 2026-11-20 22:00'],
  ['7-ish tomorrow', '2026-11-21 07:00 | 2026-11-21 19:00'],
]);

test.each(['9 to 5', 'five to nine'])('a time that could also be a range is refused: %s', (text) => {
  expect(read(text).kind).toBe('not-understood');
});

test.each([
  ['en-US', 'quarter past 12 pm tomorrow', 'understood: 2026-11-21 12:15'],
  ['es', 'mañana a la 1 menos cuarto p.m.', 'understood: 2026-11-21 12:45'],
  ['it', 'domani alle 12 meno un quarto pm', 'ambiguous: 2026-11-21 11:45 | 2026-11-21 23:45'],
  ['en-US', 'tomorrow 0:30 pm', 'not-understood: 0:30'],
  ['es', 'mañana a las 0:30 pm', 'not-understood: a las 0:30 pm'],
])('am and pm beside minutes: %s: %s', (locale, text, answer) => {
  expect(summarize(text, { locale })).toBe(answer);
});

testReadings('abbreviations are understood: %s', { kind: 'understood' }, [
  ['nxt tues at 8:05am', '2026-11-24 08:05'],
  ['this wk sat 10:05am', '2026-11-21 10:05'],
  ['tomoz arvo', '2026-11-21 15:00'],
  ['tues morn 8:05', '2026-11-24 08:05'],
  ['thurs nite at 8:40', '2026-11-26 20:40'],
  ['tues-day 9am', '2026-11-24 09:00'],
  ['eob tuesday', '2026-11-24 17:00'],
  ['close of play on thursday', '2026-11-26 17:00'],
  ['start of business on thursday', '2026-11-26 09:00'],
  ['noon-ish on thursday', '2026-11-26 12:00'],
]);

testReadings('meals and parts of the day are understood: %s', { kind: 'understood' }, [
  ['at breakfast tomorrow', '2026-11-21 08:00'],
  ['tuesday dinner time', '2026-11-24 18:00'],
  ['tea time on tuesday', '2026-11-24 17:00'],
  ['teatime tomorrow', '2026-11-21 17:00'],
  ['right after lunch on tuesday', '2026-11-24 13:00'],
  ['mid-morning on tuesday', '2026-11-24 10:00'],
  ['the following evening', '2026-11-21 18:00'],
]);

testReadings('“this time” and “the same time” are understood: %s', { kind: 'understood' }, [
  ['24 november, same time', '2026-11-24 11:15'],
  ['the day after tomorrow at the same time', '2026-11-22 11:15'],
  ['the same time next year', '2027-11-20 11:15'],
]);

testReadings('durations from now are understood: %s', { kind: 'understood' }, [
  ["three days' time", '2026-11-23 11:15'],
  ["in a fortnight's time", '2026-12-04 11:15'],
  ['in exactly 50 minutes', '2026-11-20 12:05'],
  ['in 2½ hours', '2026-11-20 13:45'],
  ['in three quarters of an hour or so', '2026-11-20 12:00'],
  ['in 1 hour & 30 minutes', '2026-11-20 12:45'],
  ['in two dozen minutes', '2026-11-20 11:39'],
  ['in two hundred minutes', '2026-11-20 14:35'],
  ['in a hundred hours', '2026-11-24 15:15'],
  ['month from now', '2026-12-20 11:15'],
  ['in 4 biz days', '2026-11-26 11:15'],
  ['two working days from now, 8:05', '2026-11-24 08:05'],
  ["one business day's time", '2026-11-23 11:15'],
]);

testReadings('%s', { kind: 'understood' }, [
  ["let's go with tuesday 9:05", '2026-11-24 09:05'],
  ["we'll launch it next tuesday at 8:05", '2026-11-24 08:05'],
  ['8:05pm or so', '2026-11-20 20:05'],
  ['can you post this tomorrow at 10:05, please?', '2026-11-21 10:05'],
]);

test.each(['any day but tuesday 9:05', 'before tuesday 9:05'])(
  'words that reverse the meaning aren’t ignored: %s',
  (text) => {
    expect(read(text).kind).toBe('not-understood');
  },
);

describe('words for now mean the current minute', () => {
  test.each(
    listPhrases(`
    right away | this instant | at once! | in 10 seconds | post it now please | asap today
  `),
  )('%s', (text) => {
    expect(summarize(text)).toBe('now: 2026-11-20 11:15');
  });

  test.each(['now in Tokyo', 'right now in Tokyo', 'asap (Tokyo)'])('in a zone: %s', (text) => {
    expect(summarize(text)).toBe('now: 2026-11-20 19:15 Asia/Tokyo');
  });

  test.each(['now or never', 'asap tomorrow 9am'])('refused: %s', (text) => {
    expect(read(text).kind).toBe('not-understood');
  });
});

test.each([
  ['4', '2026-11-20 16:00'],
  ['tomorrow at 6', '2026-11-21 18:00 | 2026-11-21 06:00'],
])('an hour in office hours isn’t ambiguous: %s', (text, wallTimes) => {
  expect(summarize(text)).toBe(`${wallTimes.includes('|') ? 'ambiguous' : 'understood'}: ${wallTimes}`);
});
