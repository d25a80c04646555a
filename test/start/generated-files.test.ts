import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { generateFiles } from '../../src/start/generated-files.ts';

const expectedFiles = await generateFiles();

test.each(Object.keys(expectedFiles))('%s is up to date with the output of `npm run generate`', (path) => {
  expect(readFileSync(path, 'utf8'), 'stale: run `npm run generate`').toBe(expectedFiles[path]);
});
