import { type Kysely, type Selectable, sql, type Transaction } from 'kysely';
import type { BotSchema } from '../../store/schema.ts';
import type { AuditEntryTable } from '../tables.ts';

/** One entry in a workspace's chain. */
export type RecordRow = Selectable<AuditEntryTable>;

/** The end of a workspace's chain. */
export interface RecordHead {
  seq: number;
  hash: string;
}

/** The head of a chain. Stores `initialHead` if the workspace has no chain. */
export async function readOrCreateHead(
  db: Kysely<BotSchema>,
  workspace: string,
  initialHead: RecordHead,
): Promise<RecordHead> {
  await db
    .insertInto('audit_head')
    .values({ workspace, ...initialHead })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return db
    .selectFrom('audit_head')
    .select(['seq', 'hash'])
    .where('workspace', '=', workspace)
    .executeTakeFirstOrThrow();
}

/**
 * Appends rows after `head` in one statement. Does nothing and returns false if the chain has another head by now.
 */
export async function appendRows(
  db: Kysely<BotSchema>,
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
  db: Kysely<BotSchema>,
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

/** Up to `limit` rows of a workspace's chain after the row with the number `after`, in order. */
export async function listRowsAfter(
  db: Kysely<BotSchema>,
  { workspace, after, limit }: { workspace: string; after: number; limit: number },
): Promise<RecordRow[]> {
  return db
    .selectFrom('audit_entry')
    .selectAll()
    .where('workspace', '=', workspace)
    .where('seq', '>', after)
    .orderBy('seq')
    .limit(limit)
    .execute();
}

/** All workspaces with a row or a head. */
export async function listRecordedWorkspaces(db: Kysely<BotSchema>): Promise<string[]> {
  const rows = await db
    .selectFrom('audit_entry')
    .select('workspace')
    .union(db.selectFrom('audit_head').select('workspace'))
    .execute();
  return rows.map(({ workspace }) => workspace).toSorted();
}

/** The stored head of a chain; undefined if there is none. */
export async function findHead(db: Kysely<BotSchema>, workspace: string): Promise<RecordHead | undefined> {
  return db
    .selectFrom('audit_head')
    .select(['seq', 'hash'])
    .where('workspace', '=', workspace)
    .executeTakeFirst();
}

/** The heads of all chains with rows. */
export async function listHeads(db: Kysely<BotSchema>): Promise<(RecordHead & { workspace: string })[]> {
  return db.selectFrom('audit_head').select(['workspace', 'seq', 'hash']).where('seq', '>', 0).execute();
}

/**
 * Deletes a workspace's chain. A trigger forbids the deletion of rows, so it is disabled within this transaction. Other
 * transactions can't write to the table until this one ends. Only the owner of the table can disable the trigger.
 */
export async function deleteChain(transaction: Transaction<BotSchema>, workspace: string): Promise<void> {
  await sql`alter table audit_entry disable trigger audit_log_append_only`.execute(transaction);
  await transaction.deleteFrom('audit_entry').where('workspace', '=', workspace).execute();
  await sql`alter table audit_entry enable trigger audit_log_append_only`.execute(transaction);
  await transaction.deleteFrom('audit_head').where('workspace', '=', workspace).execute();
}
