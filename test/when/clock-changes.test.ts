import { describe, expect, test } from 'vitest';
import { notesOf } from '../../src/when/moment.ts';
import { read, summarize } from './read.ts';

const BERLIN_BEFORE_SPRING = new Date('2027-03-27T11:00:00Z');
const BERLIN_BEFORE_AUTUMN = new Date('2027-10-30T10:00:00Z');

describe('a time that a clock change skips', () => {
  test('a skipped time is moved forward by the skipped hour, with a note where it is taken without asking', () => {
    const reading = read('tomorrow 2:30am', { now: BERLIN_BEFORE_SPRING });
    expect(summarize('tomorrow 2:30am', { now: BERLIN_BEFORE_SPRING })).toBe('shifted: 2027-03-28 03:30');
    expect(reading).toMatchObject({ notes: [] });
    expect(reading.kind === 'shifted' && notesOf(reading)).toEqual([
      'That time is skipped by the clock change, so moved forward.',
    ]);
  });

  test('on Lord Howe Island, a skipped time is moved forward by half an hour', () => {
    const context = { now: new Date('2027-09-29T23:30:00Z'), zone: 'Australia/Lord_Howe' };
    expect(summarize('October 3 at 2:15am', context)).toBe('shifted: 2027-10-03 02:45 Australia/Lord_Howe');
  });

  test('the same time on the next day isn’t moved', () => {
    expect(summarize('29 march 2027 2:30am', { now: BERLIN_BEFORE_SPRING })).toBe(
      'understood: 2027-03-29 02:30',
    );
  });
});

describe('a time that a clock change repeats', () => {
  test('a repeated time is ambiguous while both times are in the future', () => {
    const reading = read('tomorrow 2:30am', { now: BERLIN_BEFORE_AUTUMN });
    expect(reading).toMatchObject({
      kind: 'ambiguous',
      candidates: [
        { instant: new Date('2027-10-31T00:30:00Z') },
        { instant: new Date('2027-10-31T01:30:00Z') },
      ],
    });
  });

  test('a repeated time means the later time after the earlier time has passed', () => {
    const reading = read('today 2:30am', { now: new Date('2027-10-31T00:45:00Z') });
    expect(reading).toMatchObject({
      kind: 'understood',
      moment: { instant: new Date('2027-10-31T01:30:00Z') },
    });
  });

  test('a repeated time with an offset is understood', () => {
    const reading = read('31 Oct 2027, 02:30 (Berlin, UTC+01:00)', { now: BERLIN_BEFORE_AUTUMN });
    expect(reading).toMatchObject({
      kind: 'understood',
      moment: { instant: new Date('2027-10-31T01:30:00Z') },
    });
  });
});

describe('durations across a clock change', () => {
  test('after a number of days, the local time is the same', () => {
    expect(summarize('in 3 days', { now: BERLIN_BEFORE_SPRING })).toBe('understood: 2027-03-30 12:00');
  });

  test('hours are counted as elapsed hours', () => {
    expect(summarize('in 24 hours', { now: BERLIN_BEFORE_SPRING })).toBe('understood: 2027-03-28 13:00');
    expect(summarize('in 24 hours', { now: BERLIN_BEFORE_AUTUMN })).toBe('understood: 2027-10-31 11:00');
  });
});
