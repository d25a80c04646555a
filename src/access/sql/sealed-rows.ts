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

/**
 * Up to `limit` texts of a column that are sealed with other keys than `keyId`. Ordered by the table's key column,
 * starting after the value `after`.
 */
export async function listRowsSealedWithOtherKeys(
  db: Kysely<BotSchema>,
  { table, column, key, workspace, project }: SealedColumn,
  page: { keyId: string; after: string; limit: number },
): Promise<SealedRow[]> {
  const text = sql.ref(column);
  const refOrEmpty = (name: string | undefined) => (name === undefined ? sql`''` : sql.ref(name));
  const { rows } = await sql<SealedRow>`
    select ${sql.ref(key)} as key, ${text} as sealed, ${refOrEmpty(workspace)} as workspace,
      ${refOrEmpty(project)} as project
    from ${sql.table(table)}
    where ${sql.ref(key)} > ${page.after} and ${text} is not null and split_part(${text}, ':', 2) <> ${page.keyId}
    order by ${sql.ref(key)} limit ${page.limit}`.execute(db);
  return rows;
}

/** Replaces a sealed text. Returns false if somebody else changed the row in the meantime. */
export async function replaceSealedText(
  db: Kysely<BotSchema>,
  column: SealedColumn,
  { key, sealed, replacement }: { key: string; sealed: string; replacement: string },
): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`
    update ${sql.table(column.table)} set ${sql.ref(column.column)} = ${replacement}
    where ${sql.ref(column.key)} = ${key} and ${sql.ref(column.column)} = ${sealed}`.execute(db);
  return numAffectedRows > 0n;
}
