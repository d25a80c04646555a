import { type Kysely, sql } from 'kysely';
import type { BotSchema } from '../../store/schema.ts';
import type { SealedColumn } from './sealed-columns.ts';

/** One sealed text, and what it is bound to. */
export interface SealedRow {
  key: string;
  sealed: string;
  workspace: string;
  project: string;
}

/** Rows of a column after `after` (its key) that were not sealed with the key `keyId`. */
export async function rowsSealedOtherwise(
  db: Kysely<BotSchema>,
  at: SealedColumn,
  page: { keyId: string; after: string; limit: number },
): Promise<SealedRow[]> {
  const text = sql.ref(at.column);
  const or = (column: string | undefined) => (column === undefined ? sql`''` : sql.ref(column));
  const { rows } = await sql<SealedRow>`
    select ${sql.ref(at.key)} as key, ${text} as sealed, ${or(at.workspace)} as workspace, ${or(at.project)} as project
    from ${sql.table(at.table)}
    where ${sql.ref(at.key)} > ${page.after} and ${text} is not null and split_part(${text}, ':', 2) <> ${page.keyId}
    order by ${sql.ref(at.key)} limit ${page.limit}`.execute(db);
  return rows;
}

/** Puts another text in the place of a sealed one; false when that has changed meanwhile. */
export async function replaceSealed(
  db: Kysely<BotSchema>,
  at: SealedColumn,
  { key, sealed, by }: { key: string; sealed: string; by: string },
): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`
    update ${sql.table(at.table)} set ${sql.ref(at.column)} = ${by}
    where ${sql.ref(at.key)} = ${key} and ${sql.ref(at.column)} = ${sealed}`.execute(db);
  return numAffectedRows > 0n;
}
