import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

/** The simulator replaces the time of its process, so it has processes of its own. */
const PROGRAM = join(import.meta.dirname, 'run.ts');

const TIMEOUT_MS = 600_000;

test(
  'six worlds, with each mechanism in one of them, break no rule and have the same history again',
  async () => {
    const seeds = ['--seeds', '6', '--seed', '9530', '--twice'];
    // It takes 30 s alone, and minutes beside whole suites. It ends before the test does, to leave no process.
    const options = { timeout: TIMEOUT_MS - 10_000 };
    const { stdout } = await promisify(execFile)(process.execPath, [PROGRAM, ...seeds], options);
    expect(stdout).toContain('0 of 6 seeds have another history');
    expect(stdout).toContain('No seed failed.');
    expect(stdout).not.toContain('unknown to the model');
  },
  TIMEOUT_MS,
);
