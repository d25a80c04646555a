import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

/** The simulator replaces the time of its process, so it has processes of its own. */
const PROGRAM = join(import.meta.dirname, 'run.ts');

const TIMEOUT_MS = 600_000;

/** The first seed, and how many: with each mechanism in one of them. */
const RUNS = [
  [9_530, 3],
  [9_534, 2],
  [21_863, 1],
] as const;

test.each(RUNS)(
  'worlds from seed %i on, %i of them, break no rule and have the same history again',
  async (first, count) => {
    const seeds = ['--seeds', String(count), '--seed', String(first), '--twice'];
    // It takes 15 s alone, and minutes beside whole suites. It ends before the test does, to leave no process.
    const options = { timeout: TIMEOUT_MS - 10_000 };
    const { stdout } = await promisify(execFile)(process.execPath, [PROGRAM, ...seeds], options);
    expect(stdout).toContain(`0 of ${count} seeds have another history`);
    expect(stdout).toContain('No seed failed.');
    expect(stdout).not.toContain('unknown to the model');
  },
  TIMEOUT_MS,
);
