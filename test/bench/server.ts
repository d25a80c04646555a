import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { NODE_FLAGS } from '../support/node-flags.ts';

/** A program in a process of its own. */
export interface Server {
  /** Undefined: it could not be started. */
  pid: number | undefined;
  output(): string;
  /** Waits until what is printed matches; throws all that was printed when the program ends before. */
  prints(pattern: RegExp): Promise<RegExpExecArray>;
  ended: Promise<void>;
  stop(): void;
}

/**
 * Starts `file`, a path in the checkout `folder` (the current one unless told), with the flags of `npm start` and
 * nothing else of this environment.
 */
export function startServer(
  file: string,
  env: Record<string, string>,
  { args = [], folder = '.' }: { args?: readonly string[]; folder?: string } = {},
): Server {
  const child = spawn(process.execPath, [...NODE_FLAGS, file, ...args], {
    cwd: folder,
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  return {
    pid: child.pid,
    output: () => output,
    prints: (pattern) =>
      new Promise((resolve, reject) => {
        const look = () => {
          const found = pattern.exec(output);
          if (found) resolve(found);
        };
        child.stdout.on('data', look);
        child.once('close', (code) => reject(new Error(`${file} ended with ${code}:\n${output}`)));
        look();
      }),
    ended,
    stop: () => void child.kill('SIGTERM'),
  };
}

/** A secret that a program has made in its data folder. */
export function readKept(folder: string, name: string): string {
  return readFileSync(join(folder, name), 'utf8').trim();
}
