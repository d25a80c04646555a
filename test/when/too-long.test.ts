import { describe, expect, test } from 'vitest';
import { readWhen } from '../../src/features/schedule-post/when/read-when.ts';
import { parseZoneRequest } from '../../src/features/zone/zone.ts';
import { MAX_STEPS, stepsOf, withStepBudget } from '../../src/when/limits.ts';
import type { Question } from '../../src/when/moment.ts';
import { findLeadingMoments } from '../../src/when/readings/moments/find-leading-moments.ts';
import {
  type MomentsReading,
  understandMoments,
} from '../../src/when/readings/moments/understand-moments.ts';
import { findRange } from '../../src/when/readings/ranges/find-range.ts';
import { understandRange } from '../../src/when/readings/ranges/understand-range.ts';
import { repeatedTimes } from '../../src/when/readings/recurrences/repeated-times.ts';
import { understandRecurrence } from '../../src/when/readings/recurrences/understand-recurrence.ts';
import { understandMoment } from '../../src/when/understand-moment.ts';
import { searchZones } from '../../src/when/zones.ts';
import { measureCpuMs } from '../support/cpu-ms.ts';
import { MAX_MS } from './any-text.ts';
import { FRIDAY } from './read.ts';

const createQuestion = (text: string, locale = 'en-US'): Question => ({
  text,
  now: FRIDAY,
  zone: 'Europe/Berlin',
  locale,
});

const READERS = {
  moment: understandMoment,
  moments: understandMoments,
  range: understandRange,
  'range in a text': findRange,
  recurrence: understandRecurrence,
  times: ({ text, locale = '' }: Question) => repeatedTimes(text, locale),
} as const;

const TOO_LONG = {
  '3,000 characters': 'monday '.repeat(429),
  '200 characters that are expanded to 18 characters each': '\uFDFA'.repeat(200),
  '100 words': 'a '.repeat(99),
  '3,000 characters without a space': '9'.repeat(3000),
} as const;

describe.each(Object.entries(READERS))('a long text is refused without being read as %s', (_, read) => {
  test.each(Object.entries(TOO_LONG))('%s', (__, text) => {
    let reading: unknown;
    expect(stepsOf(() => (reading = read(createQuestion(text))))).toBe(0);
    expect(reading).toMatchObject({
      kind: 'not-understood',
      unparsedText: '',
      reason: expect.stringContaining('Too long'),
    });
  });
});

test('too many lines and overlong lines are refused without being read', () => {
  for (const text of ['mon 9am\n'.repeat(21), `mon 9am\n${'x'.repeat(201)}`, '\n'.repeat(5000)]) {
    let reading: unknown;
    expect(stepsOf(() => (reading = understandMoments(createQuestion(text))))).toBe(0);
    expect(reading).toMatchObject({ reason: expect.stringContaining('Too long') });
  }
});

test.each([
  [`mon 9am\n\n${'x'.repeat(205)}`, 'Too long in line 3: 5 over the limit of 200 characters.'],
  [`mon 9am\r\n${'a '.repeat(70)}`, 'Too long in line 2: use at most 60 words.'],
  ['x'.repeat(205), 'Too long: 5 over the limit of 200 characters.'],
])('the refusal names the overlong line: %j', (text, reason) => {
  expect(understandMoments(createQuestion(text))).toMatchObject({ reason });
});

test('a text longer than any zone name isn’t searched for zones', () => {
  const longText = 'UTC+2 '.repeat(500);
  expect(searchZones(longText, FRIDAY)).toEqual([]);
  expect(stepsOf(() => parseZoneRequest(`here ${longText}`, FRIDAY))).toBe(0);
  expect(parseZoneRequest(`here ${longText}`, FRIDAY).zone).toEqual({ kind: 'too-long' });
});

/** Slow texts that `npm run bench -- slow-texts` found. They have many combinations of ranges, pairs and zones. */
const SLOW_TEXTS = [
  '17:30 q1 to monday jaunary hanukkah noon in Berlin Berlin noon the 15th monday of easter 5 weekend 9 03/04 16.12 8 15th a - weekend 15th / a quarter weekend 15th / dec & P.S.T. 3/4 5 past 5',
  'CST next easter 9am day from 2 to next 12.11. from 2 1. to next 12.11. 15th in and hanukkah - tomorow 03/04 days firday - 2 to next week IST to week IST - 5 to friday',
] as const;
const slowLines = Array.from({ length: 20 }, (_, line) =>
  `${line} ${SLOW_TEXTS[line % 2]}`.slice(0, 200),
).join('\n');

describe.each(['en-US', 'de', 'fr', 'es', 'it', 'pt', 'nl', 'ja'])(
  'in %s, the steps for slow texts are limited',
  (locale) => {
    test('slow texts stay within the limit, and twenty slow lines are refused', () => {
      for (const text of [...SLOW_TEXTS, slowLines]) {
        expect(stepsOf(() => understandMoments(createQuestion(text, locale)))).toBeLessThan(2 * MAX_STEPS);
        expect(stepsOf(() => findRange(createQuestion(text, locale)))).toBeLessThan(2 * MAX_STEPS);
      }
      expect(understandMoments(createQuestion(slowLines, locale))).toMatchObject({
        kind: 'not-understood',
        reason: 'Too long to read. Use fewer words.',
      });
    });
  },
);

describe.each([
  ['every day until 2099', 26_704],
  ['every weekday until 31/12/9999 at 9', 2_080_085],
  ['daily until 31 december 2099 in Tokyo', 26_704],
] as const)('the days of centuries are counted without iterating over them: %s', (text, count) => {
  test.each(['Europe/Berlin', 'Pacific/Apia'])('in %s', (zone) => {
    let reading: MomentsReading | undefined;
    const steps = stepsOf(() => {
      reading = understandMoments({ ...createQuestion(text, 'en-GB'), zone });
    });
    expect(steps).toBeLessThan(MAX_STEPS / 2);
    expect(reading).toMatchObject({ reason: `That’s ${count} times. Use at most 20 at once.` });
  });
});

test('all texts of a request share one limit of steps', () => {
  const lines = slowLines.split('\n');
  const readings = withStepBudget(() => lines.map((text) => understandMoments(createQuestion(text))));
  expect(readings.at(-1)).toMatchObject({ reason: 'Too long to read. Use fewer words.' });
  expect(understandMoments(createQuestion('tomorrow 9am'))).toMatchObject({ kind: 'understood' });
});

test('a request reads the same text only once', () => {
  const state = {
    values: {
      when: 'mon, wed and fri 9am, 12:00 and 6pm in Berlin',
      zone: { zone: 'Europe/Lisbon' },
      project: undefined,
      platforms: [],
    },
    formContext: { projects: [], hasMore: false, zones: { byProject: {} } },
    now: FRIDAY,
  };
  const stepsForOneRead = stepsOf(() => readWhen(state));
  expect(stepsForOneRead).toBeGreaterThan(0);
  expect(stepsOf(() => Array.from({ length: 6 }, () => readWhen(state)))).toBe(stepsForOneRead);
});

test.each([
  [
    'en-GB',
    'Monday 7 December at 9am, Tuesday 8 December at 10am, Wednesday 9 December at 11am, Thursday 10 December at noon, Friday 11 December at 2pm and Saturday 12 December at 9am in Berlin',
    6,
  ],
  [
    'de',
    'Montag 7. Dezember um 9 Uhr, Dienstag 8. Dezember um 10 Uhr, Mittwoch 9. Dezember um 11 Uhr, Donnerstag 10. Dezember um 12 Uhr, Freitag 11. Dezember um 14 Uhr',
    5,
  ],
  [
    'fr',
    'lundi 7 décembre à 9h, mardi 8 décembre à 10h, mercredi 9 décembre à 11h, jeudi 10 décembre à 12h, vendredi 11 décembre à 14h et samedi 12 décembre à 9h',
    6,
  ],
  [
    'es',
    'lunes 7 de diciembre a las 9:00, martes 8 de diciembre a las 10:00, miércoles 9 de diciembre a las 11:00, jueves 10 de diciembre a las 12:00',
    4,
  ],
  [
    'pt',
    'segunda-feira 7 de dezembro às 9h, terça-feira 8 de dezembro às 10h, quarta-feira 9 de dezembro às 11h, quinta-feira 10 de dezembro às 12h',
    4,
  ],
  ['nl', 'maandag 7 december om 9 uur, dinsdag 8 december om 10 uur, woensdag 9 december om 11 uur', 3],
  ['ja', '12月7日午前9時、12月8日午前10時、12月9日午前11時、12月10日正午、12月11日午後2時', 5],
  ['de', Array.from({ length: 20 }, (_, day) => `${day + 1}. Dezember um 9:30 Uhr`).join('\n'), 20],
  ['fr', Array.from({ length: 20 }, (_, day) => `${day + 1} décembre à 14h30`).join('\n'), 20],
] as const)('lists of the maximum length of a field are read: in %s: %s', (locale, text, count) => {
  const reading = understandMoments(createQuestion(text, locale));
  expect(reading).toMatchObject({ kind: 'understood' });
  expect(reading.kind === 'understood' && reading.moments).toHaveLength(count);
});

test('the moments before a long text are found, in the steps of one reading', () => {
  const find = (text: string) => findLeadingMoments({ text, now: FRIDAY, zone: 'Europe/Berlin' });
  expect(find(`tomorrow 9am ${'We are live! '.repeat(200)}`)?.words).toBe('tomorrow 9am');
  const capitals = 'WEDNESDAY AFTERNOON DECEMBER SIXTEENTH AT 3PM WE ARE LIVE';
  const repeated = ['2 hours ', '明日の午前9時', 'tomorrow'].map((words) => words.repeat(250));
  for (const text of [capitals, ...repeated]) {
    // The first time compiles the patterns.
    find(text);
    expect(measureCpuMs(() => find(text))).toBeLessThan(2 * MAX_MS);
  }
});
