import { type Kysely, sql } from 'kysely';
import { openDatabase } from '../../src/store/database.ts';
import { openPGlite } from '../../src/store/pglite/pglite.ts';

/** The migration of an earlier version. It no longer exists, and sorts before every later one. */
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

/** Turns the empty database in `folder` into one of an earlier version that contains this note. */
export function writeEarlier(folder: string, note: string): Promise<unknown> {
  return withEarlierDatabase(folder, (db) => sql`insert into note values (${note})`.execute(db));
}

/** Reads the notes of an earlier version's database as that version would. */
export async function readEarlier(folder: string): Promise<string[]> {
  const read = sql<{ text: string }>`select text from note`;
  const { rows } = await withEarlierDatabase(folder, (db) => read.execute(db));
  return rows.map(({ text }) => text);
}
