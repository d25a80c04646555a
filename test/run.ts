import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

/**
 * Everything that must hold, as `npm test` runs it: the checks of the text, then the tests. Ends with
 * `N passed, N failed`, where each check counts as one, and with what could not run where Postgres is missing.
 */

const root = join(import.meta.dirname, '..');
const cache = join(root, '.cache');
const results = join(cache, 'vitest.json');

const CHECKS: readonly (readonly [name: string, ...command: string[]])[] = [
  ['format and lint', 'biome', 'ci', '--error-on-warnings', '.'],
  ['no promise is left alone', 'oxlint', '--type-aware', '-c', '.oxlintrc.json', 'assets', 'src', 'test'],
  ['types', 'tsc'],
  ['types of the page', 'tsc', '-p', 'src/emulators/slack/page'],
  ['nothing unused', 'knip'],
  ['the contract', 'redocly', 'lint', '--config', '.redocly.yaml', 'openapi/scheduling-service.yaml'],
];

const environment = {
  ...process.env,
  PATH: [join(root, 'node_modules', '.bin'), process.env.PATH].join(process.platform === 'win32' ? ';' : ':'),
  FORCE_COLOR: '0',
  REDOCLY_TELEMETRY: 'off',
  REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true',
};

/** Runs a command of `node_modules/.bin`; its output goes on at once where `live`, else it is kept. */
function run(
  command: string,
  args: readonly string[],
  live: boolean,
): Promise<{ code: number; output: string }> {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd: root,
      env: environment,
      stdio: ['ignore', 'pipe', 'pipe'],
      shell: process.platform === 'win32',
    });
    let output = '';
    const take = (chunk: Buffer) => {
      output += chunk.toString();
      if (live) process.stdout.write(chunk);
    };
    child.stdout.on('data', take);
    child.stderr.on('data', take);
    // What is not installed could not be checked.
    child.once('error', (error) => resolve({ code: 1, output: error.message }));
    child.once('close', (code) => resolve({ code: code ?? 1, output }));
  });
}

async function runChecks(): Promise<{ passed: number; failed: number }> {
  let passed = 0;
  const waiting = [...CHECKS];
  const worker = async () => {
    for (let check = waiting.shift(); check; check = waiting.shift()) {
      const [name, command = '', ...args] = check;
      const started = performance.now();
      const { code, output } = await run(command, args, false);
      console.log(
        `${code === 0 ? '✓' : '✗'} ${name} (${((performance.now() - started) / 1000).toFixed(1)} s)`,
      );
      if (code === 0) passed++;
      else console.log(output);
    }
  };
  await Promise.all([worker(), worker()]);
  return { passed, failed: CHECKS.length - passed };
}

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

const only = process.argv.slice(2);
const checks = only.length > 0 ? { passed: 0, failed: 0 } : await runChecks();
const tests = await runTests(only);
const failed = checks.failed + tests.failed;
console.log(`${checks.passed + tests.passed} passed, ${failed} failed`);
if (tests.notRun > 0) console.log(`${tests.notRun} not run: no Postgres`);
process.exitCode = failed > 0 || (tests.notRun > 0 && process.env.CI) ? 1 : 0;
