import { describe, expect, test } from 'vitest';
import { read, summarize, testReadings } from './read.ts';

testReadings('a time can have a time zone: %s', { kind: 'understood' }, [
  ['tue noon PT', '2026-11-24 12:00 America/Los_Angeles'],
  ['tue 14:30 London time', '2026-11-24 14:30 Europe/London'],
  ['tue 14:30 pacific time zone', '2026-11-24 14:30 America/Los_Angeles'],
  ['tue 14:30 (Lisbon)', '2026-11-24 14:30 Europe/Lisbon'],
  ['9am in New York on tuesday', '2026-11-24 09:00 America/New_York'],
  ['tue 9am America/Argentina/Buenos_Aires', '2026-11-24 09:00 America/Argentina/Buenos_Aires'],
  ['tue 9am europe/london', '2026-11-24 09:00 Europe/London'],
  ['tue 9am Pacific', '2026-11-24 09:00 America/Los_Angeles'],
  ['tue 9am Central European Time', '2026-11-24 09:00'],
  ['tue 9am JST', '2026-11-24 09:00 Asia/Tokyo'],
  ['tue 9am cet', '2026-11-24 09:00'],
  ['tue 9am UTC', '2026-11-24 09:00 Etc/UTC'],
  ['tue 9am UTC-3', '2026-11-24 09:00 Etc/GMT+3'],
  ['tue 9am GMT+05:30', '2026-11-24 09:00 Asia/Kolkata'],
  ['2026-11-24T09:00Z', '2026-11-24 09:00 Etc/UTC'],
  ['tue 9am San Francisco', '2026-11-24 09:00 America/Los_Angeles'],
  ['tue 9am Easter time', '2026-11-24 09:00 Pacific/Easter'],
  ['tue 9am et', '2026-11-24 09:00 America/New_York'],
  ['tue 8:15p et', '2026-11-24 20:15 America/New_York'],
  ['9:30 mt on tuesday', '2026-11-24 09:30 America/Denver'],
  ['tue 3pm ct', '2026-11-24 15:00 America/Chicago'],
  ['2027-03-01 10:00:00+08', '2027-03-01 10:00 Etc/GMT-8'],
  ['2027-03-01T10:00-03', '2027-03-01 10:00 Etc/GMT+3'],
  ['2027-03-01 10:00+05', '2027-03-01 10:00 Etc/GMT-5'],
  ['tue 9am texas time', '2026-11-24 09:00 America/Chicago'],
  ['tue 9am california time', '2026-11-24 09:00 America/Los_Angeles'],
  ['tue 9am nz time', '2026-11-24 09:00 Pacific/Auckland'],
  ['tue 9am greenwich mean time', '2026-11-24 09:00 Etc/UTC'],
  ['tue 9am coordinated universal time', '2026-11-24 09:00 Etc/UTC'],
  ['tue 9am zulu time', '2026-11-24 09:00 Etc/UTC'],
  ['tue 9am west africa standard time', '2026-11-24 09:00 Africa/Lagos'],
  ['tue 9am east africa standard time', '2026-11-24 09:00 Africa/Nairobi'],
  ['tue 9am indochina standard time', '2026-11-24 09:00 Asia/Bangkok'],
  ['tue 9am western indonesia standard time', '2026-11-24 09:00 Asia/Jakarta'],
  ['tue 9am turkey standard time', '2026-11-24 09:00 Europe/Istanbul'],
  ['6 july 2027 9am israel summer time', '2027-07-06 09:00 Asia/Jerusalem'],
  ['tue 9am korean time', '2026-11-24 09:00 Asia/Seoul'],
  ['tue 9am LA', '2026-11-24 09:00 America/Los_Angeles'],
  ['tue 9am NY', '2026-11-24 09:00 America/New_York'],
  ['tue 9am brasilia time', '2026-11-24 09:00 America/Sao_Paulo'],
]);

describe('zones with several meanings are ambiguous', () => {
  test('BST can be the time in Britain or in Bangladesh', () => {
    expect(summarize('10 july 9am BST')).toBe(
      'ambiguous: 2027-07-10 09:00 Europe/London | 2027-07-10 09:00 Asia/Dhaka',
    );
  });

  test('CST can be the time in Chicago or in China', () => {
    expect(summarize('tue 9am CST')).toBe(
      'ambiguous: 2026-11-24 09:00 America/Chicago | 2026-11-24 09:00 Asia/Shanghai',
    );
  });

  test('EST in July can be the time in New York or a fixed offset', () => {
    expect(summarize('10 july 9am EST')).toBe(
      'ambiguous: 2027-07-10 09:00 America/New_York | 2027-07-10 09:00 Etc/GMT+5',
    );
    expect(summarize('10 jan 9am EST')).toBe('understood: 2027-01-10 09:00 America/New_York');
  });
});

test('an abbreviation that is also a word is a zone only in capitals', () => {
  expect(summarize('tomorrow 9am eat')).toBe('not-understood: eat');
  expect(summarize('tomorrow 9am EAT')).toBe('understood: 2026-11-21 09:00 Africa/Nairobi');
});

test('a Japanese city in parentheses is a zone', () => {
  expect(summarize('火曜9時（ロンドン）', { locale: 'ja' })).toBe(
    'understood: 2026-11-24 09:00 Europe/London',
  );
  expect(summarize('火曜9時 ロンドン', { locale: 'ja' })).toBe('not-understood: ロンドン');
});

describe('“tomorrow” in a zone with another current date', () => {
  const now = new Date('2026-11-20T23:30:00Z');

  test('“tomorrow” is ambiguous, and the writer’s date is listed first', () => {
    expect(summarize('tomorrow 9am ET', { now })).toBe(
      'ambiguous: 2026-11-22 09:00 America/New_York | 2026-11-21 09:00 America/New_York',
    );
  });

  test('a full date isn’t ambiguous', () => {
    expect(summarize('22 nov 9am ET', { now })).toBe('understood: 2026-11-22 09:00 America/New_York');
  });
});

describe('one instant on several clocks', () => {
  testReadings('is understood if the clocks agree: %s', {}, [
    ['4pm ET / 1pm PT thursday', 'understood: 2026-11-26 16:00 America/New_York'],
    ['thursday 9am PT (12pm ET)', 'understood: 2026-11-26 09:00 America/Los_Angeles'],
    ['thu 9am PT | 12pm ET | 5pm GMT', 'understood: 2026-11-26 09:00 America/Los_Angeles'],
    ['3pm London / 4pm Paris thursday', 'understood: 2026-11-26 15:00 Europe/London'],
  ]);

  test('is asked about if they don’t', () => {
    expect(summarize('4pm ET / 2pm PT thursday')).toBe(
      'ambiguous: 2026-11-26 16:00 America/New_York | 2026-11-26 14:00 America/Los_Angeles',
    );
  });

  test('keeps the notes of the clock that is shown', () => {
    expect(read('9am CET / 3am ET')).toMatchObject({ notes: ['09:00 has passed, so tomorrow.'] });
    expect(read('9am CET / 4am ET')).toMatchObject({
      notes: [
        'These times aren’t the same.',
        '09:00 has passed, so tomorrow.',
        '04:00 has passed, so tomorrow.',
      ],
    });
  });

  test('is a range with the same zone twice', () => {
    expect(summarize('9am ET to 5pm ET thursday')).toMatch(/^not-understood/);
  });
});

describe('an abbreviation that the reader’s own zone uses means that zone', () => {
  test.each([
    ['9am BST tomorrow', 'Europe/London'],
    ['9am IST tomorrow', 'Asia/Kolkata'],
    ['9am CST tomorrow', 'America/Mexico_City'],
    ['9am EST 3 july', 'America/New_York'],
    ['9am CET tomorrow', 'Europe/Paris'],
  ])('%s in %s', (text, zone) => {
    const date = text.includes('july') ? '2027-07-03' : '2026-11-21';
    expect(summarize(text, { zone })).toBe(`understood: ${date} 09:00 ${zone}`);
  });

  test.each([
    ['9am IST tomorrow', 'Europe/London'],
    ['9am CST tomorrow', 'Europe/Paris'],
  ])('%s is asked about in %s', (text, zone) => {
    expect(summarize(text, { zone })).toMatch(/^ambiguous/);
  });
});

test.each([
  ['fr-FR', 'demain 10h (heure de Londres)', 'Europe/London'],
  ['de-DE', 'morgen 10:00 New Yorker Zeit', 'America/New_York'],
  ['es-ES', 'mañana 10:00 hora de Nueva York', 'America/New_York'],
  ['pt-BR', 'amanhã 10:00 horário de Lisboa', 'Europe/Lisbon'],
  ['it-IT', 'domani 10:00 ora di Roma', 'Europe/Rome'],
  ['nl-NL', 'morgen 10:00 Amsterdamse tijd', 'Europe/Amsterdam'],
  ['ja-JP', '明日10時 日本時間', 'Asia/Tokyo'],
])('a zone in the words of %s: %s', (locale, text, zone) => {
  expect(summarize(text, { locale, zone: 'America/Lima' })).toBe(`understood: 2026-11-21 10:00 ${zone}`);
});

test.each([
  ['fr', 'jeudi 9h (la semaine prochaine)', 'understood: 2026-11-26 09:00'],
  ['fr', 'jeudi 9h (la matinée)', 'understood: 2026-11-26 09:00'],
  ['it', 'lunedì alle 10 (la prossima settimana)', 'understood: 2026-11-23 10:00'],
  ['es', 'lunes a las 10 (la semana que viene)', 'understood: 2026-11-23 10:00'],
  ['pt', 'segunda às 10h (da semana que vem)', 'understood: 2026-11-23 10:00'],
  ['de', 'Montag 9 Uhr (Berlin Büro)', 'not-understood: Büro)'],
  ['es', 'lunes 9h (central)', 'not-understood: (central)'],
  ['es', 'lunes 9h (Chile)', 'understood: 2026-11-23 09:00 America/Santiago'],
  ['it', 'lunedì ore 9 porto', 'not-understood: porto'],
])('brackets and names have a zone only where it is written as one, in %s: %s', (locale, text, expected) => {
  expect(summarize(text, { locale })).toBe(expected);
});

test.each(['easter', 'christmas', 'Christmas', 'reunion', 'wake', 'center', 'lunch with Boston'])(
  'brackets with other words have no zone: %s',
  (words) => {
    const reading = read(`monday 9am (${words})`);
    expect(reading).not.toMatchObject({
      kind: 'understood',
      moment: { zone: expect.not.stringMatching('Berlin') },
    });
  },
);

testReadings('brackets with a zone alone have it: %s', { kind: 'understood' }, [
  ['tue 9am (PT)', '2026-11-24 09:00 America/Los_Angeles'],
  ['tue 9am (Tokyo time)', '2026-11-24 09:00 Asia/Tokyo'],
  ['tue (Tokyo 9am)', '2026-11-24 09:00 Asia/Tokyo'],
  ['Tue 24 Nov, 09:00 (Christmas)', '2026-11-24 09:00 Indian/Christmas'],
]);
