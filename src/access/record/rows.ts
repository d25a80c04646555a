import { type Kysely, type Selectable, sql, type Transaction } from 'kysely';
import type { BotSchema } from '../../store/schema.ts';
import type { RecordTable } from '../tables.ts';

/** One entry in a workspace's chain. */
export type RecordRow = Selectable<RecordTable>;

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
    .insertInto('record_head')
    .values({ workspace, ...initialHead })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return db
    .selectFrom('record_head')
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
      update record_head set seq = ${last.seq}, hash = ${last.hash}
      where workspace = ${last.workspace} and seq = ${head.seq} and hash = ${head.hash}
      returning 1
    )
    insert into record (workspace, seq, at, actor, project, action, target, decision, reference, previous, hash)
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
    .selectFrom('record')
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
    .selectFrom('record')
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
    .selectFrom('record')
    .select('workspace')
    .union(db.selectFrom('record_head').select('workspace'))
    .execute();
  return rows.map(({ workspace }) => workspace).toSorted();
}

/** The stored head of a chain; undefined if there is none. */
export async function findHead(db: Kysely<BotSchema>, workspace: string): Promise<RecordHead | undefined> {
  return db
    .selectFrom('record_head')
    .select(['seq', 'hash'])
    .where('workspace', '=', workspace)
    .executeTakeFirst();
}

/** The heads of all chains with rows. */
export async function listHeads(db: Kysely<BotSchema>): Promise<(RecordHead & { workspace: string })[]> {
  return db.selectFrom('record_head').select(['workspace', 'seq', 'hash']).where('seq', '>', 0).execute();
}

/**
 * Deletes a workspace's chain. A trigger forbids the deletion of rows, so it is disabled within this transaction. Other
 * transactions can't write to the table until this one ends. Only the owner of the table can disable the trigger.
 */
export async function deleteChain(transaction: Transaction<BotSchema>, workspace: string): Promise<void> {
  await sql`alter table record disable trigger record_only_grows`.execute(transaction);
  await transaction.deleteFrom('record').where('workspace', '=', workspace).execute();
  await sql`alter table record enable trigger record_only_grows`.execute(transaction);
  await transaction.deleteFrom('record_head').where('workspace', '=', workspace).execute();
}

/** One word of a search. A row matches if it contains the text, or has one of these values. */
export interface SearchTerm {
  /** Case is ignored. */
  text: string;
  actions: readonly string[];
  /** The projects' ids in the service. */
  projects: readonly string[];
  decisions: readonly string[];
}

export interface RecordSearch {
  workspace: string;
  /** Rows must match all of these terms. */
  terms: readonly SearchTerm[];
  from?: Date | undefined;
  to?: Date | undefined;
}

/** One page of the matching rows, newest first, and the number of all matching rows. */
export async function searchRecord(
  db: Kysely<BotSchema>,
  search: RecordSearch,
  page: { skip: number; limit: number },
): Promise<{ rows: RecordRow[]; count: number }> {
  const { workspace, terms, from, to } = search;
  let matching = db.selectFrom('record').where('workspace', '=', workspace);
  if (from) matching = matching.where('at', '>=', from);
  if (to) matching = matching.where('at', '<=', to);
  const text = sql<string>`lower(concat_ws(' ', actor, project, action, target, decision, reference))`;
  for (const term of terms)
    matching = matching.where((row) =>
      row.or([
        row(text, 'like', `%${escapeLike(term.text)}%`),
        ...(['action', 'project', 'decision'] as const).flatMap((column) => {
          const values = term[`${column}s`];
          return values.length === 0 ? [] : [row(column, 'in', values)];
        }),
      ]),
    );
  const { count } = await matching
    .select((query) => query.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  const rows = await matching
    .selectAll()
    .orderBy('seq', 'desc')
    .offset(page.skip)
    .limit(page.limit)
    .execute();
  return { rows, count: Number(count) };
}

/** Lists the different actions in a workspace's record. */
export async function listRecordedActions(db: Kysely<BotSchema>, workspace: string): Promise<string[]> {
  const rows = await db
    .selectFrom('record')
    .select('action')
    .distinct()
    .where('workspace', '=', workspace)
    .execute();
  return rows.map(({ action }) => action);
}

/** Escapes LIKE's wildcards. */
function escapeLike(term: string): string {
  return term.toLowerCase().replace(/[\\%_]/g, (character) => `\\${character}`);
}
