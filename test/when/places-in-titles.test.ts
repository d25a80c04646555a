import { describe, expect, test } from 'vitest';
import { read, summarize, testReadings } from './read.ts';

// The current time in these tests: Friday 20 November 2026, 11:15 in Berlin.

describe('a place in a title is ambiguous, because it could be a time zone', () => {
  testReadings('%s', { kind: 'ambiguous' }, [
    ['kickoff of phoenix: monday 9am', '2026-11-23 09:00 | 2026-11-23 09:00 America/Phoenix'],
    ['launch in lisbon on tuesday at noon', '2026-11-24 12:00 | 2026-11-24 12:00 Europe/Lisbon'],
    ['monday 9am denver office tour', '2026-11-23 09:00 | 2026-11-23 09:00 America/Denver'],
    ['flight to denver tomorrow 6am', '2026-11-21 06:00 | 2026-11-21 06:00 America/Denver'],
    ['PT session monday 9am', '2026-11-23 09:00 | 2026-11-23 09:00 America/Los_Angeles'],
    ['call the sydney team on 7 december', '2026-12-07 09:00 | 2026-12-07 09:00 Australia/Sydney'],
  ]);

  test('the own time zone in a title isn’t ambiguous', () => {
    expect(summarize('kickoff of berlin: monday 9am')).toBe('understood: 2026-11-23 09:00');
  });

  test('a note names the ignored title', () => {
    expect(read('kickoff of phoenix: monday 9am')).toMatchObject({
      notes: [expect.stringContaining('kickoff of phoenix')],
    });
  });
});

testReadings('a place next to the time is a time zone: %s', { kind: 'understood' }, [
  ['phoenix time monday 9am', '2026-11-23 09:00 America/Phoenix'],
  ['mon 8h00 PST', '2026-11-23 08:00 America/Los_Angeles'],
]);
