import { CompiledQuery, type Kysely } from 'kysely';
import type { Db } from 'pg-boss';
import { splitStatements } from './split-statements.ts';

/**
 * pg-boss over the database that we have open, whichever it is: no second pool, and the embedded database's thread is
 * shared. pg-boss sends several statements in one text, some of them a transaction; the embedded database takes one at
 * a time, and a BEGIN there would capture everybody's statements: each such text is a transaction of ours.
 */
export function bossDatabase<Schema>(db: Kysely<Schema>): Db {
  const run = async (on: Pick<Kysely<Schema>, 'executeQuery'>, text: string, values: readonly unknown[]) => {
    const { rows } = await on.executeQuery<unknown>(CompiledQuery.raw(text, [...values]));
    return rows;
  };
  return {
    async executeSql(text, values = []) {
      const statements =
        values.length > 0 ? [text] : splitStatements(text).filter((one) => !BRACKETS.test(one));
      const [only = '', ...others] = statements;
      if (others.length === 0) return { rows: await run(db, only, values) };
      return db.transaction().execute(async (transaction) => {
        const rows: unknown[] = [];
        for (const statement of statements) rows.push(...(await run(transaction, statement, [])));
        return { rows };
      });
    },
  };
}

const BRACKETS = /^(?:BEGIN|COMMIT)\b/i;
