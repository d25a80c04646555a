import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { openDatabase } from '../../src/store/database.ts';
import { startCommand } from '../support/command.ts';
import { createOnPostgres, onPostgres } from '../support/databases.ts';

const KEY = `k:${Buffer.alloc(32, 3).toString('base64')}`;

onPostgres((url) => {
  test.each(['main.ts', 'cli/restored.ts'])(
    '%s refuses an earlier version’s Postgres database without changing it, and explains in one line what to do',
    async (entry) => {
      const database = await createOnPostgres(url);
      const up = async () => {};
      const db = await openDatabase<unknown>({
        dialect: database.dialect(),
        migrations: { '0000-earlier': { up } },
      });
      const listTables = async () =>
        (
          await sql<{
            name: string;
          }>`select tablename as name from pg_tables where schemaname = 'public'`.execute(db)
        ).rows;
      const tablesBefore = await listTables();
      const env = {
        DATABASE_URL: database.url,
        ENCRYPTION_KEYS: KEY,
        SCHEDULING_API_TOKEN: 'a-token-that-is-long',
      };
      const slack = { SLACK_BOT_TOKEN: 'xoxb-1234-5678-abcdef', SLACK_APP_TOKEN: 'xapp-1-A1-abcdefgh' };
      const service = { SCHEDULING_API_URL: 'https://posts.example.com', PORT: '0', LOG_LEVEL: 'error' };
      const command = startCommand(entry, { env: { ...env, ...slack, ...service } });
      expect(await command.exit).toBe(1);
      expect(command.readOutput().trim()).toMatch(
        /^DATABASE_URL: .*earlier version .*0000-earlier.*Nothing was changed: use .* empty database$/,
      );
      expect(await listTables()).toEqual(tablesBefore);
      await db.destroy();
      await database.close();
    },
  );
});
