import { type Insertable, type Kysely, type Selectable, sql, type Transaction } from 'kysely';
import { deleteBatch } from '../../store/delete-batch.ts';
import type { AccessTables, AuditEntryTable } from '../tables.ts';
import type { AuditEntry } from './entry.ts';

/** A stored audit entry. */
export type RecordRow = Selectable<AuditEntryTable>;
/** An entry as it is written. */
export type NewRecordRow = Insertable<AuditEntryTable>;

/**
 * How long an entry is stored: at any time the whole last year, and some weeks for whoever audits it. PCI DSS 4.0.1
 * (10.5.1) requires a year. The trigger of the table has the same number, so the database refuses to delete newer rows.
 */
export const ENTRY_RETENTION_DAYS = 400;
/** Maximum number of rows that one statement deletes. */
const MAX_DELETED_ROWS = 1_000;

/**
 * Maximum length of each text in a row. No text should reach it: the texts are ids of Slack and of the service, and
 * names of actions.
 */
const MAX_TEXT_LENGTH = 300;

/** Builds the row of an entry. `at`: when it happened. */
export function buildRow(entry: AuditEntry, id: string, at: Date): NewRecordRow {
  return {
    id,
    at,
    workspace: entry.workspace,
    actor: toStorableText(entry.actor),
    project: toStorableText(entry.project),
    action: toStorableText(entry.action),
    target: toStorableText(entry.target),
    decision: entry.decision,
    reference: toStorableText(entry.reference),
  };
}

/** Postgres accepts neither NUL nor lone surrogates. */
function toStorableText(text = ''): string {
  return text.slice(0, MAX_TEXT_LENGTH).toWellFormed().replaceAll('\u0000', '');
}

/** Appends rows in one statement. Does nothing for rows that an earlier attempt appended, whose response was lost. */
export async function appendRows(db: Kysely<AccessTables>, rows: readonly NewRecordRow[]): Promise<void> {
  await db
    .insertInto('audit_entry')
    .values(rows)
    .onConflict((conflict) => conflict.columns(['workspace', 'at', 'id']).doNothing())
    .execute();
}

/** Deletes the entries of all workspaces that are older than the retention period, in batches. Returns their number. */
export async function deleteOldEntries(db: Kysely<AccessTables>, isStopped: () => boolean): Promise<number> {
  let deletedCount = 0;
  let batchCount: number;
  do {
    batchCount = await deleteBatch(db, 'audit_entry', {
      key: 'seq',
      condition: sql`at < now() - make_interval(days => ${ENTRY_RETENTION_DAYS})`,
      orderBy: 'at',
      limit: MAX_DELETED_ROWS,
    });
    deletedCount += batchCount;
  } while (batchCount === MAX_DELETED_ROWS && !isStopped());
  return deletedCount;
}

/**
 * Deletes a workspace's audit log. A trigger forbids the deletion of rows, so it is disabled within this transaction.
 * Other transactions can't write to the table until this one ends. Rejects if the database account doesn't own the table,
 * because only the owner can disable the trigger.
 */
export async function deleteAuditRecord(
  transaction: Transaction<AccessTables>,
  workspace: string,
): Promise<void> {
  await sql`alter table audit_entry disable trigger audit_log_append_only`.execute(transaction);
  await transaction.deleteFrom('audit_entry').where('workspace', '=', workspace).execute();
  await sql`alter table audit_entry enable trigger audit_log_append_only`.execute(transaction);
}
