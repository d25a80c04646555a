import { type Kysely, sql } from 'kysely';
import { openDatabase } from '../../src/store/database.ts';
import { openPGlite } from '../../src/store/pglite/pglite.ts';

/** As an earlier version left it: its migration is gone, and sorts before every later one. */
const migrations = {
  '0000-earlier': {
    up: async (db: Kysely<unknown>) => {
      await sql`create table note (text text not null)`.execute(db);
    },
  },
};

async function inFolder<T>(folder: string, work: (db: Kysely<unknown>) => Promise<T>): Promise<T> {
  const { dialect } = await openPGlite(folder);
  const db = await openDatabase<unknown>({ dialect, migrations });
  try {
    return await work(db);
  } finally {
    await db.destroy();
  }
}

/** Makes the empty database in `folder` one of an earlier version, which holds this note. */
export function writeEarlier(folder: string, note: string): Promise<unknown> {
  return inFolder(folder, (db) => sql`insert into note values (${note})`.execute(db));
}

/** The notes that the earlier version's database in `folder` holds, as that version would read them. */
export async function readEarlier(folder: string): Promise<string[]> {
  const read = sql<{ text: string }>`select text from note`;
  const { rows } = await inFolder(folder, (db) => read.execute(db));
  return rows.map(({ text }) => text);
}
