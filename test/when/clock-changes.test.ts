import { describe, expect, test } from 'vitest';
import { brief, read } from './read.ts';

const BERLIN_BEFORE_SPRING = new Date('2027-03-27T11:00:00Z');
const BERLIN_BEFORE_AUTUMN = new Date('2027-10-30T10:00:00Z');

describe('a time that the clock skips', () => {
  test('moves on by as much as is skipped, and that is said', () => {
    const at = { now: BERLIN_BEFORE_SPRING };
    expect(brief('tomorrow 2:30am', at)).toBe('shifted: 2027-03-28 03:30');
    expect(read('tomorrow 2:30am', at)).toMatchObject({
      notes: ['That time is skipped by the clock change, so moved forward.'],
    });
  });

  test('moves by half an hour on Lord Howe Island', () => {
    const at = { now: new Date('2027-09-29T23:30:00Z'), zone: 'Australia/Lord_Howe' };
    expect(brief('October 3 at 2:15am', at)).toBe('shifted: 2027-10-03 02:45 Australia/Lord_Howe');
  });

  test('is an ordinary time a day later', () => {
    expect(brief('29 march 2027 2:30am', { now: BERLIN_BEFORE_SPRING })).toBe('understood: 2027-03-29 02:30');
  });
});

describe('a time that the clock shows twice', () => {
  test('is asked about while both are to come, the earlier first', () => {
    const reading = read('tomorrow 2:30am', { now: BERLIN_BEFORE_AUTUMN });
    expect(reading).toMatchObject({
      kind: 'ambiguous',
      candidates: [
        { instant: new Date('2027-10-31T00:30:00Z') },
        { instant: new Date('2027-10-31T01:30:00Z') },
      ],
    });
  });

  test('is the later one when the earlier is over', () => {
    const reading = read('today 2:30am', { now: new Date('2027-10-31T00:45:00Z') });
    expect(reading).toMatchObject({
      kind: 'understood',
      moment: { instant: new Date('2027-10-31T01:30:00Z') },
    });
  });

  test('is settled by its offset', () => {
    const reading = read('31 Oct 2027, 02:30 (Berlin, UTC+01:00)', { now: BERLIN_BEFORE_AUTUMN });
    expect(reading).toMatchObject({
      kind: 'understood',
      moment: { instant: new Date('2027-10-31T01:30:00Z') },
    });
  });
});

describe('across a change of the clock', () => {
  test('days keep the time on the wall', () => {
    expect(brief('in 3 days', { now: BERLIN_BEFORE_SPRING })).toBe('understood: 2027-03-30 12:00');
  });

  test('hours are hours that pass', () => {
    expect(brief('in 24 hours', { now: BERLIN_BEFORE_SPRING })).toBe('understood: 2027-03-28 13:00');
    expect(brief('in 24 hours', { now: BERLIN_BEFORE_AUTUMN })).toBe('understood: 2027-10-31 11:00');
  });
});
