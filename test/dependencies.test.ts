import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';

/**
 * The app's packages must be locked, come from the npm registry, have a checked licence, and run no code on
 * installation.
 */

const root = join(import.meta.dirname, '..');
const readJson = (path: string): unknown => JSON.parse(readFileSync(join(root, path), 'utf8'));

const versions = z.record(z.string(), z.string()).default({});
const manifest = z.object({
  dependencies: versions,
  devDependencies: versions,
  optionalDependencies: versions,
  peerDependencies: versions,
});
const OWN_PACKAGES = ['packages/practice-service', 'packages/slack-workspace'];
const lock = z
  .object({
    lockfileVersion: z.literal(3),
    packages: z.record(
      z.string(),
      z.looseObject({
        version: z.string().optional(),
        resolved: z.string().optional(),
        integrity: z.string().optional(),
        license: z.string().optional(),
        hasInstallScript: z.boolean().optional(),
        link: z.boolean().optional(),
        dev: z.boolean().optional(),
      }),
    ),
  })
  .parse(readJson('package-lock.json'));
/** The installed packages. `packages/` has this repository's own, to which node_modules has links. */
const packages = Object.entries(lock.packages).filter(
  ([path, { link }]) => path.startsWith('node_modules/') && link !== true,
);

/** The only host that the lock file may name. */
const REGISTRY = /^https:\/\/registry\.npmjs\.org\//;

/** Licences of packages that may be shipped unchanged, with their licence text, next to code under another licence. */
const LICENCES = [
  ...'0BSD Apache-2.0 BSD-2-Clause BSD-3-Clause BlueOak-1.0.0 CC0-1.0 ISC MIT MPL-2.0 OFL-1.1'.split(' '),
  ...'Python-2.0'.split(' '),
];

/** Scripts that npm runs on installation. It also runs `prepare` for packages from a repository, but there are none. */
const HOOKS = ['preinstall', 'install', 'postinstall'];

function parseLicences(expression: string): string[] {
  return expression.replace(/[()]/g, '').split(/ (?:OR|AND) /);
}

describe.each(['.', ...OWN_PACKAGES])('package.json in %s', (folder) => {
  const dependencies = Object.values(manifest.parse(readJson(`${folder}/package.json`)));
  const external = dependencies
    .flatMap((group) => Object.entries(group))
    .filter(([, version]) => !OWN_PACKAGES.includes(version.replace('file:', '')));
  test.each(external)('%s has the exact version %s in package.json and in the lock file', (name, version) => {
    // A package under another name: npm:NAME@VERSION.
    const exactVersion = version.replace(/^npm:[\w/@-]+@(?=\d)/, '');
    expect(exactVersion).toMatch(/^\d+\.\d+\.\d+$/);
    expect(lock.packages[`node_modules/${name}`]?.version).toBe(exactVersion);
  });
});

/** They are links and no npm workspaces, because npm installs the dependencies of workspaces with `--omit=dev` too. */
test('the practice systems are development dependencies, so that production installs neither them nor their packages', () => {
  for (const folder of OWN_PACKAGES) expect(lock.packages[folder]?.dev).toBe(true);
  for (const name of ['hono', '@hono/node-server', 'ajv'])
    expect([name, lock.packages[`node_modules/${name}`]?.dev]).toEqual([name, true]);
});

describe('the lock file', () => {
  const findFaulty = (isFaulty: (entry: (typeof packages)[number][1]) => boolean) =>
    packages.filter(([, entry]) => isFaulty(entry)).map(([path]) => path);

  test('the lock file lists more than a hundred packages', () => {
    expect(packages.length).toBeGreaterThan(100);
  });

  test('the lock file names only the registry as a source', () => {
    expect(findFaulty(({ resolved }) => !(resolved === undefined || REGISTRY.test(resolved)))).toEqual([]);
  });

  test('the lock file has a checksum of each package', () => {
    expect(findFaulty(({ integrity }) => !/^sha512-[A-Za-z0-9+/]{86}==$/.test(integrity ?? ''))).toEqual([]);
  });

  test('the lock file lists no package with an install script', () => {
    expect(findFaulty(({ hasInstallScript }) => hasInstallScript === true)).toEqual([]);
  });

  test('the lock file lists only packages with a checked licence', () => {
    expect(
      findFaulty(({ license = '' }) => !parseLicences(license).some((name) => LICENCES.includes(name))),
    ).toEqual([]);
  });
});

test('no installed package has an install script that the lock file doesn’t mention', () => {
  const scripts = z.object({ scripts: z.record(z.string(), z.string()).default({}) });
  let checkedCount = 0;
  const installScripts = packages.flatMap(([path]) => {
    const file = `${path}/package.json`;
    // Packages for other kinds of machines aren't installed.
    if (!existsSync(join(root, file))) return [];
    checkedCount += 1;
    const packageScripts = scripts.parse(readJson(file)).scripts;
    const hooks = HOOKS.filter((hook) => Object.hasOwn(packageScripts, hook));
    return [
      ...hooks.map((hook) => `${path}: ${hook}`),
      ...(existsSync(join(root, path, 'binding.gyp')) ? [path] : []),
    ];
  });
  expect(checkedCount).toBeGreaterThan(100);
  expect(installScripts).toEqual([]);
});

describe('the workflows', () => {
  const workflow = z.object({ permissions: z.record(z.string(), z.string()) });
  const folder = join(root, '.github', 'workflows');
  test.each(readdirSync(folder))(
    'the workflow %s pins each action to a commit, and has only read permissions',
    (name) => {
      const text = readFileSync(join(folder, name), 'utf8');
      expect(workflow.parse(parse(text)).permissions).toEqual({ contents: 'read' });
      const actions = [...text.matchAll(/uses: *(\S+)/g)].map(([, action = '']) => action);
      expect(actions).not.toEqual([]);
      expect(actions.filter((action) => !/@[0-9a-f]{40}$/.test(action))).toEqual([]);
    },
  );
});
