import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';

/** What is installed with the app is what was looked at, from the one registry, and runs nothing while it is installed. */

const root = join(import.meta.dirname, '..');
const read = (path: string): unknown => JSON.parse(readFileSync(join(root, path), 'utf8'));

const versions = z.record(z.string(), z.string()).default({});
const wanted = z
  .object({ dependencies: versions, devDependencies: versions, optionalDependencies: versions })
  .parse(read('package.json'));
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
  .parse(read('package-lock.json'));
const packages = Object.entries(lock.packages).filter(([path]) => path !== '');

/** The registry's own host, should the lock ever name one; never another's, never git. */
const REGISTRY = /^https:\/\/registry\.npmjs\.org\//;

/** Each may be shipped with software of another licence as we ship it: unchanged, with its text. */
const LICENCES = [
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'CC0-1.0',
  'ISC',
  'MIT',
  'MPL-2.0',
  'Python-2.0',
];

/** What npm runs by itself (`prepare` too, for what comes from a repository: nothing does). */
const HOOKS = ['preinstall', 'install', 'postinstall'];

function licencesOf(expression: string): string[] {
  return expression.replace(/[()]/g, '').split(/ (?:OR|AND) /);
}

describe('package.json', () => {
  const all = { ...wanted.dependencies, ...wanted.devDependencies, ...wanted.optionalDependencies };
  test.each(Object.entries(all))(
    '%s is wanted in one exact version, %s, and the lock has it',
    (name, version) => {
      expect(version).toMatch(/^\d+\.\d+\.\d+$/);
      expect(lock.packages[`node_modules/${name}`]?.version).toBe(version);
    },
  );
});

describe('the lock', () => {
  const faulty = (isFaulty: (entry: (typeof packages)[number][1]) => boolean) =>
    packages.filter(([, entry]) => isFaulty(entry)).map(([path]) => path);

  test('knows every package, hundreds of them', () => {
    expect(packages.length).toBeGreaterThan(100);
  });

  test('names no other host than the registry, no repository and no folder', () => {
    expect(
      faulty(({ resolved, link }) => link === true || !(resolved === undefined || REGISTRY.test(resolved))),
    ).toEqual([]);
  });

  test('has the checksum of each', () => {
    expect(faulty(({ integrity }) => !/^sha512-[A-Za-z0-9+/]{86}==$/.test(integrity ?? ''))).toEqual([]);
  });

  test('has none that runs something while it is installed', () => {
    expect(faulty(({ hasInstallScript }) => hasInstallScript === true)).toEqual([]);
  });

  test('has none of a licence that was not looked at', () => {
    expect(
      faulty(({ license = '' }) => !licencesOf(license).some((name) => LICENCES.includes(name))),
    ).toEqual([]);
  });
});

test('what is installed runs nothing either, whatever the lock says of it', () => {
  const scripts = z.object({ scripts: z.record(z.string(), z.string()).default({}) });
  let seen = 0;
  const runs = packages.flatMap(([path]) => {
    const file = `${path}/package.json`;
    // Of another kind of machine.
    if (!existsSync(join(root, file))) return [];
    seen += 1;
    const own = scripts.parse(read(file)).scripts;
    const hooks = HOOKS.filter((hook) => Object.hasOwn(own, hook));
    return [
      ...hooks.map((hook) => `${path}: ${hook}`),
      ...(existsSync(join(root, path, 'binding.gyp')) ? [path] : []),
    ];
  });
  expect(seen).toBeGreaterThan(100);
  expect(runs).toEqual([]);
});

describe('the workflows', () => {
  const workflow = z.object({ permissions: z.record(z.string(), z.string()) });
  const folder = join(root, '.github', 'workflows');
  test.each(readdirSync(folder))('%s pins each action to a commit, and may only read', (name) => {
    const text = readFileSync(join(folder, name), 'utf8');
    expect(workflow.parse(parse(text)).permissions).toEqual({ contents: 'read' });
    const actions = [...text.matchAll(/uses: *(\S+)/g)].map(([, action = '']) => action);
    expect(actions).not.toEqual([]);
    expect(actions.filter((action) => !/@[0-9a-f]{40}$/.test(action))).toEqual([]);
  });
});
