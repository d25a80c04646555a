import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { FAULTS } from './faults.ts';
import { findMechanisms } from './find-mechanisms.ts';
import { change } from './plant.ts';

const SRC = join(import.meta.dirname, '../../../src');

test.each(FAULTS)('can be planted: $name', (fault) => {
  const source = readFileSync(join(SRC, fault.file), 'utf8');
  expect(change(source, fault)).not.toBe(source);
});

test('each fault is in a mechanism of the plans', () => {
  expect(FAULTS.filter((fault) => findMechanisms(fault).length === 0)).toEqual([]);
});

test('faults have different names, by which they are run', () => {
  expect(new Set(FAULTS.map(({ name }) => name)).size).toBe(FAULTS.length);
});
