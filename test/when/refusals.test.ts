import { describe, expect, test } from 'vitest';
import { brief, read } from './read.ts';

describe('what is no single moment to come is refused by its words', () => {
  test.each([
    ['yesterday 5pm', 'yesterday', 'over'],
    ['2 hours ago', 'ago', 'over'],
    ['last friday', 'last friday', 'over'],
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
    ['next week', 'next week', 'stretch'],
    ['in june', 'in june', 'stretch'],
    ['31 feb 9am', '31 feb 9am', 'no such day'],
    ['in 200 years', '', 'too far'],
    ['', '', 'No date or time'],
  ])('%s', (text, words, reason) => {
    expect(read(text)).toMatchObject({
      kind: 'not-understood',
      words,
      reason: expect.stringContaining(reason),
    });
  });
});

describe('a word that nobody read is never dropped', () => {
  test.each([
    ['tomorrow 9am eat lunch', 'eat'],
    ['next blursday 9am', 'next blursday'],
    ['14th april 15', '15'],
    ['call ben tomorrow at 9am', 'call ben'],
    ['easter monday 9am', 'easter'],
  ])('%s', (text, words) => {
    expect(brief(text)).toBe(`not-understood: ${words}`);
  });
});

test('the same words without a stranger among them are understood', () => {
  expect(brief('tomorrow 9am')).toBe('understood: 2026-11-21 09:00');
});

test('a refusal gives three phrases, and each of them works', () => {
  const reading = read('blursday');
  if (reading.kind !== 'not-understood') throw new Error(`expected a refusal, got ${reading.kind}`);
  expect(reading.examples).toHaveLength(3);
  for (const example of reading.examples) expect(['understood', 'ambiguous']).toContain(read(example).kind);
});

test('201 characters are refused unread, 200 are read', () => {
  expect(read(`tomorrow 9am${' '.repeat(188)}`).kind).toBe('understood');
  expect(read(`tomorrow 9am${' '.repeat(189)}`)).toMatchObject({
    kind: 'not-understood',
    reason: expect.stringContaining('200 characters'),
  });
});
