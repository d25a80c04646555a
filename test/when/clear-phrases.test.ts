import { expect, test } from 'vitest';
import { FRIDAY, read, summarize } from './read.ts';

// The current time in these tests: Friday 20 November 2026, 11:15 in Berlin.

test.each([
  ['halloween night 7', 'en-US', '2027-10-31 19:00'],
  ["let's go w/ 11am monday", 'en-US', '2026-11-23 11:00'],
  ['push to 4pm', 'en-US', '2026-11-20 16:00'],
  ['beg of april', 'en-US', '2027-04-01 09:00'],
  ['thursday after lunch', 'en-US', '2026-11-26 13:00'],
  ['memorial day weekend saturday 10am', 'en-US', '2027-05-29 10:00'],
  ['zum Quartalsende', 'de', '2026-12-31 09:00'],
  ['fin de trimestre 10h', 'fr', '2026-12-31 10:00'],
  ['morgen Vormittag irgendwann', 'de', '2026-11-21 09:00'],
  ['dmn 9h', 'fr', '2026-11-21 09:00'],
  ['morgenochtend vroeg', 'nl', '2026-11-21 06:00'],
  ['liberazione', 'it', '2027-04-25 09:00'],
  ['tutti i santi', 'it', '2027-11-01 09:00'],
  ['sta sera alle 8', 'it', '2026-11-20 20:00'],
  ['次の日', 'ja', '2026-11-21 09:00'],
  ['明日の零時', 'ja', '2026-11-21 00:00'],
  ['27/04/16', 'ja', '2027-04-16 09:00'],
  ['2 days b4 christmas', 'en-US', '2026-12-23 09:00'],
  ['bank holiday monday 10', 'en-GB', '2026-12-28 10:00'],
  ['in anderthalb Monaten', 'de', '2027-01-04 11:15'],
  ['over anderhalve dag', 'nl', '2026-11-21 23:15'],
  ['dans une dizaine de jours', 'fr', '2026-11-30 11:15'],
  ['第2月曜 10時', 'ja', '2026-12-14 10:00'],
])('%s (%s) is understood', (text, locale, wallTime) => {
  expect(summarize(text, { locale })).toBe(`understood: ${wallTime}`);
});

test.each([
  ['une quinzaine de jours', 'fr', '2026-12-04 11:15 | 2026-12-05 11:15'],
  ['carnaval 10h', 'pt', '2027-02-09 10:00 | 2027-02-07 10:00'],
  ['memorial day weekend', 'en-US', '2027-05-29 09:00 | 2027-05-30 09:00'],
  ['この金曜日', 'ja', '2026-11-20 12:00 | 2026-11-27 09:00'],
])('%s (%s) is asked', (text, locale, wallTimes) => {
  expect(summarize(text, { locale })).toBe(`ambiguous: ${wallTimes}`);
});

test.each([
  ['pride month kickoff june 1 noon', 'understood: 2027-06-01 12:00', 'pride month kickoff'],
  ['q3 kickoff, july 6 9am', 'understood: 2027-07-06 09:00', 'q3 kickoff,'],
  ['Black Friday teaser: thurs 9am', 'understood: 2026-11-26 09:00', 'Black Friday teaser:'],
  ['Christmas campaign kickoff tues 10am', 'understood: 2026-11-24 10:00', 'Christmas campaign kickoff'],
  ['monday motivation post: tues 8am', 'understood: 2026-11-24 08:00', 'monday motivation post:'],
  ['summer sale july 3 9am', 'understood: 2027-07-03 09:00', 'summer sale'],
  ['May newsletter: apr 30 9am', 'understood: 2027-04-30 09:00', 'May newsletter:'],
  ['48h flash sale, fri 9am', 'understood: 2026-11-27 09:00', '48h flash sale,'],
  ['Q2 launch: tues 4/6 9am ET', 'understood: 2027-04-06 09:00 America/New_York', 'Q2 launch:'],
])('a period in a name is no second time: %s', (text, reading, words) => {
  expect(summarize(text)).toBe(reading);
  expect(read(text)).toMatchObject({ notes: [`“${words}” was left unread.`] });
});

test('in the evening, “today 7:30” is ahead where clocks have twelve hours', () => {
  const now = new Date(+FRIDAY + 7 * 3_600_000);
  expect(read('today 7:30', { now })).toMatchObject({ notes: ['Read as 19:30, not 07:30.'] });
  expect(summarize('today 7:30', { now })).toBe('understood: 2026-11-20 19:30');
  expect(summarize('today 7:30', { now, locale: 'en-GB' })).toContain('past');
  expect(summarize('tomorrow 7:30', { now })).toBe('understood: 2026-11-21 07:30');
});
