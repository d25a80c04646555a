import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readOrCreateSecret } from '../../src/start/secrets.ts';

let folder: string;
beforeEach(() => {
  mkdirSync('.cache', { recursive: true });
  folder = mkdtempSync(join('.cache', 'stored-secret-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

test('a secret is created once, and then read from its file', () => {
  expect(readOrCreateSecret(folder, 'token', () => 'first')).toBe('first');
  expect(readOrCreateSecret(folder, 'token', () => 'second')).toBe('first');
});

test('only the owner of the file can read a secret, and no temporary file remains', () => {
  readOrCreateSecret(folder, 'token', () => 'first');
  expect(statSync(join(folder, 'token')).mode & 0o777).toBe(0o600);
  expect(readdirSync(folder)).toEqual(['token']);
});

test('if two processes create a secret simultaneously, the second uses the secret of the first', () => {
  const secondSecret = readOrCreateSecret(folder, 'token', () => {
    readOrCreateSecret(folder, 'token', () => 'first');
    return 'second';
  });
  expect(secondSecret).toBe('first');
});

test('an error on creating the folder is thrown', () => {
  readOrCreateSecret(folder, 'file', () => 'x');
  expect(() => readOrCreateSecret(join(folder, 'file'), 'token', () => 'x')).toThrow(/ENOTDIR|EEXIST/);
});
