import { randomBytes } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The secret in the file `name` of the data folder, which only its owner can read. Created with `make` if missing. Two
 * processes that create it at the same moment get the same one, because the first link wins.
 */
export function readOrCreateSecret(folder: string, name: string, make: () => string): string {
  const path = join(folder, name);
  const read = () => readFileSync(path, 'utf8').trim();
  try {
    return read();
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
  }
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const draft = join(folder, `.${name}-${randomBytes(6).toString('hex')}`);
  writeFileSync(draft, `${make()}\n`, { mode: 0o600, flag: 'wx', flush: true });
  try {
    linkSync(draft, path);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  } finally {
    rmSync(draft);
  }
  return read();
}
