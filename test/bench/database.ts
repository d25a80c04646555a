import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { NODE_FLAGS } from '../support/node-flags.ts';

/** What the bot notices of another embedded database at work; in a process with the flags of `npm start`. */
export async function database(): Promise<void> {
  const program = fileURLToPath(new URL('./servers/beside-scans.ts', import.meta.url));
  const child = spawn(process.execPath, [...NODE_FLAGS, program], { stdio: 'inherit' });
  const [code] = await once(child, 'exit');
  if (code !== 0) process.exitCode = 1;
}
