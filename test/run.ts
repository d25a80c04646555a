import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { failWithUsage, readArguments } from '../src/start/run.ts';
import { CHECKS, root, run, runChecks } from './checks.ts';
import { forgetStatements } from './support/sent-statements.ts';
import { checkStatementPlans } from './support/statement-plans.ts';

/**
 * Entry point of `npm test`. Runs the static checks, the tests, and a check of the statements that the tests sent to the
 * database, and prints `N passed, N failed` at the end,
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
const reportFile = join(cache, 'vitest.json');

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
/** The same for programs that only a few tests need, with their names. */
const NEEDED_BY_FEW = {
  '[python]': 'Python',
  '[pytest]': 'pytest',
  '[java]': 'Java',
  '[pgbouncer]': 'PgBouncer',
};

/** `notRun`: what needs Postgres, where that isn't installed. */
interface Counts {
  passed: number;
  failed: number;
  notRun?: number;
}

async function runTests(paths: readonly string[]): Promise<Counts> {
  mkdirSync(cache, { recursive: true });
  rmSync(reportFile, { force: true });
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${reportFile}`];
  const args = ['run', '--config', '.config/vitest.config.ts', ...reporters, ...paths];
  const { code } = await run('vitest', args, true, paths.length === 0 ? { TEST_WAIT_MS: '120000' } : {});
  if (!existsSync(reportFile)) {
    console.log('✗ the tests ended without a report');
    return { passed: 0, failed: 1, notRun: 0 };
  }
  const parsed = report.parse(JSON.parse(readFileSync(reportFile, 'utf8')));
  const skipped = parsed.testResults
    .flatMap((file) => file.assertionResults)
    .filter(({ status }) => status !== 'passed' && status !== 'failed')
    .map(({ fullName }) => fullName);
  const fewParts = Object.keys(NEEDED_BY_FEW);
  const notRun = skipped.filter(
    (name) => name.includes(NEEDS_POSTGRES) && !fewParts.some((part) => name.includes(part)),
  );
  for (const [part, program] of Object.entries(NEEDED_BY_FEW)) {
    const count = skipped.filter((name) => name.includes(part)).length;
    if (count > 0) console.log(`${count} not run: no ${program}`);
  }
  const explanations = [NEEDS_POSTGRES, ...fewParts];
  const unexplained = skipped.filter((name) => !explanations.some((part) => name.includes(part)));
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
if (paths.length === 0) forgetStatements();
const results: Counts[] = [await runChecks(selectedChecks)];
if (group === undefined) results.push(await runTests(paths));
if (paths.length === 0) results.push(await checkStatementPlans());
const count = (kind: 'passed' | 'failed' | 'notRun') =>
  results.reduce((sum, result) => sum + (result[kind] ?? 0), 0);
console.log(`${count('passed')} passed, ${count('failed')} failed`);
if (count('notRun') > 0) console.log(`${count('notRun')} not run: no Postgres`);
process.exitCode = count('failed') > 0 || (count('notRun') > 0 && process.env.CI) ? 1 : 0;
