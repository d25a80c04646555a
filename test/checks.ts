import { spawn } from 'node:child_process';
import { join } from 'node:path';

/** The checks of the text itself, each a command of `node_modules/.bin`. `npm run lint` and `npm run typecheck` run a group. */

export const root = join(import.meta.dirname, '..');

interface Check {
  group: 'lint' | 'types' | 'contract';
  name: string;
  command: readonly [string, ...string[]];
}

export const CHECKS: readonly Check[] = [
  { group: 'lint', name: 'format and lint', command: ['biome', 'ci', '--error-on-warnings', '.'] },
  {
    group: 'lint',
    name: 'no promise is left alone',
    command: ['oxlint', '--type-aware', '-c', '.oxlintrc.json', 'assets', 'src', 'test'],
  },
  // Incremental: with `-b`, the compiler reads only what changed since its last run.
  { group: 'types', name: 'types', command: ['tsc', '-b', '.config/tsconfig.node.json'] },
  { group: 'types', name: 'types of the page', command: ['tsc', '-b', 'src/emulators/slack/page'] },
  { group: 'lint', name: 'nothing unused', command: ['knip'] },
  { group: 'lint', name: 'plain names', command: ['node', 'test/plain-names.ts'] },
  {
    group: 'contract',
    name: 'the contract',
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

/** Runs a command of `node_modules/.bin`; its output goes on at once where `live`, else it is kept. */
export function run(
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

/** Two at a time, as many as a small machine has cores. */
export async function runChecks(checks: readonly Check[]): Promise<{ passed: number; failed: number }> {
  let passed = 0;
  const waiting = [...checks];
  const worker = async () => {
    for (let check = waiting.shift(); check; check = waiting.shift()) {
      const { name, command } = check;
      const started = performance.now();
      const [program, ...args] = command;
      const { code, output } = await run(program, args, false);
      console.log(
        `${code === 0 ? '✓' : '✗'} ${name} (${((performance.now() - started) / 1000).toFixed(1)} s)`,
      );
      if (code === 0) passed++;
      else console.log(output);
    }
  };
  await Promise.all([worker(), worker()]);
  return { passed, failed: checks.length - passed };
}
