import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

const SCRIPT = fileURLToPath(new URL('../../src/cli/when.ts', import.meta.url));

function when(args: readonly string[], { input = '', TZ = 'America/New_York' } = {}) {
  const env = { PATH: process.env.PATH ?? '', TZ };
  return spawnSync(process.execPath, [SCRIPT, ...args], { input, env, encoding: 'utf8' });
}

const AT = ['--zone', 'Europe/Berlin', '--now', '2026-11-20T10:15:00Z'];

describe('the command', () => {
  test('says what is understood', () => {
    const { stdout, status } = when(['tomorrow 9am', ...AT]);
    expect({ stdout, status }).toEqual({ stdout: 'Sat 21 Nov, 09:00 (Berlin)\n', status: 0 });
  });

  test('asks where there are two', () => {
    const { stdout, status } = when(['--', 'tomorrow at 5', ...AT]);
    expect(stdout).toBe('Which one?\n  Sat 21 Nov, 17:00 (Berlin)\n  Sat 21 Nov, 05:00 (Berlin)\n');
    expect(status).toBe(0);
  });

  test('ends with status 1 when it does not understand, and says what would work', () => {
    const { stdout, status } = when(['blursday', ...AT]);
    expect(stdout).toContain('Not understood: “blursday”');
    expect(stdout).toContain('tomorrow 9am');
    expect(status).toBe(1);
  });

  test('names a zone that is none, and a missing text', () => {
    expect(when(['tomorrow 9am', '--zone', 'Mars/Base'])).toMatchObject({ status: 2, stdout: '' });
    expect(when(['tomorrow 9am', '--zone', 'Mars/Base']).stderr).toContain('Mars/Base');
    expect(when([])).toMatchObject({ status: 2 });
    expect(when(['--nonsense', 'tomorrow'])).toMatchObject({ status: 2, stdout: '' });
  });
});

const PHRASES = [
  'tomorrow 2:30am',
  'in 3 days',
  'in 24 hours',
  'today at 9am',
  'march 14 2:30am',
  'next friday',
  'eom',
];

/** Just before New York's and Berlin's clocks go forward, and before Berlin's goes back. */
const REFERENCES = [
  '2027-03-14T01:00:00Z',
  '2027-03-14T06:59:00Z',
  '2027-03-27T23:30:00Z',
  '2027-10-30T23:30:00Z',
];

const QUESTIONS = REFERENCES.flatMap((reference) =>
  PHRASES.flatMap((text) =>
    ['Europe/Berlin', 'America/New_York', 'Asia/Tokyo'].map((zone) =>
      JSON.stringify({ id: 1, text, reference, zone }),
    ),
  ),
).join('\n');

describe('a line for a line', () => {
  test('keeps the order and the id, and gives instants', () => {
    const input = `${JSON.stringify({ id: 'a', text: 'tomorrow 9am', reference: '2026-11-20T10:15:00Z', zone: 'Europe/Berlin', locale: 'en' })}\n`;
    const { stdout } = when(['--json-lines'], { input });
    expect(JSON.parse(stdout)).toEqual({
      id: 'a',
      kind: 'ok',
      candidates: [{ instant: '2026-11-21T08:00:00.000Z', wall: '2026-11-21T09:00', zone: 'Europe/Berlin' }],
    });
  });

  test('answers the same whatever zone the computer is in', () => {
    const inNewYork = when(['--json-lines'], { input: QUESTIONS }).stdout;
    expect(inNewYork.trim().split('\n')).toHaveLength(QUESTIONS.split('\n').length);
    for (const TZ of ['Europe/Berlin', 'Pacific/Apia', 'UTC']) {
      expect(when(['--json-lines'], { input: QUESTIONS, TZ }).stdout).toBe(inNewYork);
    }
  });
});
