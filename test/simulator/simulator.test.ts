import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

/** The simulator replaces the time of its process, so it has processes of its own. */
const PROGRAM = join(import.meta.dirname, 'run.ts');

const TIMEOUT_MS = 600_000;

test(
  'a handful of worlds breaks no rule, and each has the same history in another process',
  async () => {
    const seeds = ['--seeds', '3', '--seed', '1', '--twice'];
    // It takes 17 s alone, and more than 230 s beside two whole suites. It ends before the test does, to leave no process.
    const options = { timeout: TIMEOUT_MS - 10_000 };
    const { stdout } = await promisify(execFile)(process.execPath, [PROGRAM, ...seeds], options);
    expect(stdout).toContain('0 of 3 seeds have another history');
    expect(stdout).toContain('No seed failed.');
    expect(stdout).not.toContain('unknown to the model');
  },
  TIMEOUT_MS,
);
