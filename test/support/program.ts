import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { NODE_FLAGS } from './command.ts';

/** A TypeScript program in a separate process, started as the bot is. */
export interface Program {
  pid: number;
  /** Reads the next line of its output. Rejects if the process has ended. */
  readLine(): Promise<string>;
  /** Writes a line to its input. */
  send(text: string): void;
  /** Kills the process (SIGKILL), and returns the output lines that weren't read yet. */
  kill(): Promise<string[]>;
}

export async function startProgram(path: URL, ...args: string[]): Promise<Program> {
  const child = spawn(process.execPath, [...NODE_FLAGS, fileURLToPath(path), ...args], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  await once(child, 'spawn');
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    pid: child.pid ?? 0,
    readLine: async () => {
      const { value, done } = await lines.next();
      if (done) throw new Error('the program has ended');
      return value;
    },
    send: (text) => child.stdin.write(`${text}\n`),
    kill: () => kill(child, lines),
  };
}

async function kill(
  child: ChildProcessByStdio<Writable, Readable, null>,
  lines: AsyncIterator<string>,
): Promise<string[]> {
  if (child.exitCode === null && child.signalCode === null) {
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    await exited;
  }
  const unreadLines: string[] = [];
  for (let next = await lines.next(); !next.done; next = await lines.next()) unreadLines.push(next.value);
  return unreadLines;
}
