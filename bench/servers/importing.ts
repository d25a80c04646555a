import { performance } from 'node:perf_hooks';
import { migrations } from '../../src/app/migrations.ts';
import type { BotSchema } from '../../src/handlers/schema.ts';
import { pressImport } from '../../src/imports/imports.ts';
import { openDatabase } from '../../src/store/database.ts';
import { createPostgresDialect } from '../../src/store/postgres-dialect.ts';
import { startTestImports } from '../../test/support/start-imports.ts';

/**
 * Imports rows until it is killed or done. `ROWS`: stores and begins an import of so many rows first. `PASSED_MS`: how far
 * the clock is ahead, past the leases of killed processes.
 */

const { DATABASE_URL = '', ROWS, PASSED_MS = '0' } = process.env;
const db = await openDatabase<BotSchema>({ dialect: createPostgresDialect(DATABASE_URL), migrations });
const fixture = await startTestImports(async () => ({
  db,
  dialect: () => createPostgresDialect(DATABASE_URL),
  close: () => db.destroy(),
}));
if (ROWS !== undefined) await fixture.reset();
fixture.passMs(Number(PASSED_MS));
const { context, runOnce } = fixture.createImportInstance({ turnMs: Number.POSITIVE_INFINITY });
if (ROWS !== undefined) {
  const texts = Array.from({ length: Number(ROWS) }, (_, index) =>
    `Post ${index}: our new roast is here. `.repeat(5),
  );
  const { id } = await fixture.storeRows(context, texts);
  await pressImport(context, { id, workspace: 'T1', author: 'U1' }, { from: ['checked'], to: 'importing' });
}
console.log('importing');
const startedAt = performance.now();
await runOnce();
console.log(`done in ${Math.round(performance.now() - startedAt)} ms`);
await fixture.close();
