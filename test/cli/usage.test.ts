import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { root } from '../checks.ts';
import { runScript } from '../support/run-script.ts';

const { scripts } = z
  .object({ scripts: z.record(z.string(), z.string()) })
  .parse(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')));

/** The scripts that run the project’s code, except the check of the Node version. */
const ownScripts = Object.keys(scripts).filter(
  (name) => name !== 'prestart' && /\b(?:src|test)\/\S+\.ts\b/.test(scripts[name] ?? ''),
);

/** The scripts by the file that they run. Scripts of the same file have one usage. */
const scriptsByFile = [
  ...Map.groupBy(ownScripts, (name) => /\S+\.ts\b/.exec(scripts[name] ?? '')?.[0] ?? ''),
];

/** Runs a script with a setting that makes every program fail that reads its settings. */
async function runWithWrongSettings(name: string, argument: string) {
  const [file = '', ...args] = (scripts[name] ?? '').slice(scripts[name]?.search(/\S+\.ts\b/)).split(' ');
  const DATA_DIR = join(tmpdir(), `untouched-${randomUUID()}`);
  for (const [path] of scripts[name]?.matchAll(/\S+\.cjs\b/g) ?? [])
    expect(existsSync(join(root, path))).toBe(true);
  const result = await runScript(file, [...args, argument], { DATA_DIR, PORT: 'none' });
  expect(existsSync(DATA_DIR)).toBe(false);
  return result;
}

test.each(scriptsByFile)(
  '%s --help prints the usage of its scripts and changes no data',
  async (_file, names) => {
    const { status, stdout, stderr } = await runWithWrongSettings(names.at(-1) ?? '', '--help');
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toMatch(/^Usage: npm /);
    for (const name of names) expect(stdout).toMatch(new RegExp(`npm (?:run )?${name}\\b`));
    expect(stdout).toMatch(/^Settings: .+$/m);
    // With DATABASE_URL, every command needs ENCRYPTION_KEYS.
    expect(stdout).not.toMatch(/^Settings: (?!.*ENCRYPTION_KEYS).*DATABASE_URL/m);
    expect(stdout).toMatch(/^Example: .*\bnpm /m);
  },
);

/** The files that find wrong arguments themselves. All others leave it to `parseArgs`, as `npm start` does. */
const lenientFiles = scriptsByFile.filter(([file]) =>
  /strict: false/.test(readFileSync(join(root, file), 'utf8')),
);

test.each(['start', ...lenientFiles.map(([, names]) => names.at(-1) ?? '')])(
  'npm run %s prints one line and the usage after a wrong argument',
  async (name) => {
    const { status, stdout, stderr } = await runWithWrongSettings(name, '--nonsense');
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(stderr).toMatch(/^.*--nonsense.*\n\nUsage: npm /);
  },
);
