import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { generatedFiles } from '../../src/start/generated-files.ts';

const generated = await generatedFiles();

test.each(Object.keys(generated))('%s is what `npm run generate` writes', (path) => {
  expect(readFileSync(path, 'utf8'), 'stale: run `npm run generate`').toBe(generated[path]);
});
