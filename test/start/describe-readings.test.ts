import { describe, expect, test } from 'vitest';
import { describeAs } from '../../src/start/describe-readings.ts';
import { FRIDAY } from '../when/read.ts';

const renderLines = (as: Parameters<typeof describeAs>[0], text: string) =>
  describeAs(as, { text, now: FRIDAY, zone: 'Europe/Berlin', locale: 'en-GB' }).lines.split('\n');

describe('the output of the command', () => {
  test('the output for a recurrence says what the phrase means', () => {
    expect(renderLines('recurrence', 'every monday in London')).toEqual([
      'every Monday at 09:00 (London)',
      'No time given: 09:00.',
    ]);
    expect(renderLines('recurrence', 'daily at 7')).toEqual([
      'Which one?',
      '  every day at 07:00',
      '  every day at 19:00',
    ]);
  });

  test('the output for a range has its beginning and end', () => {
    expect(renderLines('range', 'this week')).toEqual(['Mon 16 Nov to Sun 22 Nov (Berlin)']);
    expect(renderLines('range', '03/04')).toEqual(['Sat 3 Apr 2027 (Berlin)']);
  });

  test('the output for a list of times names the refused parts', () => {
    expect(renderLines('moments', 'today 9am and mon, tue 10am')).toEqual([
      'Mon 23 Nov, 10:00 (Berlin)',
      'Tue 24 Nov, 10:00 (Berlin)',
      '“today 9am”: Fri 20 Nov, 09:00 (Berlin) has passed.',
      'Perhaps Sat 21 Nov, 09:00 (Berlin)?',
    ]);
    expect(renderLines('moments', 'mon and tue at 7')[0]).toBe('Which ones?');
  });

  test('the output for an unknown phrase suggests phrases', () => {
    const { lines, isUnderstood } = describeAs('range', {
      text: 'blursday',
      now: FRIDAY,
      zone: 'Europe/Berlin',
    });
    expect(isUnderstood).toBe(false);
    expect(lines).toContain('  from Monday to Friday');
  });
});
