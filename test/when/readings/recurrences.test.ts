import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { renderRecurrence } from '../../../src/when/readings/recurrences/recurrence.ts';
import { understandRecurrence } from '../../../src/when/readings/recurrences/understand-recurrence.ts';
import { ALL_ZONES } from '../../../src/when/zones/zone-index.ts';
import { renderRecurrenceReading } from './render-readings.ts';

describe('weekdays at one time are understood', () => {
  test.each([
    ['weekdays 8:30', 'weekdays at 08:30'],
    ['every weekday at 9:00, Berlin', 'weekdays at 09:00 (Berlin)'],
    ['every monday 9am', 'every Monday at 09:00'],
    ['mon wed fri 10:00', 'Mon, Wed and Fri at 10:00'],
    ['every day 9am in Europe/Berlin', 'every day at 09:00 (Berlin)'],
    ['mondays and thursdays at noon PT', 'Mon and Thu at 12:00 (Los Angeles)'],
    ['weekends 10am', 'weekends at 10:00'],
    ['mon-fri 9am', 'weekdays at 09:00'],
    ['from tuesday to thursday at 16:00', 'Tue, Wed and Thu at 16:00'],
    ['fri-mon 9am', 'Mon, Fri, Sat and Sun at 09:00'],
    ['9am every monday', 'every Monday at 09:00'],
    ['each tues/thurs 9am', 'Tue and Thu at 09:00'],
    ['every day except sunday 10am', 'Mon, Tue, Wed, Thu, Fri and Sat at 10:00'],
    ['weekdays but not friday 17:00', 'Mon, Tue, Wed and Thu at 17:00'],
    ['every morning at 8', 'every day at 08:00'],
    ['weekday mornings at 8', 'weekdays at 08:00'],
    ['every evening at 6', 'every day at 18:00'],
    ['every week on monday at 10:00', 'every Monday at 10:00'],
    ['weekly on fridays 4pm', 'every Friday at 16:00'],
    ['7 days a week at 7am', 'every day at 07:00'],
    ['sat & sun 11:00', 'weekends at 11:00'],
    ['weekdays at 9am UTC+5:45', 'weekdays at 09:00 (Kathmandu)'],
    ['evry mondya 9am', 'every Monday at 09:00'],
  ])('%s', (text, expectedText) => {
    expect(renderRecurrenceReading(text)).toBe(expectedText);
  });

  test('an hour that could be morning or evening is ambiguous, with the likelier time first', () => {
    expect(renderRecurrenceReading('daily at 8')).toBe('every day at 08:00 | every day at 20:00');
    expect(renderRecurrenceReading('mondays at 5')).toBe('every Monday at 17:00 | every Monday at 05:00');
  });

  test('an abbreviation for several zones is ambiguous', () => {
    expect(renderRecurrenceReading('daily 9am IST')).toBe(
      'every day at 09:00 (Kolkata) | every day at 09:00 (Dublin) | every day at 09:00 (Jerusalem)',
    );
  });

  test('a recurrence without a time is at 09:00, with a note', () => {
    expect(understandRecurrence({ text: 'every monday' })).toMatchObject({
      recurrence: { days: [1], time: { hour: 9, minute: 0 } },
      notes: ['No time given: 09:00.'],
    });
  });

  test('a recurrence needs no time zone', () => {
    expect(understandRecurrence({ text: 'weekdays 8:30' })).toEqual({
      kind: 'understood',
      recurrence: { days: [1, 2, 3, 4, 5], time: { hour: 8, minute: 30 } },
      notes: [],
    });
  });

  test('a winter offset means the local time of its place all year, with a note', () => {
    const reading = understandRecurrence({ text: 'weekdays 9:00 PST' });
    expect(reading).toMatchObject({ notes: ['The clock of Los Angeles, in summer and in winter.'] });
  });
});

describe('other texts are refused with three examples', () => {
  test.each([
    ...['every other monday', 'monthly', 'every 2 weeks', 'every 2nd tuesday', 'biweekly on friday 9am'],
    ...['the first monday of the month 9am', 'every hour', 'yearly', 'weekly', 'twice a week'],
    ...['weekdays 9am and 5pm', 'mondays 9am and thursdays 10am', 'every monday from december 9am'],
    ...[
      'tomorrow 9am',
      '9am',
      'every',
      'every 9am',
      '',
      'hello',
      'weekdays 25:00',
      'mondays for the whole team',
      'daily sunday 4pm',
    ],
    ...['every weekday except weekdays', 'weekdays 9:00 UTC+9:45', 'x'.repeat(201)],
  ])('%s', (text) => {
    const reading = understandRecurrence({ text });
    expect(reading).toMatchObject({ kind: 'not-understood' });
    expect(reading.kind === 'not-understood' && reading.examples).toHaveLength(3);
  });
});

test('reading a formatted recurrence returns the same recurrence in every zone', () => {
  const days = fc.subarray([1, 2, 3, 4, 5, 6, 7], { minLength: 1 });
  const minutes = fc.integer({ min: 0, max: 1439 });
  fc.assert(
    fc.property(days, minutes, fc.constantFrom(undefined, ...ALL_ZONES), (weekdays, minute, zone) => {
      const time = { hour: Math.floor(minute / 60), minute: minute % 60 };
      const recurrence = zone === undefined ? { days: weekdays, time } : { days: weekdays, time, zone };
      const text = renderRecurrence(recurrence);
      expect({ text, reading: understandRecurrence({ text }) }).toMatchObject({
        reading: { kind: 'understood', recurrence },
      });
    }),
    { numRuns: 600 },
  );
});
