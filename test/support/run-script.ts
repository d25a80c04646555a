import { join } from 'node:path';
import { inspect } from 'node:util';
import { vi } from 'vitest';
import { root } from '../checks.ts';

/** What ends a script in this process. */
class Exit extends Error {}

let runs = 0;

/**
 * Runs a script of the repository in this process until it ends, with only the variables in `env`, because a process of
 * its own takes a second of CPU time to load its modules.
 */
export async function runScript(file: string, args: readonly string[], env: Record<string, string>) {
  const { argv, env: ownEnv } = process;
  const ownListeners = process.listeners('uncaughtException');
  let [stdout, stderr] = ['', ''];
  let status: number | undefined;
  const format = (text: unknown) => `${typeof text === 'string' ? text : inspect(text)}\n`;
  const mocks = [
    vi.spyOn(console, 'log').mockImplementation((text) => {
      stdout += format(text);
    }),
    // After the end, nothing is printed.
    vi.spyOn(console, 'error').mockImplementation((text) => {
      if (status === undefined) stderr += format(text);
    }),
    vi.spyOn(process, 'exit').mockImplementation((code) => {
      status ??= Number(code);
      throw new Exit();
    }),
  ];
  process.argv = [process.execPath, file, ...args];
  process.env = { PATH: ownEnv.PATH, TZ: ownEnv.TZ, ...env };
  try {
    runs += 1;
    await import(`${join(root, file)}?run=${runs}`);
  } catch (error) {
    if (!(error instanceof Exit)) throw error;
  } finally {
    Object.assign(process, { argv, env: ownEnv });
    for (const mock of mocks) mock.mockRestore();
    for (const listener of process.listeners('uncaughtException')) {
      if (!ownListeners.includes(listener)) process.off('uncaughtException', listener);
    }
  }
  return { status: status ?? 0, stdout, stderr };
}
