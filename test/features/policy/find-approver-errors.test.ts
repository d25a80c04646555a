import { expect, test } from 'vitest';
import { countLeft } from '../../../src/features/policy/find-approver-errors.ts';

/** Whether people are left for a step who haven't approved an earlier one. */

const step = (needs: 'all' | 'any', people: string, standIns = '') => ({
  required: needs === 'all' ? [...people] : ('any' as const),
  permitted: [...people, ...standIns],
  ...{ includesEverybody: false, isUnsure: false },
});

test.each([
  [
    'somebody in two steps counts once',
    [step('all', 'AB'), step('all', 'ABEF')],
    step('any', 'ABCD'),
    2,
    false,
  ],
  [
    'somebody who has certainly approved isn’t also the one of an “any” step',
    [step('all', 'AB'), step('any', 'ABC')],
    step('any', 'ABDE'),
    2,
    false,
  ],
  ['one of several is gone', [step('any', 'AB')], step('any', 'ABC'), 2, false],
  ['a different one of each step', [step('any', 'AB'), step('any', 'ABC')], step('any', 'ABC'), 1, false],
  ['nobody else is there', [step('any', 'A')], step('any', 'A'), 0, true],
  ['the other one may approve the earlier step', [step('any', 'AB')], step('any', 'A'), 0, false],
  ['everybody has approved', [step('all', 'ABC')], step('all', 'AB'), 0, true],
  ['a stand-in approves instead of one person', [step('all', 'A', 'ST')], step('any', 'A', 'ST'), 2, false],
  ['the first step', [], step('any', 'AB'), 2, false],
])('%s', (_name, earlier, last, left, isDeadEnd) => {
  expect(countLeft(last, earlier)).toEqual({ left, isDeadEnd });
});
