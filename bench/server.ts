import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readNodeFlags } from '../test/support/command.ts';

/** A program in its own process. */
export interface Server {
  /** Undefined if the program couldn't be started. */
  pid: number | undefined;
  readOutput(): string;
  /** Waits until the output matches. Rejects with the output if the program ends first. */
  waitForOutput(pattern: RegExp): Promise<RegExpExecArray>;
  exit: Promise<void>;
  stop(): void;
}

/**
 * Starts `file`, a path in the checkout `folder`, with the flags of `npm start` there. `folder` defaults to the
 * current checkout. `withoutFlag` is the name of a flag that is left out. The environment of the program has only `env`
 * and PATH.
 */
export function startServer(
  file: string,
  env: Record<string, string>,
  {
    args = [],
    folder = '.',
    withoutFlag,
  }: { args?: readonly string[]; folder?: string; withoutFlag?: string | undefined } = {},
): Server {
  const flags = readNodeFlags(folder).filter((flag) => flag.split('=')[0] !== withoutFlag);
  const child = spawn(process.execPath, [...flags, file, ...args], {
    cwd: folder,
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const kill = () => void child.kill('SIGTERM');
  // A benchmark that fails leaves no program behind.
  process.once('exit', kill);
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  const exit = new Promise<void>((resolve) =>
    child.once('close', () => {
      process.off('exit', kill);
      resolve();
    }),
  );
  return {
    pid: child.pid,
    readOutput: () => output,
    waitForOutput: (pattern) =>
      new Promise((resolve, reject) => {
        const match = () => {
          const result = pattern.exec(output);
          if (result) resolve(result);
        };
        child.stdout.on('data', match);
        child.once('close', (code) => reject(new Error(`${file} ended with ${code}:\n${output}`)));
        match();
      }),
    exit,
    stop: kill,
  };
}

/** Reads a secret that a program generated in its data folder. */
export function readGeneratedSecret(folder: string, name: string): string {
  return readFileSync(join(folder, name), 'utf8').trim();
}

/** Resident memory, which only Linux reports, as VmRSS (proc_pid_status(5)). */
export function readMemoryMb(pid: number | undefined): number {
  const [, kb = '0'] = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kb) / 1024;
}

/** Reads the CPU time of another process on Linux, where a tick is 10 ms (proc_pid_stat(5)). NaN on other systems. */
export function readProcessCpuMs(pid: number | undefined): number {
  try {
    const [, user, system] =
      /\) \S(?: \S+){10} (\d+) (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? [];
    return (Number(user) + Number(system)) * 10;
  } catch {
    return Number.NaN;
  }
}
