import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { failWithUsage, readArguments } from '../src/start/usage.ts';
import { CHECKS, root, run, runChecks } from './checks.ts';

/**
 * Entry point of `npm test`. Runs the static checks, then the tests, and prints `N passed, N failed` at the end,
 * where each check counts as one. If Postgres isn't installed, also prints how many tests didn't run.
 * `npm test -- path` runs only the test files whose paths contain one of its arguments. `--checks=lint` runs only the
 * checks of that group.
 */

const USAGE = `Usage: npm test [-- PATH …]
       npm run lint
       npm run typecheck

Runs all checks and tests. npm run lint and npm run typecheck run only the checks of their group.

  PATH   runs only the test files whose paths contain it, without the checks

Settings: CI, with which tests that need Postgres fail instead of being skipped.

Example: npm test -- test/features/zone`;

const cache = join(root, '.cache');
const results = join(cache, 'vitest.json');

const report = z.object({
  numPassedTests: z.number(),
  numFailedTests: z.number(),
  numFailedTestSuites: z.number(),
  testResults: z.array(
    z.object({
      status: z.string(),
      assertionResults: z.array(z.object({ status: z.string(), fullName: z.string() })),
    }),
  ),
});

/** Part of the names of tests that are skipped if Postgres isn't installed. */
const NEEDS_POSTGRES = '[postgres]';

async function runTests(paths: readonly string[]) {
  mkdirSync(cache, { recursive: true });
  rmSync(results, { force: true });
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${results}`];
  const { code } = await run(
    'vitest',
    ['run', '--config', '.config/vitest.config.ts', ...reporters, ...paths],
    true,
  );
  if (!existsSync(results)) {
    console.log('✗ the tests ended without a report');
    return { passed: 0, failed: 1, notRun: 0 };
  }
  const parsed = report.parse(JSON.parse(readFileSync(results, 'utf8')));
  const skipped = parsed.testResults
    .flatMap((file) => file.assertionResults)
    .filter(({ status }) => status !== 'passed' && status !== 'failed')
    .map(({ fullName }) => fullName);
  const notRun = skipped.filter((name) => name.includes(NEEDS_POSTGRES));
  const unexplained = skipped.filter((name) => !name.includes(NEEDS_POSTGRES));
  for (const name of unexplained) console.log(`✗ skipped without a reason: ${name}`);
  // A file that fails outside of its tests has no failed test to count.
  const brokenFiles = parsed.testResults.filter(
    (file) => file.status === 'failed' && !file.assertionResults.some(({ status }) => status === 'failed'),
  ).length;
  const failed = parsed.numFailedTests + unexplained.length + brokenFiles;
  return {
    passed: parsed.numPassedTests,
    failed: code !== 0 && failed === 0 ? 1 : failed,
    notRun: notRun.length,
  };
}

const GROUP = '--checks=';
const NONE = { passed: 0, failed: 0, notRun: 0 };

// Vitest reads its own options.
readArguments(USAGE, { strict: false });
const paths = process.argv.slice(2);
const group = paths.find((argument) => argument.startsWith(GROUP))?.slice(GROUP.length);
const selectedChecks = CHECKS.filter((check) =>
  group === undefined ? paths.length === 0 : check.group === group,
);
if (group !== undefined && (selectedChecks.length === 0 || paths.length > 1))
  failWithUsage(
    USAGE,
    `Unknown argument: ${paths.find((argument) => argument !== `${GROUP}${CHECKS.find((check) => check.group === group)?.group}`)}`,
  );
const checks = await runChecks(selectedChecks);
const tests = group === undefined ? await runTests(paths) : NONE;
const failed = checks.failed + tests.failed;
console.log(`${checks.passed + tests.passed} passed, ${failed} failed`);
if (tests.notRun > 0) console.log(`${tests.notRun} not run: no Postgres`);
process.exitCode = failed > 0 || (tests.notRun > 0 && process.env.CI) ? 1 : 0;
