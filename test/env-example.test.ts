import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { ROLE_TABLE, ROLES } from '../src/access/access.ts';
import { readSettings, SettingsError, variables } from '../src/config/config.ts';

const root = join(import.meta.dirname, '..');
const text = readFileSync(join(root, '.env.example'), 'utf8');
const examples = [...text.matchAll(/^#? ?([A-Z][A-Z_]+)=(.*)$/gm)].map(([, name = '', value = '']) => ({
  name,
  value,
}));

describe('.env.example', () => {
  test('.env.example contains every setting, and nothing else', () => {
    expect([...new Set(examples.map(({ name }) => name))].toSorted()).toEqual(
      Object.keys(variables.shape).toSorted(),
    );
  });

  test('.env.example changes no setting if it is copied unchanged', () => {
    expect(parseEnv(text)).toEqual({});
  });

  test.each(examples.filter(({ value }) => value.includes('...')))(
    'the placeholder for $name is refused with an error that names the setting',
    ({ name, value }) => {
      const readPlaceholder = () => readSettings({ [name]: value });
      expect(readPlaceholder).toThrow(SettingsError);
      expect(readPlaceholder).toThrow(name);
    },
  );
});

test.each(['README.md', '.env.example'])('%s lists the roles that full members can have', (document) => {
  const lines = readFileSync(join(root, document), 'utf8').split('\n');
  const line = lines.find((text) => text.includes('full members who were granted none')) ?? '';
  expect(ROLES.filter((role) => !line.includes(role))).toEqual([]);
});

test('README says what people with each role do', () => {
  const lines = readFileSync(join(root, 'README.md'), 'utf8').split('\n');
  const line = lines.find((text) => text.startsWith('**Let everybody do their part.**')) ?? '';
  expect(ROLES.filter((role) => !line.includes(`${ROLE_TABLE[role].name}s `))).toEqual([]);
});

test('README mentions every setting', () => {
  const readme = readFileSync(join(root, 'README.md'), 'utf8');
  expect(Object.keys(variables.shape).filter((name) => !readme.includes(`\`${name}`))).toEqual([]);
});

test('README states every default of the settings', () => {
  const rows = readFileSync(join(root, 'README.md'), 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) => line.split(' | '));
  const defaults = Object.entries(variables.parse({})).filter(([, value]) => value !== undefined);
  expect(defaults.length).toBeGreaterThan(8);
  const findDefault = (name: string) => rows.find(([names]) => names?.includes(`\`${name}\``))?.at(-1);
  expect(defaults.filter(([name, value]) => !findDefault(name)?.includes(String(value)))).toEqual([]);
});

test('every npm script that reads the settings also loads .env', () => {
  const { scripts } = z
    .object({ scripts: z.record(z.string(), z.string()) })
    .parse(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')));
  const readingScripts = Object.entries(scripts).filter(([, line]) => {
    const [entry] = /src\/[\w/-]+\.ts/.exec(line) ?? [];
    return entry !== undefined && readFileSync(join(root, entry), 'utf8').includes('readSettings(');
  });
  expect(readingScripts.map(([name]) => name)).toContain('start');
  expect(
    readingScripts
      .filter(([, line]) => !line.includes('--require ./src/start/load-env.cjs'))
      .map(([name]) => name),
  ).toEqual([]);
});
