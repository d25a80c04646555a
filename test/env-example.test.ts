import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { readSettings, SettingsError } from '../src/config/config.ts';
import { variables } from '../src/config/variables.ts';

const root = join(import.meta.dirname, '..');
const text = readFileSync(join(root, '.env.example'), 'utf8');
const named = [...text.matchAll(/^#? ?([A-Z][A-Z_]+)=(.*)$/gm)].map(([, name = '', value = '']) => ({
  name,
  value,
}));

describe('.env.example', () => {
  test('names every setting, and nothing else', () => {
    expect([...new Set(named.map(({ name }) => name))].toSorted()).toEqual(
      Object.keys(variables.shape).toSorted(),
    );
  });

  test('copied as it is, changes nothing', () => {
    expect(parseEnv(text)).toEqual({});
  });

  test.each(named.filter(({ value }) => value.includes('...')))(
    'the placeholder of $name is refused, by its name',
    ({ name, value }) => {
      const refused = () => readSettings({ [name]: value });
      expect(refused).toThrow(SettingsError);
      expect(refused).toThrow(name);
    },
  );
});

test('README tells of every setting', () => {
  const readme = readFileSync(join(root, 'README.md'), 'utf8');
  expect(Object.keys(variables.shape).filter((name) => !readme.includes(`\`${name}`))).toEqual([]);
});

test('every command that reads the settings reads .env as well', () => {
  const { scripts } = z
    .object({ scripts: z.record(z.string(), z.string()) })
    .parse(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')));
  const reading = Object.entries(scripts).filter(([, line]) => {
    const [entry] = /src\/[\w/-]+\.ts/.exec(line) ?? [];
    return entry !== undefined && readFileSync(join(root, entry), 'utf8').includes('readSettings(');
  });
  expect(reading.map(([name]) => name)).toContain('start');
  expect(
    reading.filter(([, line]) => !line.includes('--require ./src/start/load-env.cjs')).map(([name]) => name),
  ).toEqual([]);
});
