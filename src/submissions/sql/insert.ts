import { type OperationNodeSource, type RawBuilder, sql } from 'kysely';
import { buildEntryColumns } from '../../engine/lifecycle.ts';
import { selectSendingStop } from '../../engine/sending-stop.ts';
import { listColumns, toJsonParameter } from '../../store/column-values.ts';
import type { Queryable } from '../../store/database.ts';
import {
  ENDED_UNSENT_STATES,
  LIFECYCLE,
  SENDABLE_STATES,
  type SubmissionRow,
  type SubmissionTables,
} from '../submission.ts';

export type NewSubmission = Pick<
  SubmissionRow,
  'id' | 'workspace' | 'author' | 'kind' | 'origin' | 'item' | 'revision' | 'channel' | 'content'
> &
  Partial<
    Pick<
      SubmissionRow,
      | 'endpoint'
      | 'trigger_id'
      | 'view_id'
      | 'message_channel'
      | 'message_ts'
      | 'project'
      | 'fingerprint'
      | 'lock_key'
      | 'locked'
      | 'publish_at'
      | 'maybe_sent'
    >
  > & {
    /**
     * An equal submission from another form of the author counts as this one, if the author was notified of it after this
     * time, or not yet. Absent if it isn't looked for.
     */
    equalSince?: Date | undefined;
    createdAt: Date;
    /** End of the first lease. */
    leaseUntil?: Date;
  };

/** A new row. `mayHaveToWait`: whether all sending or its project is stopped, or anything in its workspace is paused. */
export type InsertedSubmission = SubmissionRow & { mayHaveToWait: boolean };

/** A statement that runs in the INSERT of a row, so that a crash or a lost answer never separates the two. */
export interface Companion {
  /** Builds a statement that changes and returns rows if the condition is true. Undefined if it would probably fail. */
  build(isStored: RawBuilder<boolean>): OperationNodeSource | undefined;
  /** Runs after the INSERT was committed with the statement, with the number of rows that the statement has changed. */
  handleCommit(rowCount: number): void;
}

/**
 * Inserts a row. Resolves with undefined if the key already exists, if another revision of the same item is active, if
 * the row is `locked` and another row has the same lock, or if the author has an equal submission, see
 * `equalSince`. With `isNewForm`, also if the form was submitted before, or edits a submission. The comparisons are in the
 * statement: whoever commits in between has the lock. `companions` change nothing unless the row is inserted.
 */
export async function insertSubmission(
  db: Queryable<SubmissionTables>,
  submission: NewSubmission,
  { isNewForm = false, companions = [] }: { isNewForm?: boolean; companions?: readonly Companion[] } = {},
): Promise<InsertedSubmission | undefined> {
  const { createdAt, leaseUntil, equalSince, ...row } = submission;
  const claim = leaseUntil && {
    lease_until: leaseUntil,
    fence: 1,
    next_at: leaseUntil,
    retrying_since: createdAt,
  };
  const values = {
    ...row,
    ...buildEntryColumns(LIFECYCLE, 'saved', createdAt),
    ...claim,
    refusal: null,
    created_at: createdAt,
  };
  // A column without a value has its default.
  const columns = listColumns(
    Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [name])),
  );
  const conditions = [
    ...(equalSince === undefined ? [] : [sql`not exists (${selectEqualRow(submission)})`]),
    ...(isNewForm ? [sql`not exists (${selectRowsOfForm(submission)})`] : []),
  ];
  // The values are a record, because the parameters of a SELECT have no types.
  const insertion = sql<InsertedSubmission>`insert into "submission" (${columns})
    select ${columns} from json_populate_record(null::submission, ${toJsonParameter(values)}::json)
    where ${conditions.length === 0 ? sql`true` : sql.join(conditions, sql` and `)}
    on conflict do nothing
    returning submission.*, ${mayHaveToWait(row)} as "mayHaveToWait"`;
  if (companions.length > 0) return insertWithCompanions(db, insertion, companions);
  const { rows } = await insertion.execute(db);
  return rows[0];
}

async function insertWithCompanions(
  db: Queryable<SubmissionTables>,
  insertion: OperationNodeSource,
  companions: readonly Companion[],
): Promise<InsertedSubmission | undefined> {
  const isStored = sql<boolean>`exists (select from stored)`;
  const parts = companions.flatMap(({ build, handleCommit }, index) => {
    const statement = build(isStored);
    return statement ? [{ name: sql.ref(`companion_${index}`), statement, handleCommit }] : [];
  });
  const statements = parts.map(({ name, statement }) => sql`, ${name} as (${statement})`);
  const counts = parts.map(({ name }) => sql`(select count(*)::integer from ${name})`);
  const { rows } = await sql<InsertedSubmission & { counts: number[] }>`
    with stored as (${insertion})${sql.join(statements, sql``)}
    select stored.*, array[${sql.join(counts)}]::integer[] as counts from stored`.execute(db);
  const [inserted] = rows;
  if (!inserted) return undefined;
  const { counts: rowCounts, ...row } = inserted;
  for (const [index, { handleCommit }] of parts.entries()) handleCommit(rowCounts[index] ?? 0);
  return row;
}

function mayHaveToWait({ workspace, project = null }: Pick<NewSubmission, 'workspace' | 'project'>) {
  return sql<boolean>`(exists (${selectSendingStop(workspace, project)})
    or exists (select from service_pause pause where pause.workspace = ${workspace} and pause.status > 0))`;
}

/** Prefix of a tombstone's origin. A tombstone occupies the id of an unsaved row. */
const VOID_PREFIX = 'void ';

/**
 * Resolves the uncertainty about an INSERT, and makes the result final. Tombstones occupy the ids of missing rows, so
 * that a delayed INSERT from an abandoned connection can't succeed. Waits for the end of an open transaction with these
 * rows. Idempotent, so the caller can retry after a lost response.
 */
export async function resolveInsert(
  db: Queryable<SubmissionTables>,
  rows: readonly NewSubmission[],
): Promise<'saved' | 'void'> {
  const tombstones = rows.map(({ id, workspace, author, kind, createdAt }) => ({
    id,
    workspace,
    author,
    kind,
    origin: `${VOID_PREFIX}${id}`,
    item: 0,
    revision: 0,
    channel: null,
    content: null,
    refusal: null,
    created_at: createdAt,
    ...buildEntryColumns(LIFECYCLE, 'discarded', createdAt),
  }));
  await db
    .insertInto('submission')
    .values(tombstones)
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute();
  const ids = rows.map(({ id }) => id);
  const storedRows = await db.selectFrom('submission').select('origin').where('id', 'in', ids).execute();
  return storedRows.every(({ origin }) => origin.startsWith(VOID_PREFIX)) ? 'void' : 'saved';
}

/** Selects a row if the form was submitted before, or edits a submission. */
function selectRowsOfForm({ workspace, origin }: Pick<NewSubmission, 'workspace' | 'origin'>) {
  // The order by `item` makes Postgres use the index instead of all rows of the workspace.
  return sql`select from submission where workspace = ${workspace} and id = ${origin}
    union all
    (select from submission where workspace = ${workspace} and origin = ${origin} order by item limit 1)`;
}

/** Finds the author's latest submission that counts as this one, see `equalSince`. */
export async function findEqualRow(
  db: Queryable<SubmissionTables>,
  row: NewSubmission,
): Promise<SubmissionRow | undefined> {
  if (!row.equalSince) return undefined;
  const { rows } = await selectEqualRow(row).execute(db);
  return rows[0];
}

function selectEqualRow(row: NewSubmission) {
  // The offset keeps Postgres from merging the inner query into the outer one. A merged query may read all of the author's
  // submissions. An edited submission isn't equal to its edit.
  return sql<SubmissionRow>`
    select * from (select * from submission where fingerprint = ${row.fingerprint ?? null} offset 0) same_content
    where workspace = ${row.workspace} and author = ${row.author} and kind = ${row.kind}
      and origin <> ${row.origin} and id <> ${row.origin}
      and (notified_at is null or notified_at > ${row.equalSince ?? null})
      and state not in (${sql.join(ENDED_UNSENT_STATES)})
    order by created_at desc limit 1`;
}

/** The SQLSTATE unique_violation. https://www.postgresql.org/docs/current/errcodes-appendix.html */
const UNIQUE_VIOLATION = '23505';

/** Takes the lock for equal posts. Resolves with false if another row has the lock, or if this row has changed. */
export async function takeEqualPostsLock(
  db: Queryable<SubmissionTables>,
  { id, fence }: Pick<SubmissionRow, 'id' | 'fence'>,
  lockKey: string,
): Promise<boolean> {
  try {
    const { rows } = await sql`
      update submission set locked = true, lock_key = ${lockKey}
      where id = ${id} and fence = ${fence} and state in (${sql.join(SENDABLE_STATES)}) and not exists (
        select from submission other where other.locked and other.lock_key = ${lockKey} and other.id <> ${id})
      returning id`.execute(db);
    return rows.length > 0;
  } catch (error) {
    // Another row has taken the lock during this statement.
    if (error instanceof Error && 'code' in error && error.code === UNIQUE_VIOLATION) return false;
    throw error;
  }
}
