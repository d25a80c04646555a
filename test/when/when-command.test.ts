import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

const resolvePath = (path: string) => fileURLToPath(new URL(`../../src/${path}`, import.meta.url));
/** The arguments of Node in `npm run when`. */
const NODE_ARGUMENTS = ['--require', resolvePath('start/prepare-node.cjs'), resolvePath('cli/when.ts')];

function runWhen(args: readonly string[], { input = '', TZ = 'America/New_York' } = {}) {
  const env = { PATH: process.env.PATH ?? '', TZ };
  return spawnSync(process.execPath, [...NODE_ARGUMENTS, ...args], { input, env, encoding: 'utf8' });
}

const OPTIONS = ['--zone', 'Europe/Berlin', '--now', '2026-11-20T10:15:00Z'];

describe('the command `npm run when`', () => {
  test('the command prints the understood time', () => {
    const { stdout, status } = runWhen(['tomorrow 9am', ...OPTIONS]);
    expect({ stdout, status }).toEqual({ stdout: 'Sat 21 Nov, 9:00 AM (Berlin)\n', status: 0 });
  });

  test('a zone that is an abbreviation is the one that people mean', () => {
    const { stdout } = runWhen(['tomorrow 9am', '--zone', 'EST', '--now', '2026-11-20T10:15:00Z']);
    expect(stdout).toBe('Sat 21 Nov, 9:00 AM (New York)\n');
  });

  test('the command lists the times of an ambiguous phrase', () => {
    const { stdout, status } = runWhen(['--', 'tomorrow at 6', ...OPTIONS]);
    expect(stdout).toBe('Which one?\n  Sat 21 Nov, 6:00 PM (Berlin)\n  Sat 21 Nov, 6:00 AM (Berlin)\n');
    expect(status).toBe(0);
  });

  test('for an unknown phrase, the command suggests phrases and exits with status 1', () => {
    const { stdout, status } = runWhen(['blursday', ...OPTIONS]);
    expect(stdout).toContain('Not understood: “blursday”');
    expect(stdout).toContain('tomorrow 9am');
    expect(status).toBe(1);
  });

  test('an unknown zone, a missing text and an unknown option are refused with status 2', () => {
    expect(runWhen(['tomorrow 9am', '--zone', 'Mars/Base'])).toMatchObject({ status: 2, stdout: '' });
    expect(runWhen(['tomorrow 9am', '--zone', 'Mars/Base']).stderr).toContain('Mars/Base');
    expect(runWhen(['tomorrow 9am', '--locale', 'x!'])).toMatchObject({ status: 2, stdout: '' });
    expect(runWhen([])).toMatchObject({ status: 2 });
    expect(runWhen(['--nonsense', 'tomorrow'])).toMatchObject({ status: 2, stdout: '' });
  });
});

const PHRASES = [
  ...['tomorrow 2:30am', 'in 3 days', 'in 24 hours', 'today at 9am', 'march 14 2:30am', 'next friday', 'eom'],
];

/** Times shortly before the clock changes of New York and Berlin. */
const REFERENCES = [
  ...['2027-03-14T01:00:00Z', '2027-03-14T06:59:00Z', '2027-03-27T23:30:00Z', '2027-10-30T23:30:00Z'],
];

const INPUT = REFERENCES.flatMap((reference) =>
  PHRASES.flatMap((text) =>
    ['Europe/Berlin', 'America/New_York', 'Asia/Tokyo'].map((zone) =>
      JSON.stringify({ id: 1, text, reference, zone }),
    ),
  ),
).join('\n');

describe('the option --json-lines', () => {
  test('a bad line is answered with an error, and the next line is answered', () => {
    const reference = '2026-11-20T10:15:00Z';
    const lines = [
      'no JSON',
      '[]',
      JSON.stringify({ id: 1, text: 'tomorrow 9am' }),
      JSON.stringify({ id: 2, text: 'tomorrow 9am', reference, zone: 'Mars/Base' }),
      JSON.stringify({ id: 3, text: 'tomorrow 9am', reference, locale: 'x!' }),
      JSON.stringify({ id: 4, text: 'tomorrow 9am', reference, locale: 'fi' }),
    ];
    const { stdout, status } = runWhen(['--json-lines'], { input: lines.join('\n') });
    const answers: unknown[] = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(answers).toMatchObject([
      { error: expect.any(String) },
      { error: expect.any(String) },
      { id: 1, error: expect.stringContaining('reference') },
      { id: 2, error: expect.stringContaining('zone') },
      { id: 3, error: expect.stringContaining('locale') },
      { id: 4, kind: 'ok' },
    ]);
    expect(status).toBe(0);
  });

  test('each line has the id, the kind and the instants', () => {
    const input = `${JSON.stringify({ id: 'a', text: 'tomorrow 9am', reference: '2026-11-20T10:15:00Z', zone: 'Europe/Berlin', locale: 'en' })}\n`;
    const { stdout } = runWhen(['--json-lines'], { input });
    expect(JSON.parse(stdout)).toEqual({
      id: 'a',
      kind: 'ok',
      candidates: [{ instant: '2026-11-21T08:00:00.000Z', wall: '2026-11-21T09:00', zone: 'Europe/Berlin' }],
    });
  });

  test('the output doesn’t depend on the computer’s time zone', () => {
    const outputInNewYork = runWhen(['--json-lines'], { input: INPUT }).stdout;
    expect(outputInNewYork.trim().split('\n')).toHaveLength(INPUT.split('\n').length);
    for (const TZ of ['Europe/Berlin', 'Pacific/Apia', 'UTC']) {
      expect(runWhen(['--json-lines'], { input: INPUT, TZ }).stdout).toBe(outputInNewYork);
    }
  });
});
