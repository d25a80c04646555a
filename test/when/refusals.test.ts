import { describe, expect, test } from 'vitest';
import { listPhrases, read, summarize, testReadings } from './read.ts';

test.each([
  ['yesterday 5pm', 'yesterday', 'passed'],
  ['2 hours ago', 'ago', 'passed'],
  ['last friday', 'last friday', 'passed'],
  ['every monday 9am', 'every', 'repeats'],
  ['mondays at 9', 'mondays', 'repeats'],
  ['daily at 8:30', 'daily', 'repeats'],
  ['from monday to friday', 'from monday to friday', 'range'],
  ['9-5 tomorrow', '9-5', 'range'],
  ['tomorrow 9am - 11am', '9am - 11am', 'range'],
  ['between 3 and 4pm', 'between', 'range'],
  ['tomorrow until noon', 'until', 'range'],
  ['for 2 hours', 'for 2 hours', 'range'],
  ['monday or tuesday 9am', 'or', 'choice'],
  ['mon and tue 9am', 'mon and tue 9am', 'more than one'],
  ['mon, wed 9am', 'mon, wed 9am', 'more than one'],
  ['in 2 hours 9am', 'in 2 hours 9am', 'more than one'],
  ['in 20 minutes tonight', 'in 20 minutes tonight', 'more than one'],
  ['in 1 day and 2 hours at 9am', 'in 1 day and 2 hours at 9am', 'more than one'],
  ['in 0:45', 'in 0:45', 'duration'],
  ['in 1:30 hours', 'in 1:30', 'duration'],
  ['during next week', 'during next week', 'longer period'],
  ['throughout june', 'throughout june', 'longer period'],
  ['final december', 'december', 'longer period'],
  ['fine dec', 'dec', 'longer period'],
  ['31 feb 9am', '31 feb 9am', '31 Feb doesn’t exist.'],
  ['29 feb 2027', '29 feb 2027', '29 Feb 2027 doesn’t exist.'],
  ['in 200 years', '', 'too far'],
  ['', '', 'I found no date or time'],
])('a phrase that isn’t a single future time is refused with a reason: %s', (text, unparsedText, reason) => {
  expect(read(text)).toMatchObject({
    kind: 'not-understood',
    unparsedText,
    reason: expect.stringContaining(reason),
  });
});

test.each([
  ['31 feb 9am', '2027-02-28T08:00:00.000Z'],
  ['31 nov 9am in Tokyo', '2026-11-30T00:00:00.000Z'],
  ['29 feb 2027', '2027-02-28T08:00:00.000Z'],
])('for the date “%s”, which doesn’t exist, the last day of its month is suggested', (text, instant) => {
  expect(read(text)).toMatchObject({ suggestion: { instant: new Date(instant) } });
});

testReadings('a phrase with an unknown word is refused: %s', { kind: 'not-understood' }, [
  ['tomorrow 9am eat lunch', 'eat lunch'],
  ['next blursday 9am', 'next blursday'],
  ['14th april 15', '15'],
  ['dec 28 29 9:05', 'dec 28 29'],
  ['call ben at 9am', 'call ben at'],
  ['wedding monday', 'wedding'],
  ['in a couple of and a quarter hours', 'in a couple of and a quarter hours'],
  ['5 of weeks', '5 of weeks'],
  ['friday 2 of a week', 'of a week'],
  ['at 9 and a quarter of an hour later', 'at 9 and a quarter of an hour later'],
]);

describe('impossible dates and times are refused', () => {
  test.each(
    listPhrases(`
    2026-12-01T25:00 | 2026-12-01T24:30 | 2026-12-01T09:60 | 2026-12-01T09:00:61 | 2027-02-30 9am
    in 99999999999999999999 days | in 99999999999999999999999 hours | in 0.00000001 hours
  `),
  )('%s', (text) => {
    expect(read(text).kind).toBe('not-understood');
  });

  test('2026-12-01T23:59:59 is understood', () => {
    expect(summarize('2026-12-01T23:59:59')).toBe('understood: 2026-12-01 23:59');
  });
});

test('the same phrase without the unknown word is understood', () => {
  expect(summarize('tomorrow 9am')).toBe('understood: 2026-11-21 09:00');
});

test('a refusal offers three phrases that work', () => {
  const reading = read('blursday');
  if (reading.kind !== 'not-understood') throw new Error(`expected a refusal, got ${reading.kind}`);
  expect(reading.examples).toHaveLength(3);
  for (const example of reading.examples) expect(['understood', 'ambiguous']).toContain(read(example).kind);
});

test('a text of 201 characters is refused, and a text of 200 characters is read', () => {
  expect(read(`tomorrow 9am${' '.repeat(188)}`).kind).toBe('understood');
  expect(read(`tomorrow 9am${' '.repeat(189)}`)).toMatchObject({
    kind: 'not-understood',
    reason: expect.stringContaining('200 characters'),
  });
});
