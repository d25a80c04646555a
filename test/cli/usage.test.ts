import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';

const root = join(import.meta.dirname, '..', '..');
const { scripts } = z
  .object({ scripts: z.record(z.string(), z.string()) })
  .parse(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')));

/** The scripts that run the project’s code, except the check of the Node version. */
const ownScripts = Object.keys(scripts).filter(
  (name) => name !== 'prestart' && /\b(?:src|test)\/\S+\.ts\b/.test(scripts[name] ?? ''),
);

/** Runs a script as npm does, with a setting that makes every program fail that reads its settings. */
function runScript(name: string, argument: string, dataDir: string) {
  return spawnSync('sh', ['-c', `${scripts[name]} ${argument}`], {
    cwd: root,
    env: { PATH: `${dirname(process.execPath)}:${process.env.PATH}`, DATA_DIR: dataDir, PORT: 'none' },
    encoding: 'utf8',
  });
}

test.each(ownScripts)('npm run %s -- --help prints the usage and changes no data', (name) => {
  const dataDir = join(tmpdir(), `untouched-${randomUUID()}`);
  const { status, stdout, stderr } = runScript(name, '--help', dataDir);
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  expect(stdout).toMatch(/^Usage: npm /);
  expect(stdout).toMatch(new RegExp(`npm (?:run )?${name}\\b`));
  expect(stdout).toMatch(/^Settings: .+$/m);
  // With DATABASE_URL, every command needs ENCRYPTION_KEYS.
  expect(stdout).not.toMatch(/^Settings: (?!.*ENCRYPTION_KEYS).*DATABASE_URL/m);
  expect(stdout).toMatch(/^Example: .*\bnpm /m);
  expect(existsSync(dataDir)).toBe(false);
});

// npm test passes options on to Vitest.
test.each(ownScripts.filter((name) => name !== 'test'))(
  'npm run %s prints one line and the usage after a wrong argument',
  (name) => {
    const dataDir = join(tmpdir(), `untouched-${randomUUID()}`);
    const { status, stdout, stderr } = runScript(name, '--nonsense', dataDir);
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(stderr).toMatch(/^.*--nonsense.*\n\nUsage: npm /);
    expect(existsSync(dataDir)).toBe(false);
  },
);
