import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '..', '..', 'src');
/** All sources except the engine, which may write states. */
const files = globSync('**/*.ts', { cwd: root, exclude: ['engine/**'] });

/**
 * Finds statements that write a `state`, with the query builder or in SQL. The `state` columns of `digest` and
 * `install_state` are not lifecycle states.
 */
function findStateWrites(text: string): string[] {
  const builderStatements = text.split(/(?=\b(?:updateTable|insertInto)\()/).slice(1);
  const builderWrites = builderStatements
    .map((statement) => statement.split(/\.where\(|\.execute/)[0] ?? '')
    .filter(
      (statement) =>
        /[{,\s]state(?::|,|\s*\})/.test(statement) && !/^\w+\('(?:digest|install_state)'\)/.test(statement),
    );
  const sqlWrites = [...text.matchAll(/\bupdate\s[^;`]*\bset\b[^;`]*\bstate\s*=[^;`]*/gi)];
  return [...builderWrites, ...sqlWrites.map(([sql]) => sql)];
}

test('only the engine writes the state of a delivery', () => {
  expect(files.length).toBeGreaterThan(100);
  const stateWrites = files.flatMap((file) =>
    findStateWrites(readFileSync(join(root, file), 'utf8')).map((write) => `${file}: ${write}`),
  );
  expect(stateWrites).toEqual([]);
});

test.each([
  "db.updateTable('submission').set({ state: 'discarded', reason })",
  "db\n  .updateTable('digest_occurrence')\n  .set((row) => ({\n    state,\n    reason: null }))",
  "db.insertInto('submission').values({ ...row, state: 'saved' })",
  "sql`update submission set reason = null, state = 'saved' where id = 1`",
])('a statement that writes a state is found: %s', (text) => {
  expect(findStateWrites(text)).toHaveLength(1);
});

test.each([
  "db.updateTable('submission').set({ next_at: at }).where('state', 'in', states).execute()",
  "db.updateTable('digest').set({ state: 'paused' })",
  "db.insertInto('submission').values({ ...entryColumns(LIFECYCLE, 'saved', at) })",
])('any other statement is ignored: %s', (text) => {
  expect(findStateWrites(text)).toEqual([]);
});
