import { describe, expect, test } from 'vitest';
import { chooseTexts, findNextDate, listDates } from '../../../src/held-posts/series/rule.ts';
import { explainRule } from '../../../src/held-posts/series/rule-text.ts';
import type { ZonedRecurrence } from '../../../src/preferences/posting-times.ts';
import { understandRecurrence } from '../../../src/when/recurrence.ts';
import { wallClockAt } from '../../../src/when/zones.ts';

/** The dates of a series: at changes of the clocks, at the ends of months, and with texts that take turns. */

function read(text: string, zone: string, now: Date): ZonedRecurrence {
  const reading = understandRecurrence({ text, zone, now, locale: 'en-GB', mustRepeat: true });
  if (reading.kind !== 'understood') throw new Error(`“${text}” is ${reading.kind}`);
  return { zone, ...reading.recurrence };
}
const showWall = (instant: Date, zone: string) =>
  new Date(wallClockAt(instant.getTime(), zone)).toISOString().slice(0, 16);

function list(text: string, zone: string, from: string, to: string) {
  const [after, until] = [new Date(from), new Date(to)];
  return listDates(read(text, zone, after), { after, until });
}

const ZONES = [
  { zone: 'Europe/Berlin', forward: '2027-03-28', back: '2027-10-31' },
  { zone: 'America/New_York', forward: '2027-03-14', back: '2027-11-07' },
  { zone: 'Australia/Sydney', forward: '2027-10-03', back: '2027-04-04' },
];

describe.each(ZONES)('in $zone', ({ zone, forward, back }) => {
  const around = (day: string, text: string) => {
    const middle = Date.parse(`${day}T12:00Z`);
    const [from, to] = [middle - 72 * 3_600_000, middle + 72 * 3_600_000].map((time) => new Date(time));
    return list(text, zone, `${from?.toISOString()}`, `${to?.toISOString()}`);
  };
  test('a series keeps its time on the clock across both changes', () => {
    for (const day of [forward, back]) {
      const dates = around(day, 'every day at 09:00');
      const walls = dates.map(({ instant }) => showWall(instant, zone).slice(11));
      expect([dates.length >= 5, new Set(walls)]).toEqual([true, new Set(['09:00'])]);
      const hours = dates.slice(1).map(({ instant }, index) => {
        return (instant.getTime() - (dates[index]?.instant.getTime() ?? 0)) / 3_600_000;
      });
      expect(hours.filter((each) => each !== 24)).toEqual([day === forward ? 23 : 25]);
    }
  });
  test('a skipped time is moved forward, and a repeated one goes out once', () => {
    const skipped = around(forward, 'every day at 02:30am').map(({ instant }) => showWall(instant, zone));
    expect(skipped.filter((wall) => wall.startsWith(forward))).toEqual([`${forward}T03:30`]);
    const repeated = around(back, 'every day at 01:30am').map(({ instant }) => showWall(instant, zone));
    expect(repeated.filter((wall) => wall.startsWith(back))).toHaveLength(1);
    const late = around(back, 'every day at 02:30am').map(({ instant }) => showWall(instant, zone));
    expect(late.filter((wall) => wall.startsWith(back))).toHaveLength(1);
  });
  test('two times that the change makes one are one post', () => {
    const dates = around(forward, 'every day at 02:30am and 03:30am').map(({ instant }) =>
      showWall(instant, zone),
    );
    expect(dates.filter((wall) => wall.startsWith(forward))).toEqual([`${forward}T03:30`]);
  });
});

describe('the end of a month', () => {
  test('the 31st is left out in shorter months', () => {
    const dates = list(
      'every month on the 31st at 09:00',
      'Europe/Berlin',
      '2027-01-01T00:00Z',
      '2027-12-31T23:00Z',
    );
    const days = dates.map(({ instant }) => showWall(instant, 'Europe/Berlin').slice(5, 10));
    expect(days).toEqual(['01-31', '03-31', '05-31', '07-31', '08-31', '10-31', '12-31']);
  });
  test('the last day is the last day of every month', () => {
    const dates = list(
      'the last day of every month at 17:00',
      'Asia/Tokyo',
      '2027-12-31T12:00Z',
      '2028-04-01T00:00Z',
    );
    const days = dates.map(({ instant }) => showWall(instant, 'Asia/Tokyo').slice(0, 10));
    expect(days).toEqual(['2028-01-31', '2028-02-29', '2028-03-31']);
  });
  test('the next date is found behind a long exception and a missing month', () => {
    const now = new Date('2027-01-31T10:00Z');
    const monthly = read('every month on the 31st at 09:00', 'Europe/Berlin', now);
    expect(findNextDate(monthly, now)?.instant.toISOString()).toBe('2027-03-31T07:00:00.000Z');
    const daily = {
      ...read('every day at 09:00', 'Europe/Berlin', now),
      except: [{ from: '2027-01-30', to: '2027-03-01' }],
    };
    expect(findNextDate(daily, now)?.instant.toISOString()).toBe('2027-03-02T08:00:00.000Z');
  });
});

describe('before it is saved, a rule is explained', () => {
  const now = new Date('2026-11-26T10:00Z');
  test.each([
    [
      'weekdays at 09:00',
      'Europe/Berlin',
      'It keeps its time on the clock when the clocks change, next on Sun 28 Mar 2027.',
    ],
    [
      'every day at 02:30am',
      'Europe/Berlin',
      'The clocks skip 02:30 that day: Sun 28 Mar 2027, 03:30 (Berlin) instead. The clocks show 02:30 twice that day: it goes out the first time, Sun 31 Oct 2027, 02:30 (Berlin, UTC+02:00).',
    ],
    [
      'every month on the 31st at 09:00',
      'Asia/Tokyo',
      'Months without a 31st are skipped. For the end of every month, type “last day of every month”.',
    ],
    ['every day at 09:00', 'Asia/Tokyo', ''],
    // Its clocks go forward at midnight.
    [
      'every day at 00:00',
      'Africa/Cairo',
      'The clocks skip 00:00 that day: Fri 30 Apr 2027, 01:00 (Cairo) instead.',
    ],
    // Its clocks go forward in the last hour of a Saturday.
    [
      'every day at 23:30',
      'America/Nuuk',
      'The clocks skip 23:30 that day: Sun 28 Mar 2027, 00:30 (Nuuk) instead. The clocks show 23:30 twice that day: it goes out the first time, Sat 30 Oct 2027, 23:30 (Nuuk, UTC-01:00).',
    ],
    [
      'weekends at 09:00',
      'Asia/Beirut',
      'It keeps its time on the clock when the clocks change, next on Sun 28 Mar 2027.',
    ],
  ])('%s in %s', (text, zone, explanation) => {
    expect(explainRule(read(text, zone, now), { now, locale: 'en-GB' }).join(' ')).toBe(explanation);
  });
});

test('a change of the clocks that has passed isn’t explained', () => {
  const explain = (now: string) =>
    explainRule(read('every day at 23:30', 'America/Nuuk', new Date(now)), {
      ...{ now: new Date(now), locale: 'en-GB' },
    }).join(' ');
  expect(explain('2027-03-28T01:29Z')).toMatch(/^The clocks skip 23:30 that day: Sun 28 Mar, /);
  expect(explain('2027-03-28T01:31Z')).toMatch(/^The clocks show 23:30 twice/);
});

test('a rule is explained with the reader’s clock and the whole day', () => {
  const now = new Date('2026-11-26T10:00Z');
  const explain = (text: string, locale: string) =>
    explainRule(read(text, 'Europe/Berlin', now), { now, locale }).join(' ');
  expect(explain('every day at 02:30am', 'en-US')).toContain(
    'The clocks skip 2:30 AM that day: Sun 28 Mar 2027, 3:30 AM (Berlin) instead.',
  );
  expect(explain('weekdays at 09:00', 'de-DE')).toContain('next on So., 28. März 2027.');
});

describe('texts take turns', () => {
  const dates = list('every day at 09:00', 'Europe/Berlin', '2027-03-25T00:00Z', '2027-04-05T00:00Z');
  const choose = (texts: string[], gapDays: number, uses: { text: string; key: number }[] = []) =>
    chooseTexts(dates, { texts, gapDays, uses })
      .map(({ index }) => index ?? '-')
      .join('');
  test('in their order', () => expect(choose(['a', 'b', 'c'], 0)).toBe('01201201201'));
  test('a change of the clocks doesn’t shorten a gap', () =>
    expect(choose(['a', 'b', 'c'], 3)).toBe('01201201201'));
  test('a date for which each text was used too short a time before has none', () =>
    expect(choose(['a', 'b'], 4)).toBe('01--01--01-'));
  test('the one that wasn’t used for the longest time is next', () =>
    expect(choose(['a', 'b', 'c'], 0, [{ text: 'a', key: 1 }])).toBe('12012012012'));
});
