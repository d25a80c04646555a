import { type Selectable, sql } from 'kysely';
import type { Queryable } from '../../store/database.ts';
import type { AccessTables, AuditEntryTable } from '../tables.ts';

/** One entry in a workspace's chain. */
export type RecordRow = Selectable<AuditEntryTable>;

/** The end of a workspace's chain. */
export interface RecordHead {
  seq: number;
  hash: string;
}

/** The last row that was deleted from a chain because of its age. The rest of the chain is verified from there. */
export interface Checkpoint extends RecordHead {
  /** A keyed hash, so that nobody without the key of the chains can cut off a chain's beginning. */
  seal: string;
}

/** Stores the head of a new chain. Does nothing if the workspace has a chain. */
export async function createHead(
  db: Queryable<AccessTables>,
  workspace: string,
  initialHead: RecordHead,
): Promise<void> {
  await db
    .insertInto('audit_head')
    .values({ workspace, ...initialHead })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/**
 * Appends rows after `head` in one statement. Does nothing and returns false if the chain has another head by now.
 */
export async function appendRows(
  db: Queryable<AccessTables>,
  head: RecordHead,
  rows: readonly RecordRow[],
): Promise<boolean> {
  const last = rows.at(-1);
  if (!last) return true;
  const values = rows.map(
    (row) =>
      sql`(${row.workspace}::text, ${row.seq}::integer, ${row.at}::timestamptz, ${row.actor}::text, ${row.project}::text, ${row.action}::text, ${row.target}::text, ${row.decision}::text, ${row.reference}::text, ${row.previous}::text, ${row.hash}::text)`,
  );
  const inserted = await sql<{ seq: number }>`
    with updated_head as (
      update audit_head set seq = ${last.seq}, hash = ${last.hash}
      where workspace = ${last.workspace} and seq = ${head.seq} and hash = ${head.hash}
      returning 1
    )
    insert into audit_entry (workspace, seq, at, actor, project, action, target, decision, reference, previous, hash)
    select * from (values ${sql.join(values)}) as added
    where exists (select 1 from updated_head)
    returning seq`.execute(db);
  return inserted.rows.length > 0;
}

/** Returns the hash of a possible head that is a row of the chain; undefined if none is. */
export async function findHashInChain(
  db: Queryable<AccessTables>,
  workspace: string,
  heads: readonly RecordHead[],
): Promise<string | undefined> {
  const rows = await db
    .selectFrom('audit_entry')
    .select('hash')
    .where('workspace', '=', workspace)
    .where(
      'seq',
      'in',
      heads.map(({ seq }) => seq),
    )
    .execute();
  return rows.find(({ hash }) => heads.some((head) => head.hash === hash))?.hash;
}

/**
 * Up to `limit` rows of a workspace's chain, in order: those after the row with the number `after`, or the first ones
 * that are stored, whatever their numbers.
 */
export async function listRowsAfter(
  db: Queryable<AccessTables>,
  { workspace, after, limit }: { workspace: string; after: number | undefined; limit: number },
): Promise<RecordRow[]> {
  const rows = db.selectFrom('audit_entry').selectAll().where('workspace', '=', workspace);
  return (after === undefined ? rows : rows.where('seq', '>', after)).orderBy('seq').limit(limit).execute();
}

/** All workspaces with a row, a head or a checkpoint. */
export async function listRecordedWorkspaces(db: Queryable<AccessTables>): Promise<string[]> {
  const rows = await db
    .selectFrom('audit_entry')
    .select('workspace')
    .union(db.selectFrom('audit_head').select('workspace'))
    .union(db.selectFrom('audit_checkpoint').select('workspace'))
    .execute();
  return rows.map(({ workspace }) => workspace).toSorted();
}

/** The stored head of a chain; undefined if there is none. */
export async function findHead(
  db: Queryable<AccessTables>,
  workspace: string,
): Promise<RecordHead | undefined> {
  return db
    .selectFrom('audit_head')
    .select(['seq', 'hash'])
    .where('workspace', '=', workspace)
    .executeTakeFirst();
}

/** Whether a chain has rows but no head. Reads both at once, because a chain may begin or be deleted at any time. */
export async function isHeadMissing(db: Queryable<AccessTables>, workspace: string): Promise<boolean> {
  const { rows } = await sql<{ isMissing: boolean }>`
    select exists (select from audit_entry where workspace = ${workspace})
      and not exists (select from audit_head where workspace = ${workspace}) as "isMissing"`.execute(db);
  return rows[0]?.isMissing === true;
}

/** The checkpoint of a chain; undefined if none of its rows was deleted. */
export async function findCheckpoint(
  db: Queryable<AccessTables>,
  workspace: string,
): Promise<Checkpoint | undefined> {
  return db
    .selectFrom('audit_checkpoint')
    .select(['seq', 'hash', 'seal'])
    .where('workspace', '=', workspace)
    .executeTakeFirst();
}

/** The heads of all chains with rows, and the numbers of rows that were deleted from each. */
export async function listHeads(
  db: Queryable<AccessTables>,
): Promise<(RecordHead & { workspace: string; deletedRows: number })[]> {
  return db
    .selectFrom('audit_head')
    .leftJoin('audit_checkpoint', 'audit_checkpoint.workspace', 'audit_head.workspace')
    .select(['audit_head.workspace', 'audit_head.seq', 'audit_head.hash'])
    .select((row) => row.fn.coalesce('audit_checkpoint.seq', sql.lit(0)).as('deletedRows'))
    .where('audit_head.seq', '>', 0)
    .execute();
}

/**
 * Locks a chain until the transaction ends: nothing else appends to it or deletes from it. The statement also takes the
 * table's lock for writing, which it does before it reads the head. `appendRows` and `deleteChain` have the same order, so
 * that no two of them wait for each other.
 */
export async function lockHead(
  transaction: Queryable<AccessTables>,
  workspace: string,
): Promise<RecordHead | undefined> {
  const { rows } = await sql<RecordHead>`
    with locked_table as (delete from audit_entry where false)
    select seq, hash from audit_head where workspace = ${workspace} for update`.execute(transaction);
  return rows[0];
}

/**
 * Stores a chain's checkpoint, and deletes the rows up to it. The trigger compares the row at the checkpoint before it
 * allows earlier rows to be deleted, so that row is deleted last.
 */
export async function deleteRowsUntil(
  transaction: Queryable<AccessTables>,
  workspace: string,
  checkpoint: Checkpoint,
): Promise<void> {
  await transaction
    .insertInto('audit_checkpoint')
    .values({ workspace, ...checkpoint })
    .onConflict((conflict) => conflict.column('workspace').doUpdateSet(checkpoint))
    .execute();
  for (const comparison of ['<', '='] as const)
    await transaction
      .deleteFrom('audit_entry')
      .where('workspace', '=', workspace)
      .where('seq', comparison, checkpoint.seq)
      .execute();
}

/**
 * Deletes a workspace's chain. A trigger forbids the deletion of rows, so it is disabled within this transaction. Other
 * transactions can't write to the table until this one ends. Only the owner of the table can disable the trigger.
 */
export async function deleteChain(transaction: Queryable<AccessTables>, workspace: string): Promise<void> {
  await sql`alter table audit_entry disable trigger audit_log_append_only`.execute(transaction);
  for (const table of ['audit_entry', 'audit_head', 'audit_checkpoint'] as const)
    await transaction.deleteFrom(table).where('workspace', '=', workspace).execute();
  await sql`alter table audit_entry enable trigger audit_log_append_only`.execute(transaction);
}
