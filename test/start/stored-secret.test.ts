import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { storedSecret } from '../../src/start/stored-secret.ts';

let folder: string;
beforeEach(() => {
  mkdirSync('.cache', { recursive: true });
  folder = mkdtempSync(join('.cache', 'stored-secret-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

test('a secret is created once, and then read from its file', () => {
  expect(storedSecret(folder, 'token', () => 'first')).toBe('first');
  expect(storedSecret(folder, 'token', () => 'second')).toBe('first');
});

test('only the owner of the file can read a secret, and no temporary file remains', () => {
  storedSecret(folder, 'token', () => 'first');
  expect(statSync(join(folder, 'token')).mode & 0o777).toBe(0o600);
  expect(readdirSync(folder)).toEqual(['token']);
});

test('if two processes create a secret simultaneously, the second uses the secret of the first', () => {
  const secondSecret = storedSecret(folder, 'token', () => {
    storedSecret(folder, 'token', () => 'first');
    return 'second';
  });
  expect(secondSecret).toBe('first');
});

test('an error on creating the folder is thrown', () => {
  storedSecret(folder, 'file', () => 'x');
  expect(() => storedSecret(join(folder, 'file'), 'token', () => 'x')).toThrow(/ENOTDIR|EEXIST/);
});
