import { describe, expect, test } from 'vitest';
import { describeAs } from '../../../src/when/readings/describe-readings.ts';
import { FRIDAY } from '../read.ts';

const lines = (as: Parameters<typeof describeAs>[0], text: string) =>
  describeAs(as, { text, now: FRIDAY, zone: 'Europe/Berlin', locale: 'en-GB' }).lines.split('\n');

describe('what the command says', () => {
  test('of a recurrence', () => {
    expect(lines('recurrence', 'every monday in London')).toEqual([
      'every Monday at 09:00 (London)',
      'No time given: 09:00.',
    ]);
    expect(lines('recurrence', 'daily at 8')).toEqual([
      'Which one?',
      '  every day at 08:00',
      '  every day at 20:00',
    ]);
  });

  test('of a range', () => {
    expect(lines('range', 'this week')).toEqual(['Mon 16 Nov to Sun 22 Nov (Berlin)']);
    expect(lines('range', '03/04')[0]).toBe('Which one?');
  });

  test('of several moments, and which of them is at fault', () => {
    expect(lines('moments', 'today 9am and mon, tue 10am')).toEqual([
      'Mon 23 Nov, 10:00 (Berlin)',
      'Tue 24 Nov, 10:00 (Berlin)',
      '“today 9am”: Fri 20 Nov, 09:00 (Berlin) has passed.',
      'Perhaps Sat 21 Nov, 09:00 (Berlin)?',
    ]);
    expect(lines('moments', 'mon and tue at 9')[0]).toBe('Which ones?');
  });

  test('of what it does not understand: three phrases that would work', () => {
    const { lines: said, isUnderstood } = describeAs('range', {
      text: 'blursday',
      now: FRIDAY,
      zone: 'Europe/Berlin',
    });
    expect(isUnderstood).toBe(false);
    expect(said).toContain('  from Monday to Friday');
  });
});
