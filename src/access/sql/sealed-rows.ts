import { type Kysely, sql } from 'kysely';
import type { BotSchema } from '../../store/schema.ts';
import type { SealedColumn } from './sealed-columns.ts';

/** One sealed text, and the workspace and project that it is bound to. */
export interface SealedRow {
  key: string;
  sealed: string;
  workspace: string;
  project: string;
}

/** Rows of a column that were not sealed with the key `keyId`, ordered by the table's key, after `after`. */
export async function rowsSealedWithOtherKeys(
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

/** Replaces a sealed text. False if it has changed meanwhile. */
export async function replaceSealed(
  db: Kysely<BotSchema>,
  at: SealedColumn,
  { key, sealed, replacement }: { key: string; sealed: string; replacement: string },
): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`
    update ${sql.table(at.table)} set ${sql.ref(at.column)} = ${replacement}
    where ${sql.ref(at.key)} = ${key} and ${sql.ref(at.column)} = ${sealed}`.execute(db);
  return numAffectedRows > 0n;
}
