import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '..', '..', 'src');
/**
 * Finds statements outside the kernel that write a state. The `state` of `digest` is a setting, not a lifecycle state.
 */
const files = globSync('**/*.ts', { cwd: root, exclude: ['delivery/**', 'emulators/**'] });

/** Statements that change a `state`, with the query builder or in SQL. */
function stateWrites(text: string): string[] {
  const built = text.split(/(?=\b(?:updateTable|insertInto)\()/).slice(1);
  const written = built
    .map((rest) => rest.split(/\.where\(|\.execute/)[0] ?? '')
    .filter((one) => /[{,\s]state(?::|,|\s*\})/.test(one) && !/^\w+\('(?:digest|install_state)'\)/.test(one));
  const raw = [...text.matchAll(/\bupdate\s[^;`]*\bset\b[^;`]*\bstate\s*=[^;`]*/gi)];
  return [...written, ...raw.map(([sql]) => sql)];
}

test('only the kernel writes the state of a delivery', () => {
  expect(files.length).toBeGreaterThan(100);
  const found = files.flatMap((file) =>
    stateWrites(readFileSync(join(root, file), 'utf8')).map((write) => `${file}: ${write}`),
  );
  expect(found).toEqual([]);
});

test.each([
  "db.updateTable('submission').set({ state: 'discarded', reason })",
  "db\n  .updateTable('digest_occurrence')\n  .set((row) => ({\n    state,\n    reason: null }))",
  "db.insertInto('submission').values({ ...row, state: 'saved' })",
  "sql`update submission set reason = null, state = 'saved' where id = 1`",
])('finds a statement that writes a state: %s', (text) => {
  expect(stateWrites(text)).toHaveLength(1);
});

test.each([
  "db.updateTable('submission').set({ next_at: at }).where('state', 'in', states).execute()",
  "db.updateTable('digest').set({ state: 'paused' })",
  "db.insertInto('submission').values({ ...entryColumns(LIFECYCLE, 'saved', at) })",
])('ignores any other statement: %s', (text) => {
  expect(stateWrites(text)).toEqual([]);
});
