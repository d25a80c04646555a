import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

/** The simulator replaces the time of its process, so it has processes of its own. */
const PROGRAM = join(import.meta.dirname, 'run.ts');

const TIMEOUT_MS = 600_000;

/** With each mechanism in one of them. */
const SEEDS = [9_530, 9_531, 9_532, 9_534, 9_535, 21_863];

test(
  'simulated worlds break no rule, and have the same history again',
  async () => {
    // It ends before the test does, to leave no process.
    const options = { timeout: TIMEOUT_MS - 10_000 };
    const seeds = ['--seed', SEEDS.join(','), '--twice'];
    const { stdout } = await promisify(execFile)(process.execPath, [PROGRAM, ...seeds], options);
    expect(stdout).toContain(`0 of ${SEEDS.length} seeds have another history`);
    expect(stdout).toContain('No seed failed.');
    expect(stdout).not.toContain('unknown to the model');
  },
  TIMEOUT_MS,
);
