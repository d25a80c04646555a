import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ENCRYPTED_COLUMNS } from '../../src/access/sql/encrypted-columns.ts';
import { type BotDatabase, openBotDatabase } from '../support/bot-database.ts';

// Checks the table of stored data in SECURITY.md.

let database: BotDatabase;
beforeAll(async () => {
  database = await openBotDatabase();
});
afterAll(() => database.close());

const rows = readFileSync('SECURITY.md', 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('| '));

test('SECURITY.md lists every database table', async () => {
  const tables = (await database.db.introspection.getTables())
    .filter(({ schema, name }) => schema === 'public' && !name.startsWith('kysely_'))
    .map(({ name }) => name);
  expect(tables.length).toBeGreaterThan(15);
  expect(tables.filter((name) => !rows.some((row) => row.includes(`\`${name}\``)))).toEqual([]);
});

test('SECURITY.md says which tables contain encrypted data', () => {
  for (const { table } of ENCRYPTED_COLUMNS) {
    expect([table, rows.find((row) => row.includes(`\`${table}\``))]).toEqual([
      table,
      expect.stringContaining('sealed'),
    ]);
  }
});
