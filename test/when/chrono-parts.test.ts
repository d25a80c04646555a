import { expect, test } from 'vitest';
import { overlapRemoval, yearFirstDates } from '../../src/when/grammar/refiners.ts';

test('the parts of chrono that are taken by their position are those that are meant', () => {
  const namesOf = (parts: readonly object[]) => parts.map((part) => part.constructor.name);
  expect(namesOf(yearFirstDates)).toEqual(['ENYearMonthDayParser', 'ISOFormatParser']);
  expect(namesOf(overlapRemoval)).toEqual(['OverlapRemovalRefiner']);
});
