import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  occurrencesOf,
  type Recurrence,
  renderRecurrence,
} from '../../../src/when/readings/recurrences/recurrence.ts';
import {
  explainRecurrence,
  isRepeating,
  understandRecurrence,
} from '../../../src/when/readings/recurrences/understand-recurrence.ts';
import { ALL_ZONES } from '../../../src/when/zones/zone-index.ts';
import { FRIDAY, listPhrases } from '../read.ts';
import { renderRecurrenceReading } from './render-readings.ts';

const QUESTION = { now: FRIDAY, zone: 'Europe/Berlin' };

describe('working days of a month are understood', () => {
  test.each([
    ['en-US', 'first business day of every month', 'the first working day of every month at 09:00'],
    ['en-US', 'last weekday of the month 4pm', 'the last working day of every month at 16:00'],
    ['en-US', 'every last working day of the month', 'the last working day of every month at 09:00'],
    [
      'en-US',
      'first and third business days of each month',
      'the first working day and third working day of every month at 09:00',
    ],
    ['de', 'jeden ersten Werktag im Monat 9 Uhr', 'the first working day of every month at 09:00'],
    ['fr', 'le premier jour ouvré de chaque mois', 'the first working day of every month at 09:00'],
    ['es', 'el último día hábil de cada mes', 'the last working day of every month at 09:00'],
    ['it', "l'ultimo giorno lavorativo del mese", 'the last working day of every month at 09:00'],
    ['pt', 'primeiro dia útil de cada mês', 'the first working day of every month at 09:00'],
    ['nl', 'de eerste werkdag van elke maand', 'the first working day of every month at 09:00'],
    ['ja', '毎月最終営業日 9時', 'the last working day of every month at 09:00'],
    ['ja', '毎月第1営業日 9時', 'the first working day of every month at 09:00'],
    ['fr', 'tous les premiers lundis du mois', 'the first Monday of every month at 09:00'],
    ['es', 'los últimos viernes del mes', 'the last Friday of every month at 09:00'],
    ['pt', 'as últimas sextas do mês', 'the last Friday of every month at 09:00'],
    [
      'en-US',
      '2nd and 4th thursday each month',
      'the second Thursday and fourth Thursday of every month at 09:00',
    ],
  ])('in %s: %s', (locale, text, expected) => {
    expect(renderRecurrenceReading(text, { locale })).toBe(expected);
  });

  test('they are from Monday to Friday, and not New Year’s Day', () => {
    const days = (nth: number) =>
      occurrencesOf(
        {
          on: { unit: 'month', monthDays: [{ workday: nth }] },
          interval: 1,
          times: [{ hour: 9, minute: 0 }],
          zone: 'Etc/UTC',
        },
        { after: FRIDAY, until: new Date('2027-03-10T00:00:00Z') },
      ).map(({ date }) => date);
    expect(days(1)).toEqual(['2026-12-01', '2027-01-04', '2027-02-01', '2027-03-01']);
    expect(days(2)).toEqual(['2026-12-02', '2027-01-05', '2027-02-02', '2027-03-02']);
    expect(days(-1)).toEqual(['2026-11-30', '2026-12-31', '2027-01-29', '2027-02-26']);
  });
});

describe('weekdays at one time are understood', () => {
  test.each([
    ['every day 9am in Europe/Berlin', 'every day at 09:00 (Berlin)'],
    ['mondays and thursdays at noon PT', 'Mon and Thu at 12:00 (Los Angeles)'],
    ['from tuesday to thursday at 16:00', 'Tue, Wed and Thu at 16:00'],
    ['fri-mon 9am', 'Mon, Fri, Sat and Sun at 09:00'],
    ['each tues/thurs 9am', 'Tue and Thu at 09:00'],
    ['every morning at 8', 'every day at 08:00'],
    ['every evening at 6', 'every day at 18:00'],
    ['weekly on fridays 4pm', 'every Friday at 16:00'],
    ['7 days a week at 7am', 'every day at 07:00'],
    ['weekdays at 9am UTC+5:45', 'weekdays at 09:00 (Kathmandu)'],
    ['evry mondya 9am', 'every Monday at 09:00'],
    ['every day M-F 9am', 'weekdays at 09:00'],
    ['daily from monday to friday at 9:00', 'weekdays at 09:00'],
    ['working days from monday to thursday 9am', 'Mon, Tue, Wed and Thu at 09:00'],
    ['weekdays and sat-sun 9am', 'every day at 09:00'],
    ['mondays only', 'every Monday at 09:00'],
    ['only on mondays 8:30', 'every Monday at 08:30'],
  ])('%s', (text, expectedText) => {
    expect(renderRecurrenceReading(text)).toBe(expectedText);
  });

  test('an hour that could be morning or evening is ambiguous, with the likelier time first', () => {
    expect(renderRecurrenceReading('daily at 7')).toBe('every day at 07:00 | every day at 19:00');
    expect(renderRecurrenceReading('mondays at 6')).toBe('every Monday at 18:00 | every Monday at 06:00');
  });

  test('an abbreviation for several zones is ambiguous', () => {
    expect(renderRecurrenceReading('daily 9am IST')).toBe(
      'every day at 09:00 (Kolkata) | every day at 09:00 (Dublin) | every day at 09:00 (Jerusalem)',
    );
  });

  test('a refusal names the words as they were written, although one of them contains a day', () => {
    expect(understandRecurrence({ ...QUESTION, text: 'salmon dish mon 9am' })).toMatchObject({
      kind: 'not-understood',
      unparsedText: 'salmon dish',
    });
  });

  test('a recurrence without a time is at 09:00, with a note', () => {
    expect(understandRecurrence({ ...QUESTION, text: 'every monday' })).toMatchObject({
      recurrence: { on: { unit: 'week', weekdays: [1] }, times: [{ hour: 9, minute: 0 }] },
      notes: ['No time given: 09:00.'],
    });
  });

  test.each([
    ['every 2 weeks 9am', 'No day given: the same as today.'],
    ['every 2 weeks from dec 7 9am', 'No day given: the same as the first.'],
  ])('%s: a recurrence without a day has a note that says which it takes', (text, note) => {
    expect(understandRecurrence({ ...QUESTION, text })).toMatchObject({ notes: [note] });
  });

  test('a recurrence needs no time zone', () => {
    expect(understandRecurrence({ ...QUESTION, text: 'weekdays 8:30' })).toEqual({
      kind: 'understood',
      recurrence: {
        on: { unit: 'week', weekdays: [1, 2, 3, 4, 5] },
        interval: 1,
        times: [{ hour: 8, minute: 30 }],
      },
      notes: [],
    });
  });

  test('a winter offset means the local time of its place all year, with a note', () => {
    const reading = understandRecurrence({ ...QUESTION, text: 'weekdays 9:00 PST' });
    expect(reading).toMatchObject({ notes: ['The clock of Los Angeles, in summer and in winter.'] });
  });

  test('an hour after midnight is said to be on the day itself', () => {
    const reading = understandRecurrence({ ...QUESTION, text: 'every friday night at 1' });
    expect(renderRecurrenceReading('every friday night at 1')).toBe('every Friday at 01:00');
    expect(reading).toMatchObject({ notes: ['01:00 on the day itself, not the next.'] });
  });
});

describe('intervals, days of the month and several times are understood', () => {
  test.each([
    ['M-F 9am', 'weekdays at 09:00'],
    ['every monday 9am, skip dec 28', 'every Monday at 09:00 except 28 Dec 2026'],
    ['biweekly on friday 9am', 'every other Friday at 09:00, from 27 Nov 2026'],
    ['from december 1 mon and thu in the morning', 'Mon and Thu at 09:00, from 1 Dec 2026'],
    ['until march on the 1st of every month at 9am', 'the 1st of every month at 09:00, until 31 Mar 2027'],
    ['every 2 weeks from dec 7 9am', 'every other Monday at 09:00, from 7 Dec 2026'],
    ['every monday from tomorrow 9 am', 'every Monday at 09:00, from 21 Nov 2026'],
    ['weekdays until christmas 9 am', 'weekdays at 09:00, until 25 Dec 2026'],
    ['every 2 weeks on tue and thu 10am', 'every other week on Tue and Thu at 10:00, from 24 Nov 2026'],
    ['weekly 9am', 'every Friday at 09:00'],
    ['monthly on the 15th 10am', 'the 15th of every month at 10:00'],
    [
      'the first and third friday of every month 5pm',
      'the first Friday and third Friday of every month at 17:00',
    ],
    [
      '2nd and 4th thursday of the month 9am',
      'the second Thursday and fourth Thursday of every month at 09:00',
    ],
    ['every 1st and 3rd tuesday 9am', 'the first Tuesday and third Tuesday of every month at 09:00'],
    ['every second week on friday 9am', 'every other Friday at 09:00, from 27 Nov 2026'],
    ['every monday quarter past 9', 'every Monday at 09:15'],
    ['every month end 5pm', 'the last day of every month at 17:00'],
    ['every month at the end of the day', 'the 20th of every month at 17:00'],
    ['every quarter end 5pm', 'the last day of every 3 months at 17:00, from 31 Dec 2026'],
    ['every 2 months on the 1st 9am', 'the 1st of every other month at 09:00, from 1 Dec 2026'],
    ['every year on 1 december 9am', 'every year on 1 Dec at 09:00'],
    ['every 8 hours', 'every 8 hours'],
    ['first monday of each quarter 9am', 'the first Monday of every 3 months at 09:00, from 4 Jan 2027'],
    ['last friday of each quarter', 'the last Friday of every 3 months at 09:00, from 25 Dec 2026'],
    ['first monday of each quarter from may', 'the first Monday of every 3 months at 09:00, from 5 Jul 2027'],
    ['every wk on thurs', 'every Thursday at 09:00'],
    ['evrey monday 9am', 'every Monday at 09:00'],
    ['every december 25 at noon', 'every year on 25 Dec at 12:00'],
    ['weekdays 9am, noon and 5pm', 'weekdays at 09:00, 12:00 and 17:00'],
    ['mon-fri 9 and 5', 'weekdays at 09:00 and 17:00'],
    ['M/W/F 9am', 'Mon, Wed and Fri at 09:00'],
    ['every mon+wed 9am', 'Mon and Wed at 09:00'],
    ['tu/th 9am', 'Tue and Thu at 09:00'],
    ['MWF 9am', 'Mon, Wed and Fri at 09:00'],
  ])('%s', (text, expectedText) => {
    expect(renderRecurrenceReading(text)).toBe(expectedText);
  });

  test('the nth weekday without a month is ambiguous', () => {
    expect(renderRecurrenceReading('every second tuesday 9am')).toBe(
      'every other Tuesday at 09:00, from 24 Nov 2026 | the second Tuesday of every month at 09:00',
    );
  });
});

test.each([
  ['every weekday at 9am except 25 december', 'weekdays at 09:00 except 25 Dec 2026'],
  ['weekdays 9am PT until christmas', 'weekdays at 09:00, until 25 Dec 2026 (Los Angeles)'],
  ['weekdays 9am for 3 weeks', 'weekdays at 09:00, from 23 Nov 2026, until 13 Dec 2026'],
  ['every day from dec 1 to dec 24 at 9am', 'every day at 09:00, from 1 Dec 2026, until 24 Dec 2026'],
  ['every monday 9am from 7 dec, tokyo', 'every Monday at 09:00, from 7 Dec 2026 (Tokyo)'],
  ['weekdays 9am in tokyo except 24 dec in tokyo', 'weekdays at 09:00 except 24 Dec 2026 (Tokyo)'],
  ['weekdays at 9:00 until 31 mar 2027 in Lisbon', 'weekdays at 09:00, until 31 Mar 2027 (Lisbon)'],
])('limits are understood: %s', (text, expectedText) => {
  expect(renderRecurrenceReading(text)).toBe(expectedText);
});

test('an exception without a year is the next one', () => {
  const now = new Date('2027-01-04T10:00Z');
  expect(renderRecurrenceReading('weekdays at 9am except 24-26 dec', { now })).toBe(
    'weekdays at 09:00 except 24 Dec 2027 to 26 Dec 2027',
  );
});

test.each([
  ...listPhrases(`
  every hour | every 5 hours | quarterly | twice a week | yearly | every 0 days | every 9999 days
  mondays 9am and thursdays 10am | first and last friday of each quarter | weekdays and blah 9am
  on the 1st 9am | every day until yesterday | tomorrow 9am | 9am | every | every 9am | hello
  weekdays 25:00 | mondays for the whole team | daily sunday 4pm | every 8 days on tuesday 9am
  every 22 days on monday 9am | every weekday except weekdays | every monday except only in december
  weekdays 9am in tokyo except 24 dec in lisbon | weekdays 9:00 UTC+9:45
  every month at the end 5pm | every month start 5pm | every week at the end 5pm | monthly at 5pm at the very end
`),
  '',
  'x'.repeat(201),
])('other texts are refused with three examples: %s', (text) => {
  const reading = understandRecurrence({ ...QUESTION, text });
  expect(reading).toMatchObject({ kind: 'not-understood' });
  expect(reading.kind === 'not-understood' && reading.examples).toHaveLength(3);
});

test('reading a formatted recurrence returns the same recurrence in every zone', () => {
  const days = fc.subarray([1, 2, 3, 4, 5, 6, 7], { minLength: 1 });
  const minutes = fc.integer({ min: 0, max: 1439 });
  fc.assert(
    fc.property(days, minutes, fc.constantFrom(undefined, ...ALL_ZONES), (weekdays, minute, zone) => {
      const time = { hour: Math.floor(minute / 60), minute: minute % 60 };
      const weekly: Recurrence = { on: { unit: 'week', weekdays }, interval: 1, times: [time] };
      const recurrence = zone === undefined ? weekly : { ...weekly, zone };
      const text = renderRecurrence(recurrence);
      expect({ text, reading: understandRecurrence({ ...QUESTION, text }) }).toMatchObject({
        reading: { kind: 'understood', recurrence },
      });
    }),
    { numRuns: 600 },
  );
});

test('reading a formatted recurrence returns the same intervals, days and limits', () => {
  const interval = fc.integer({ min: 2, max: 30 });
  const day = fc.oneof(fc.constant(-1), fc.integer({ min: 1, max: 31 }));
  const weekday = fc.integer({ min: 1, max: 7 });
  const nth = fc.constantFrom(1, 2, 3, 4, -1);
  const monthDay = fc.oneof(fc.record({ day }), fc.record({ weekday, nth }));
  const unique = { minLength: 1, maxLength: 3, selector: (value: unknown) => JSON.stringify(value) };
  const month = fc.integer({ min: 1, max: 12 });
  const on = fc.oneof(
    fc.constant({ unit: 'day' as const }),
    fc.record({
      unit: fc.constant('week' as const),
      weekdays: fc.subarray([1, 2, 3, 4, 5, 6, 7], { minLength: 1 }),
    }),
    fc.record({ unit: fc.constant('month' as const), monthDays: fc.uniqueArray(monthDay, unique) }),
    fc.record({ unit: fc.constant('year' as const), month, day: fc.integer({ min: 1, max: 28 }) }),
  );
  const minutes = fc.uniqueArray(fc.integer({ min: 0, max: 1439 }), { minLength: 1, maxLength: 4 });
  const [from, to] = ['2026-12-24', '2027-01-02'];
  const limits = fc.constantFrom(
    ...[{}, { until: '2099-03-31' }, { count: 1 }, { count: 1_000 }],
    ...[{ except: [{ from, to: from }] }, { until: '2099-03-31', except: [{ from, to }] }],
  );
  const zones = fc.constantFrom({}, { zone: 'Europe/Lisbon' }, { zone: 'America/Los_Angeles' });
  const limitsInZones = fc.tuple(limits, zones).map(([limit, zone]) => ({ ...limit, ...zone }));
  fc.assert(
    fc.property(on, interval, minutes, limitsInZones, (days, size, minutesOfDay, limit) => {
      const times = minutesOfDay
        .toSorted((a, b) => a - b)
        .map((minute) => ({ hour: Math.floor(minute / 60), minute: minute % 60 }));
      const recurrence = { on: days, interval: size, times, start: '2026-12-01', ...limit };
      const text = renderRecurrence(recurrence);
      expect({ text, reading: understandRecurrence({ ...QUESTION, text }) }).toMatchObject({
        reading: { kind: 'understood', recurrence },
      });
    }),
    { numRuns: 300 },
  );
});

describe('where one post is scheduled, a recurrence needs a word that repeats', () => {
  const repeats = (text: string, locale: string): boolean =>
    isRepeating({ text, now: FRIDAY, zone: 'Europe/Berlin', locale });

  test.each([
    ['weekdays 8:30', 'en-US'],
    ['every 3 hours', 'en-US'],
    ['jeden Montag 9 Uhr', 'en-US'],
    ['tous les lundis à 9h', 'fr'],
    ['un lundi sur deux à 9h', 'fr'],
    ['en semaine à 9h', 'fr'],
    ['un viernes sí y otro no a las 9', 'es'],
    ['un lunes sí, pero otro no a las 9', 'es'],
    ['un lunes sí y uno más no', 'es'],
    ['dias úteis às 9h', 'pt'],
    ['毎週月曜日 9時', 'ja'],
  ])('%s (%s) repeats', (text, locale) => {
    expect(repeats(text, locale)).toBe(true);
  });

  test.each([
    ['a weekday at 9am', 'en-US'],
    ['an einem Werktag um 9 Uhr', 'de-DE'],
    ['un jour ouvrable à 9h', 'fr-FR'],
    ['un día de semana a las 9', 'es-ES'],
    ['un giorno feriale alle 9', 'it-IT'],
    ['um dia de semana às 9', 'pt-BR'],
    ['een werkdag om 9 uur', 'nl-NL'],
    ['le lundi en semaine à 9h', 'fr'],
    ['el lunes sí, pero no a las 9', 'es'],
    ['el lunes sí y el martes no', 'es'],
    ['venerdì alle 9 di sera', 'it'],
    ['月曜日 9時', 'ja'],
  ])('%s (%s) doesn’t', (text, locale) => {
    expect(repeats(text, locale)).toBe(false);
    expect(explainRecurrence({ ...QUESTION, text, locale })).toBe(undefined);
  });

  test('a contrast of yes and no isn’t an interval', () => {
    const reading = understandRecurrence({ ...QUESTION, text: 'el lunes sí, pero no a las 9', locale: 'es' });
    expect(reading.kind).toBe('not-understood');
  });
});
