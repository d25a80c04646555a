import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { CHECKS, root, run, runChecks } from './checks.ts';

/**
 * Everything that must hold, as `npm test` runs it: the checks of the text, then the tests. Ends with
 * `N passed, N failed`, where each check counts as one, and with what could not run where Postgres is missing.
 * `npm test -- path` runs only the test files whose paths contain one of its arguments; `--checks=lint` only the
 * checks of that group.
 */

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

/** Tests whose names begin so are run where a Postgres can be started. */
const NEEDS_POSTGRES = '[postgres]';

async function runTests(only: readonly string[]) {
  mkdirSync(cache, { recursive: true });
  rmSync(results, { force: true });
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${results}`];
  const { code } = await run(
    'vitest',
    ['run', '--config', '.config/vitest.config.ts', ...reporters, ...only],
    true,
  );
  if (!existsSync(results)) {
    console.log('✗ the tests ended without a report');
    return { passed: 0, failed: 1, notRun: 0 };
  }
  const read = report.parse(JSON.parse(readFileSync(results, 'utf8')));
  const skipped = read.testResults
    .flatMap((file) => file.assertionResults)
    .filter(({ status }) => status !== 'passed' && status !== 'failed')
    .map(({ fullName }) => fullName);
  const notRun = skipped.filter((name) => name.includes(NEEDS_POSTGRES));
  const silent = skipped.filter((name) => !name.includes(NEEDS_POSTGRES));
  for (const name of silent) console.log(`✗ skipped without a reason: ${name}`);
  // A file that breaks before its first test has no failed test to count; nor has an error between tests.
  const brokenFiles = read.testResults.filter(
    (file) => file.status === 'failed' && !file.assertionResults.some(({ status }) => status === 'failed'),
  ).length;
  const failed = read.numFailedTests + silent.length + brokenFiles;
  return {
    passed: read.numPassedTests,
    failed: code !== 0 && failed === 0 ? 1 : failed,
    notRun: notRun.length,
  };
}

const GROUP = '--checks=';
const NONE = { passed: 0, failed: 0, notRun: 0 };

const only = process.argv.slice(2);
const group = only.find((argument) => argument.startsWith(GROUP))?.slice(GROUP.length);
const wanted = CHECKS.filter((check) => (group === undefined ? only.length === 0 : check.group === group));
if (group !== undefined && wanted.length === 0) throw new Error(`no group of checks is named ${group}`);
const checks = await runChecks(wanted);
const tests = group === undefined ? await runTests(only) : NONE;
const failed = checks.failed + tests.failed;
console.log(`${checks.passed + tests.passed} passed, ${failed} failed`);
if (tests.notRun > 0) console.log(`${tests.notRun} not run: no Postgres`);
process.exitCode = failed > 0 || (tests.notRun > 0 && process.env.CI) ? 1 : 0;
