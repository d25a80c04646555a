import { type Kysely, sql } from 'kysely';
import { openDatabase } from '../../src/store/database.ts';
import { openPGlite } from './open-pglite.ts';

/** A migration of an earlier version that no longer exists. Its name sorts before all current migrations. */
const migrations = {
  '0000-earlier': {
    up: async (db: Kysely<unknown>) => {
      await sql`create table note (text text not null)`.execute(db);
    },
  },
};

async function withEarlierDatabase<T>(folder: string, work: (db: Kysely<unknown>) => Promise<T>): Promise<T> {
  const { dialect } = await openPGlite(folder);
  const db = await openDatabase<unknown>({ dialect, migrations });
  try {
    return await work(db);
  } finally {
    await db.destroy();
  }
}

/** Turns the empty database in `folder` into a database of an earlier version with this note. */
export function createEarlierDatabase(folder: string, note: string): Promise<unknown> {
  return withEarlierDatabase(folder, (db) => sql`insert into note values (${note})`.execute(db));
}

/** Reads the notes of an earlier version's database as that version would. */
export async function readEarlierDatabase(folder: string): Promise<string[]> {
  const read = sql<{ text: string }>`select text from note`;
  const { rows } = await withEarlierDatabase(folder, (db) => read.execute(db));
  return rows.map(({ text }) => text);
}
