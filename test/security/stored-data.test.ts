import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { ENTRY_RETENTION_DAYS } from '../../src/access/record/record.ts';
import { ENCRYPTED_COLUMNS } from '../../src/access/rotate-keys.ts';
import { DIGEST_PACE } from '../../src/digests/pace.ts';
import { HELD_POST_PACE } from '../../src/held-posts/pace.ts';
import { PUBLICATION_PACE } from '../../src/publications/publications.ts';
import { PACE } from '../../src/submissions/pace.ts';
import { setUpBotDatabase } from '../support/set-up-database.ts';

// Checks the table of stored data in SECURITY.md.

const DAY_MS = 86_400_000;

const database = await setUpBotDatabase();

const rows = readFileSync('SECURITY.md', 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('| '));

test('SECURITY.md lists every database table', async () => {
  const tables = (await database.db.introspection.getTables())
    .filter(({ schema, name, isView }) => schema === 'public' && !isView && !name.startsWith('kysely_'))
    .map(({ name }) => name);
  expect(tables.length).toBeGreaterThan(15);
  expect(tables.filter((name) => !rows.some((row) => row.includes(`\`${name}\``)))).toEqual([]);
});

test.each([
  ['submission', PACE.retentionMs],
  ['publication', PUBLICATION_PACE.retention],
  ['post', HELD_POST_PACE.retentionMs],
  ['digest_occurrence', DIGEST_PACE.retentionMs],
  ['audit_entry', ENTRY_RETENTION_DAYS * DAY_MS],
])('SECURITY.md says how long rows of %s stay', (table, retentionMs) => {
  expect(rows.find((row) => row.includes(`\`${table}\``))).toContain(`${retentionMs / DAY_MS} days`);
});

test('SECURITY.md says which tables contain encrypted data', () => {
  for (const { table } of ENCRYPTED_COLUMNS) {
    expect([table, rows.find((row) => row.includes(`\`${table}\``))]).toEqual([
      table,
      expect.stringContaining('sealed'),
    ]);
  }
});
