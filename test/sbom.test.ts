import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';

/** What `npm run sbom` prints: everything that is installed, for whoever looks for known faults in it. */

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
      hashes: z.array(z.object({ alg: z.string(), content: z.string() })),
      licenses: z.array(
        z.union([z.object({ license: z.object({ id: z.string() }) }), z.object({ expression: z.string() })]),
      ),
    }),
  ),
});

// Without the network, and without any setting of this machine's.
const env = { PATH: process.env.PATH, npm_config_offline: 'true', npm_config_userconfig: '/dev/null' };
const made = spawnSync(scripts.sbom, { cwd: root, encoding: 'utf8', shell: true, env, maxBuffer: 2 ** 26 });
const { components } = bom.parse(JSON.parse(made.stdout));

const lock = z
  .object({
    packages: z.record(
      z.string(),
      z.looseObject({
        version: z.string().optional(),
        integrity: z.string().optional(),
        license: z.string().optional(),
        dev: z.boolean().default(false),
        optional: z.boolean().default(false),
        devOptional: z.boolean().default(false),
      }),
    ),
  })
  .parse(JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')));
const locked = Object.entries(lock.packages).flatMap(([path, { version = '', ...entry }]) =>
  path === '' ? [] : [{ ...entry, id: `${path.slice(path.lastIndexOf('node_modules/') + 13)}@${version}` }],
);
const found = new Map(components.map((one) => [`${one.name}@${one.version}`, one]));

describe('the SBOM', () => {
  test('names every package of the lock in its version, and no other', () => {
    expect(locked.length).toBeGreaterThan(100);
    expect([...found.keys()].toSorted()).toEqual([...new Set(locked.map(({ id }) => id))].toSorted());
  });

  test('has the checksum of each, the lock’s own', () => {
    const differ = locked.filter(({ id, integrity = '' }) => {
      const hash = Buffer.from(integrity.replace('sha512-', ''), 'base64').toString('hex');
      return !found.get(id)?.hashes.some(({ alg, content }) => alg === 'SHA-512' && content === hash);
    });
    expect(differ.map(({ id }) => id)).toEqual([]);
  });

  test('has the licence of each, the lock’s own', () => {
    const differ = locked.filter(({ id, license }) => {
      const [own] = found.get(id)?.licenses ?? [];
      return (own && ('license' in own ? own.license.id : own.expression)) !== license;
    });
    expect(differ.map(({ id }) => id)).toEqual([]);
  });

  test('tells what is always installed from what only developers or some machines have', () => {
    const always = locked.filter(({ dev, optional, devOptional }) => !(dev || optional || devOptional));
    const required = components.filter(({ scope }) => scope === 'required');
    expect(new Set(required.map(({ name, version }) => `${name}@${version}`))).toEqual(
      new Set(always.map(({ id }) => id)),
    );
  });
});
