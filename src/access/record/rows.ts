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

/** The head of a chain. Starts the chain with `begin` if there is none. */
export async function ensureHead(
  db: Kysely<BotSchema>,
  workspace: string,
  begin: RecordHead,
): Promise<RecordHead> {
  await db
    .insertInto('record_head')
    .values({ workspace, ...begin })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return db
    .selectFrom('record_head')
    .select(['seq', 'hash'])
    .where('workspace', '=', workspace)
    .executeTakeFirstOrThrow();
}

/**
 * Appends rows after `head` in one statement. Does nothing and returns false if the chain's head is another one by now.
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
  const added = await sql<{ seq: number }>`
    with moved as (
      update record_head set seq = ${last.seq}, hash = ${last.hash}
      where workspace = ${last.workspace} and seq = ${head.seq} and hash = ${head.hash}
      returning 1
    )
    insert into record (workspace, seq, at, actor, project, action, target, decision, reference, previous, hash)
    select * from (values ${sql.join(values)}) as added
    where exists (select 1 from moved)
    returning seq`.execute(db);
  return added.rows.length > 0;
}

/** The hash of the first of these heads that is in the chain; undefined if none is. */
export async function findAddedHead(
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

/** Up to `limit` rows of a workspace's chain after the row `after`, in order. */
export async function rowsAfter(
  db: Kysely<BotSchema>,
  at: { workspace: string; after: number; limit: number },
): Promise<RecordRow[]> {
  return db
    .selectFrom('record')
    .selectAll()
    .where('workspace', '=', at.workspace)
    .where('seq', '>', at.after)
    .orderBy('seq')
    .limit(at.limit)
    .execute();
}

/** All workspaces with a row or a head. */
export async function recordedWorkspaces(db: Kysely<BotSchema>): Promise<string[]> {
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
export async function allHeads(db: Kysely<BotSchema>): Promise<(RecordHead & { workspace: string })[]> {
  return db.selectFrom('record_head').select(['workspace', 'seq', 'hash']).where('seq', '>', 0).execute();
}

/**
 * Deletes a workspace's chain. The trigger that forbids it is disabled within this transaction only, which locks out
 * other writers. Only the table's owner can do that.
 */
export async function deleteRows(transaction: Transaction<BotSchema>, workspace: string): Promise<void> {
  await sql`alter table record disable trigger record_only_grows`.execute(transaction);
  await transaction.deleteFrom('record').where('workspace', '=', workspace).execute();
  await sql`alter table record enable trigger record_only_grows`.execute(transaction);
  await transaction.deleteFrom('record_head').where('workspace', '=', workspace).execute();
}

export interface RecordSearch {
  workspace: string;
  /** Rows must contain all of these words, in any case. */
  words: readonly string[];
  from?: Date | undefined;
  to?: Date | undefined;
}

/** One page of the found rows, newest first, and the number of all found rows. */
export async function searchRecord(
  db: Kysely<BotSchema>,
  search: RecordSearch,
  page: { skip: number; limit: number },
): Promise<{ rows: RecordRow[]; count: number }> {
  const { workspace, words, from, to } = search;
  let found = db.selectFrom('record').where('workspace', '=', workspace);
  if (from) found = found.where('at', '>=', from);
  if (to) found = found.where('at', '<=', to);
  const text = sql<string>`lower(concat_ws(' ', actor, project, action, target, decision, reference))`;
  for (const word of words) found = found.where(text, 'like', `%${escapeLike(word)}%`);
  const { count } = await found
    .select((one) => one.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  const rows = await found.selectAll().orderBy('seq', 'desc').offset(page.skip).limit(page.limit).execute();
  return { rows, count: Number(count) };
}

/** The word with LIKE's wildcards escaped. */
function escapeLike(word: string): string {
  return word.toLowerCase().replace(/[\\%_]/g, (character) => `\\${character}`);
}
