import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { keptSecret } from '../../src/start/kept-secret.ts';

let folder: string;
beforeEach(() => {
  mkdirSync('.cache', { recursive: true });
  folder = mkdtempSync(join('.cache', 'kept-secret-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

test('a secret is made once, and the same one is read afterwards', () => {
  expect(keptSecret(folder, 'token', () => 'first')).toBe('first');
  expect(keptSecret(folder, 'token', () => 'second')).toBe('first');
});

test('nobody but its owner may read it, and no draft of it stays behind', () => {
  keptSecret(folder, 'token', () => 'first');
  expect(statSync(join(folder, 'token')).mode & 0o777).toBe(0o600);
  expect(readdirSync(folder)).toEqual(['token']);
});

test('who comes second in a race takes the winner’s', () => {
  const loser = keptSecret(folder, 'token', () => {
    keptSecret(folder, 'token', () => 'winner');
    return 'loser';
  });
  expect(loser).toBe('winner');
});

test('a folder that cannot be made is told, not hidden', () => {
  keptSecret(folder, 'file', () => 'x');
  expect(() => keptSecret(join(folder, 'file'), 'token', () => 'x')).toThrow(/ENOTDIR|EEXIST/);
});
