import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '..', '..', 'src');
/** Statements outside the kernel that write a state. The state of `digest` is a setting, and no delivery's. */
const files = globSync('**/*.ts', { cwd: root, exclude: ['delivery/**', 'emulators/**'] });

/** Changes of a `state` by the query builder, from its table to its end, or in SQL. */
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
  "db.updateTable('submission').set({ state: 'discarded', why })",
  "db\n  .updateTable('digest_occurrence')\n  .set((row) => ({\n    state,\n    why: null }))",
  "db.insertInto('submission').values({ ...row, state: 'saved' })",
  "sql`update submission set why = null, state = 'saved' where id = 1`",
])('a statement that writes one is found: %s', (text) => {
  expect(stateWrites(text)).toHaveLength(1);
});

test.each([
  "db.updateTable('submission').set({ next_at: at }).where('state', 'in', states).execute()",
  "db.updateTable('digest').set({ state: 'paused' })",
  "db.insertInto('submission').values({ ...entering(LIFECYCLE, 'saved', at) })",
])('any other is not: %s', (text) => {
  expect(stateWrites(text)).toEqual([]);
});
