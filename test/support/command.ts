import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..', '..');

/** The flags of this checkout. */
export const NODE_FLAGS = readNodeFlags(root);

export interface RunningCommand {
  /** Returns the output to stdout and stderr so far. */
  readOutput(): string;
  /** Waits until the output matches. Rejects with the whole output if the process ends first. */
  waitForOutput(pattern: RegExp): Promise<RegExpExecArray>;
  /** Resolves with the exit status or the name of the signal when the process has ended. */
  exit: Promise<number | string>;
  kill(signal?: NodeJS.Signals): void;
  pid: number;
}

/**
 * Starts an entry point of src as the npm scripts do, with only PATH, TZ and the variables in `env`. `folder` is another
 * checkout.
 */
export function startCommand(
  entry: string,
  options: { env?: Record<string, string>; args?: readonly string[]; folder?: string } = {},
): RunningCommand {
  const { folder = root } = options;
  const flags = folder === root ? NODE_FLAGS : readNodeFlags(folder);
  const child = spawn(process.execPath, [...flags, `src/${entry}`, ...(options.args ?? [])], {
    cwd: folder,
    env: { PATH: process.env.PATH, TZ: process.env.TZ, ...options.env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  const listeners = new Set<() => void>();
  const append = (chunk: Buffer) => {
    output += chunk.toString();
    for (const listener of listeners) listener();
  };
  child.stdout.on('data', append);
  child.stderr.on('data', append);
  const exit = new Promise<number | string>((resolve) => {
    child.once('close', (code, signal) => {
      resolve(code ?? signal ?? 'unknown');
      for (const listener of listeners) listener();
    });
  });
  return {
    readOutput: () => output,
    waitForOutput: (pattern) =>
      new Promise((resolve, reject) => {
        const check = () => {
          const match = pattern.exec(output);
          const hasEnded = child.exitCode !== null || child.signalCode !== null;
          if (!match && !hasEnded) return;
          listeners.delete(check);
          if (match) resolve(match);
          else reject(new Error(`${entry} ended without printing ${pattern}:\n${output}`));
        };
        listeners.add(check);
        check();
      }),
    exit,
    kill: (signal = 'SIGTERM') => void child.kill(signal),
    pid: child.pid ?? 0,
  };
}

/** Reads the Node flags of `npm start` in a checkout, without those that load `.env`. */
export function readNodeFlags(folder: string): readonly string[] {
  const { scripts } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    scripts: { start: string };
  };
  return scripts.start
    .replace(' --require ./src/start/load-env.cjs', '')
    .split(' ')
    .slice(1, -1)
    .filter((flag) => !flag.startsWith('--env-file'));
}
