import { spawn } from 'node:child_process';
import { join } from 'node:path';

/**
 * Static checks, each a command of `node_modules/.bin`. `npm run lint` and `npm run typecheck` each run a group of
 * them.
 */

export const root = join(import.meta.dirname, '..');

interface Check {
  group: 'lint' | 'types' | 'contract';
  name: string;
  command: readonly [string, ...string[]];
}

/**
 * TypeScript 7, which takes a quarter of the time. `typescript` stays at version 5, whose API other checks and
 * openapi-typescript use.
 */
const NATIVE_COMPILER = 'node_modules/typescript-native/bin/tsc';

const CHECKED_BY_TYPES = ['--type-aware', '-c', '.oxlintrc.json'];

export const CHECKS: readonly Check[] = [
  { group: 'lint', name: 'format and lint', command: ['biome', 'ci', '--error-on-warnings', '.'] },
  {
    group: 'lint',
    name: 'no floating promises',
    command: ['oxlint', ...CHECKED_BY_TYPES, 'assets', 'bench', 'packages', 'pictures', 'src', 'test'],
  },
  // Incremental: with `-b`, the compiler reads only what changed since its last run. Two checkers instead of four, because
  // each of them checks shared types again.
  {
    group: 'types',
    name: 'types',
    command: ['node', NATIVE_COMPILER, '-b', '.config/tsconfig.node.json', '--checkers', '2'],
  },
  {
    group: 'types',
    name: 'types of the page',
    command: ['node', NATIVE_COMPILER, '-b', 'packages/slack-workspace/src/page'],
  },
  { group: 'lint', name: 'nothing unused', command: ['knip'] },
  { group: 'lint', name: 'plain names', command: ['node', 'test/plain-names.ts'] },
  {
    group: 'contract',
    name: 'OpenAPI description',
    command: ['redocly', 'lint', '--config', '.redocly.yaml', 'openapi/scheduling-service.yaml'],
  },
];

const environment = {
  ...process.env,
  PATH: [join(root, 'node_modules', '.bin'), process.env.PATH].join(process.platform === 'win32' ? ';' : ':'),
  FORCE_COLOR: '0',
  REDOCLY_TELEMETRY: 'off',
  REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true',
};

/**
 * Runs a command of `node_modules/.bin` and returns its output. If `isLive`, the output is also printed as it
 * arrives. `settings`: environment variables of its own.
 */
export function run(
  command: string,
  args: readonly string[],
  isLive: boolean,
  settings: Readonly<Record<string, string>> = {},
): Promise<{ code: number; output: string }> {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd: root,
      env: { ...environment, ...settings },
      stdio: ['ignore', 'pipe', 'pipe'],
      shell: process.platform === 'win32',
    });
    let output = '';
    const append = (chunk: Buffer) => {
      output += chunk.toString();
      if (isLive) process.stdout.write(chunk);
    };
    child.stdout.on('data', append);
    child.stderr.on('data', append);
    // A command that isn't installed counts as a failed check.
    child.once('error', (error) => resolve({ code: 1, output: error.message }));
    child.once('close', (code) => resolve({ code: code ?? 1, output }));
  });
}

/** Runs two checks at a time, because a small machine has two cores. */
export async function runChecks(checks: readonly Check[]): Promise<{ passed: number; failed: number }> {
  let passed = 0;
  const waitingChecks = [...checks];
  const worker = async () => {
    for (let check = waitingChecks.shift(); check; check = waitingChecks.shift()) {
      const { name, command } = check;
      const startedAt = performance.now();
      const [program, ...args] = command;
      const { code, output } = await run(program, args, false);
      console.log(
        `${code === 0 ? '✓' : '✗'} ${name} (${((performance.now() - startedAt) / 1000).toFixed(1)} s)`,
      );
      if (code === 0) passed++;
      else console.log(output);
    }
  };
  await Promise.all([worker(), worker()]);
  return { passed, failed: checks.length - passed };
}
