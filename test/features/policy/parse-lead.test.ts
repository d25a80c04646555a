import { expect, test } from 'vitest';
import { parseLead } from '../../../src/features/policy/policy-fields.ts';

test.each([
  ['1 hour', 60],
  ['an hour', 60],
  ['half an hour', 30],
  ['90 min', 90],
  ['90 minutes before', 90],
  ['2 days', 2 * 24 * 60],
  ['1h30', 90],
  ['1h 30m', 90],
  ['1 hour and 30 minutes', 90],
  ['1 day, 2 hours', 26 * 60],
  ['1.5 hours', 90],
  ['1,5 h', 90],
  ['  TWO  Hrs. ', 120],
  ['one week', 7 * 24 * 60],
  ['15 min', 15],
  ['7 days', 7 * 24 * 60],
  ['2 hours ahead', 120],
  ['0h30', 30],
  ['0 hours 30 minutes', 30],
  ['2 Stunden', 120],
  ['eine Stunde vorher', 60],
  ['-1 hour', 60],
  ['1 hour or so', 60],
])('“%s” is a lead of %i minutes', (text, minutes) =>
  expect(parseLead(text)).toEqual({ kind: 'lead', minutes }),
);

test.each([
  ['0', 'At least 15 minutes, so that there’s time to fix a post.'],
  ['0 hours', 'At least 15 minutes, so that there’s time to fix a post.'],
  ['14 min', 'At least 15 minutes, so that there’s time to fix a post.'],
  ['0.01 hours', 'At least 15 minutes, so that there’s time to fix a post.'],
  ['8 days', 'At most 7 days.'],
  ['7 days 1 minute', 'At most 7 days.'],
  ['1 fortnight', 'At most 7 days.'],
  ['50 weeks', 'At most 7 days.'],
  ['3 months', 'At most 7 days.'],
])('“%s” is out of range, and the answer says which limit counts', (text, fault) =>
  expect(parseLead(text)).toEqual({ kind: 'fault', fault }),
);

test.each([
  ...[
    '',
    '   ',
    'soon',
    'tomorrow',
    '60',
    '9:30',
    '1h30x',
    '999999 weeks',
    '1 hour later',
    'in 1 hour',
    'after 1 hour',
    '+1 hour',
    'eine Stunde später',
  ],
  ...['1 hour 1 foo', 'before', '1 e3 hours', '<!channel>', 'x'.repeat(10_000)],
])('“%s” isn’t a duration, and the answer gives examples', (text) =>
  expect(parseLead(text)).toEqual({
    kind: 'fault',
    fault: 'Write how long before, such as “1 hour”, “90 min” or “2 days”.',
  }),
);
