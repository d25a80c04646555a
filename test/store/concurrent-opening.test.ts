import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { openDatabase } from '../../src/store/database.ts';
import { createOnPostgres, onEveryEmptyDatabase, onPostgres } from '../support/databases.ts';
import { createSlowMigration } from './programs/slow-migration.ts';

const program = fileURLToPath(new URL('./programs/migrate.ts', import.meta.url));

onEveryEmptyDatabase((create) => {
  test('if four callers open a new database at the same time, one migrates the database and the others wait', async () => {
    const database = await create();
    const migratingCallers: number[] = [];
    const databases = await Promise.all(
      [1, 2, 3, 4].map((caller) =>
        openDatabase<unknown>({
          dialect: database.dialect(),
          migrations: createSlowMigration(() => migratingCallers.push(caller)),
        }),
      ),
    );
    expect(migratingCallers).toHaveLength(1);
    for (const db of databases) {
      expect((await sql`select * from migrated`.execute(db)).rows).toEqual([{ times: 1 }]);
      await db.destroy();
    }
    await database.close();
  });
});

onPostgres((buildUrl) => {
  test('if four processes start at the same time, one migrates the database and the others wait', async () => {
    const database = await createOnPostgres(buildUrl);
    const outputs = await Promise.all(
      [1, 2, 3, 4].map(() => promisify(execFile)(process.execPath, [program, database.url])),
    );
    expect(outputs.map(({ stdout }) => stdout.trim()).sort()).toEqual([
      'migrated',
      'waited',
      'waited',
      'waited',
    ]);
    await database.close();
  });
});
