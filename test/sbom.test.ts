import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';

// `npm run sbom` prints a list of all installed packages, which people can check for known vulnerabilities.

const root = join(import.meta.dirname, '..');
const { scripts } = z
  .object({ scripts: z.object({ sbom: z.string() }) })
  .parse(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')));
const bom = z.object({
  bomFormat: z.literal('CycloneDX'),
  components: z.array(
    z.object({
      name: z.string(),
      version: z.string(),
      purl: z.string().startsWith('pkg:npm/'),
      scope: z.string(),
      hashes: z.array(z.object({ alg: z.string(), content: z.string() })).default([]),
      licenses: z.array(
        z.union([z.object({ license: z.object({ id: z.string() }) }), z.object({ expression: z.string() })]),
      ),
    }),
  ),
});

// Works without network access, and without the npm settings of this machine.
const env = { PATH: process.env.PATH, npm_config_offline: 'true', npm_config_userconfig: '/dev/null' };
const result = spawnSync(scripts.sbom, { cwd: root, encoding: 'utf8', shell: true, env, maxBuffer: 2 ** 26 });
/** Packages of this repository, by their folders. They come with it and have no checksum. */
const OWN_PACKAGES = ['practice-service', 'slack-workspace'];
const components = bom
  .parse(JSON.parse(result.stdout))
  .components.filter(({ name }) => !OWN_PACKAGES.includes(name));

const lock = z
  .object({
    packages: z.record(
      z.string(),
      z.looseObject({
        version: z.string().optional(),
        integrity: z.string().optional(),
        license: z.string().optional(),
        link: z.boolean().default(false),
        dev: z.boolean().default(false),
        optional: z.boolean().default(false),
        devOptional: z.boolean().default(false),
      }),
    ),
  })
  .parse(JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')));
const lockedPackages = Object.entries(lock.packages).flatMap(([path, { version = '', ...entry }]) =>
  path.startsWith('node_modules/') && !entry.link
    ? [{ ...entry, id: `${path.slice(path.lastIndexOf('node_modules/') + 13)}@${version}` }]
    : [],
);
const componentsById = new Map(
  components.map((component) => [`${component.name}@${component.version}`, component]),
);

describe('the SBOM', () => {
  test('the SBOM lists exactly the packages of the lock file, each in its locked version', () => {
    expect(lockedPackages.length).toBeGreaterThan(100);
    expect([...componentsById.keys()].toSorted()).toEqual(
      [...new Set(lockedPackages.map(({ id }) => id))].toSorted(),
    );
  });

  test('the SBOM has the lock file’s checksum of each package', () => {
    const mismatches = lockedPackages.filter(({ id, integrity = '' }) => {
      const hash = Buffer.from(integrity.replace('sha512-', ''), 'base64').toString('hex');
      return !componentsById
        .get(id)
        ?.hashes.some(({ alg, content }) => alg === 'SHA-512' && content === hash);
    });
    expect(mismatches.map(({ id }) => id)).toEqual([]);
  });

  test('the SBOM has the lock file’s licence of each package', () => {
    const mismatches = lockedPackages.filter(({ id, license }) => {
      const [licence] = componentsById.get(id)?.licenses ?? [];
      return (licence && ('license' in licence ? licence.license.id : licence.expression)) !== license;
    });
    expect(mismatches.map(({ id }) => id)).toEqual([]);
  });

  test('the SBOM marks a package as required only if it is installed on every machine', () => {
    const requiredPackages = lockedPackages.filter(
      ({ dev, optional, devOptional }) => !(dev || optional || devOptional),
    );
    const requiredComponents = components.filter(({ scope }) => scope === 'required');
    expect(new Set(requiredComponents.map(({ name, version }) => `${name}@${version}`))).toEqual(
      new Set(requiredPackages.map(({ id }) => id)),
    );
  });
});
