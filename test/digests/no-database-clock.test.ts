import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const sourceFolder = join(import.meta.dirname, '../../src');
const CLOCKS =
  /\b(?:now|clock_timestamp|statement_timestamp)\s*\(\s*\)|\b(?:current|local)_?(?:date|timestamp|time)\b/i;

test('no SQL statement for digests reads the clock of the database', () => {
  const files = readdirSync(sourceFolder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /^digests\/(?:sql|occurrence).*\.ts$/.test(name),
  );
  expect(files.length).toBeGreaterThan(1);
  for (const name of files) expect(readFileSync(join(sourceFolder, name), 'utf8'), name).not.toMatch(CLOCKS);
  const tables = readFileSync(join(sourceFolder, 'app/migrations.ts'), 'utf8').split(
    /(?=create (?:table|index))/,
  );
  const ofDigests = tables.filter((statement) => statement.includes('digest'));
  expect(ofDigests.length).toBeGreaterThan(2);
  for (const statement of ofDigests) expect(statement).not.toMatch(CLOCKS);
  expect('default now()').toMatch(CLOCKS);
  expect('where due_at < current_timestamp').toMatch(CLOCKS);
});
