import { readFileSync } from 'node:fs';
import { join } from 'node:path';

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

/** The flags of this checkout. */
export const NODE_FLAGS = readNodeFlags(join(import.meta.dirname, '..', '..'));
