import { type Kysely, sql } from 'kysely';
import type { AccessTables } from '../tables.ts';
import type { EncryptedColumn } from './encrypted-columns.ts';

/** One encrypted text, and the workspace and project that it is bound to. */
export interface EncryptedRow {
  /** The value of the primary key. */
  rowKey: string;
  encrypted: string;
  workspace: string;
  project: string;
}

/**
 * Up to `limit` texts of a column that are encrypted with other keys than `keyId`. Ordered by the table's primary key,
 * starting after the row key `after`.
 */
export async function listRowsWithOtherKeys(
  db: Kysely<AccessTables>,
  { table, column, primaryKey, workspace, project }: EncryptedColumn,
  page: { keyId: string; after: string; limit: number },
): Promise<EncryptedRow[]> {
  const encryptedText = sql.ref(column);
  const selectOrEmpty = (name: string | undefined) => (name === undefined ? sql`''` : sql.ref(name));
  const { rows } = await sql<EncryptedRow>`
    select ${sql.ref(primaryKey)} as "rowKey", ${encryptedText} as encrypted, ${selectOrEmpty(workspace)} as workspace,
      ${selectOrEmpty(project)} as project
    from ${sql.table(table)}
    where ${sql.ref(primaryKey)} > ${page.after} and ${encryptedText} is not null and split_part(${encryptedText}, ':', 2) <> ${page.keyId}
    order by ${sql.ref(primaryKey)} limit ${page.limit}`.execute(db);
  return rows;
}

/** Replaces an encrypted text. Returns false if an instance has changed the text in the meantime. */
export async function replaceEncryptedText(
  db: Kysely<AccessTables>,
  column: EncryptedColumn,
  { rowKey, encrypted, replacement }: { rowKey: string; encrypted: string; replacement: string },
): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`
    update ${sql.table(column.table)} set ${sql.ref(column.column)} = ${replacement}
    where ${sql.ref(column.primaryKey)} = ${rowKey} and ${sql.ref(column.column)} = ${encrypted}`.execute(db);
  return numAffectedRows > 0n;
}
