import { type OperationNodeSource, type RawBuilder, sql } from 'kysely';
import { buildEntryColumns } from '../../engine/lifecycle.ts';
import { selectSendingStop } from '../../engine/sending-stop.ts';
import { transitionAll } from '../../engine/sql/bulk-transitions.ts';
import { listColumns, toJsonParameter } from '../../store/column-values.ts';
import type { Queryable } from '../../store/database.ts';
import { lockUntilEnd } from '../../store/locks.ts';
import {
  ENDED_UNSENT_STATES,
  LIFECYCLE,
  readSubmissionRemote,
  SENDABLE_STATES,
  SUBMISSION_STORAGE,
  type SubmissionRow,
  type SubmissionTables,
} from '../submission.ts';

type ItemKey = Pick<SubmissionRow, 'workspace' | 'origin' | 'item'>;

export function findNewestSubmission(
  db: Queryable<SubmissionTables>,
  key: ItemKey,
): Promise<SubmissionRow | undefined> {
  return db
    .selectFrom('submission')
    .selectAll()
    .where(({ and }) => and({ workspace: key.workspace, origin: key.origin, item: key.item }))
    .orderBy('revision', 'desc')
    .limit(1)
    .executeTakeFirst();
}

/** Finds the latest replacement of a row. Defaults to the row itself. */
export async function findLatestReplacement(
  { db }: { db: Queryable<SubmissionTables> },
  shownRow: SubmissionRow,
): Promise<SubmissionRow> {
  const { workspace } = shownRow;
  let row = shownRow;
  while (row.state === 'discarded' && row.reason === 'replaced') {
    const edit = await findNewestSubmission(db, { workspace, origin: row.id, item: 0 });
    const replacement = edit ?? (await findNewestSubmission(db, row));
    if (!replacement || replacement.id === row.id) return row;
    row = replacement;
  }
  return row;
}

/** Reads a row again. Defaults to the row as it was, if it was deleted. */
export async function readCurrentRow(
  db: Queryable<SubmissionTables>,
  row: SubmissionRow,
): Promise<SubmissionRow> {
  const [current = row] = await findRowsById(db, [row.id]);
  return current;
}

/** Whether there is a newer equal submission, either confirmed or still active. */
export async function hasNewerEqualRow(
  db: Queryable<SubmissionTables>,
  row: Pick<SubmissionRow, 'fingerprint' | 'created_at'>,
): Promise<boolean> {
  if (row.fingerprint === null) return false;
  const newerRow = await db
    .selectFrom('submission')
    .select('id')
    .where('fingerprint', '=', row.fingerprint)
    .where('created_at', '>', row.created_at)
    .where('state', 'not in', ENDED_UNSENT_STATES)
    .limit(1)
    .executeTakeFirst();
  return newerRow !== undefined;
}

/** Finds a submission of this author, of any kind unless the key has one. */
export function findOwnSubmission(
  db: Queryable<SubmissionTables>,
  { kind, ...key }: Pick<SubmissionRow, 'id' | 'workspace' | 'author'> & { kind?: string },
): Promise<SubmissionRow | undefined> {
  return selectOwnSubmission(db, key)
    .$if(kind !== undefined, (query) => query.where('kind', '=', kind ?? ''))
    .executeTakeFirst();
}

export function selectOwnSubmission(
  db: Queryable<SubmissionTables>,
  { id, workspace, author }: Pick<SubmissionRow, 'id' | 'workspace' | 'author'>,
) {
  return db
    .selectFrom('submission')
    .selectAll()
    .where(({ and }) => and({ id, workspace }))
    .where('author', '=', author);
}

/** Finds a submission of any author in the workspace. The caller checks the actor's permission. */
export function findSubmission(
  db: Queryable<SubmissionTables>,
  key: Pick<SubmissionRow, 'id' | 'workspace'>,
): Promise<SubmissionRow | undefined> {
  return db
    .selectFrom('submission')
    .selectAll()
    .where(({ and }) => and({ id: key.id, workspace: key.workspace }))
    .executeTakeFirst();
}

/** Finds rows by id, in any order. */
export async function findRowsById(
  db: Queryable<SubmissionTables>,
  ids: readonly string[],
): Promise<SubmissionRow[]> {
  if (ids.length === 0) return [];
  return db.selectFrom('submission').selectAll().where('id', 'in', ids).execute();
}

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
    /** Builds what stores the post that the submission delivers. Undefined for other kinds, and for a post that is held. */
    insertPost?: ((delivery: InsertedDelivery) => RawBuilder<unknown>) | undefined;
    /** The id of the submission of the same post that this one replaces. */
    replacedId?: string;
  };

/** `stored`: the row that the statement has inserted, in SQL. Empty if it has inserted none. */
export interface InsertedDelivery {
  stored: RawBuilder<unknown>;
  replacedId: string | undefined;
}

/** What a post has from the content of its submission. `at`: when it was submitted, on the clock that people see. */
export interface PostColumns {
  content_hash: string;
  platforms: string;
  publish_at: Date | null;
  at: Date;
}

/** Builds further statements of the INSERT of a submission, which store its post: ", name as (…)". */
export type PostInserter = (post: PostColumns, delivery: InsertedDelivery) => RawBuilder<unknown>;

/** The post that a submission delivers, as buttons name it. */
export interface PostKey {
  id: string;
  version: number;
  content_hash: string;
}

/** A new row. `mayHaveToWait`: whether all sending or its project is stopped, or anything in its workspace is paused. */
type InsertedSubmission = SubmissionRow & {
  mayHaveToWait: boolean;
  /** The post that was stored with it. */
  post?: PostKey | null;
};

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
 * statement: whoever commits in between has the lock. `companions` change nothing unless the row is inserted. The post of
 * the row is stored in the same statement.
 */
export async function insertSubmission(
  db: Queryable<SubmissionTables>,
  submission: NewSubmission,
  { isNewForm = false, companions = [] }: { isNewForm?: boolean; companions?: readonly Companion[] } = {},
): Promise<InsertedSubmission | undefined> {
  const { createdAt, leaseUntil, equalSince, insertPost, replacedId, ...row } = submission;
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
  const post = insertPost?.({ stored: sql`stored`, replacedId });
  if (post || companions.length > 0) return insertWithCompanions(db, insertion, { companions, post });
  const { rows } = await insertion.execute(db);
  return rows[0];
}

async function insertWithCompanions(
  db: Queryable<SubmissionTables>,
  insertion: OperationNodeSource,
  { companions, post }: { companions: readonly Companion[]; post: RawBuilder<unknown> | undefined },
): Promise<InsertedSubmission | undefined> {
  const isStored = sql<boolean>`exists (select from stored)`;
  const parts = companions.flatMap(({ build, handleCommit }, index) => {
    const statement = build(isStored);
    return statement ? [{ name: sql.ref(`companion_${index}`), statement, handleCommit }] : [];
  });
  const statements = parts.map(({ name, statement }) => sql`, ${name} as (${statement})`);
  const counts = parts.map(({ name }) => sql`(select count(*)::integer from ${name})`);
  const listedCounts = counts.length > 0 ? sql.join(counts) : sql``;
  const storedPost = post
    ? sql`(select json_build_object('id', id, 'version', version, 'content_hash', content_hash) from stored_post)`
    : sql`null`;
  const { rows } = await sql<InsertedSubmission & { counts: number[] }>`
    with stored as (${insertion})${post ?? sql``}${sql.join(statements, sql``)}
    select stored.*, array[${listedCounts}]::integer[] as counts, ${storedPost} as post from stored`.execute(
    db,
  );
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

/** Selects a row if the form was submitted before, or edits a submission. */
function selectRowsOfForm({ workspace, origin }: Pick<NewSubmission, 'workspace' | 'origin'>) {
  // The order by `item` makes Postgres use the index instead of all rows of the workspace.
  return sql`select from submission where workspace = ${workspace} and id = ${origin}
    union all
    (select from submission where workspace = ${workspace} and origin = ${origin} order by item limit 1)`;
}

/**
 * The stored row of a submission. An existing row is used instead of a new row if the same form or an equal submission
 * was saved before, or if an edit came too late.
 */
export interface StoredRow {
  row: SubmissionRow;
  /** Whether this request inserted the row. */
  isInserted: boolean;
  /** Whether an inserted row may have to wait for a stop or a pause. Defaults to unknown. */
  mayHaveToWait?: boolean;
  /** Whether the author saved an equal submission from another form before. Defaults to false. */
  wasSavedBefore?: boolean;
  /** The post that was stored with an inserted row. */
  post?: PostKey;
}

const toStoredRow = ({ mayHaveToWait, post, ...row }: InsertedSubmission): StoredRow => ({
  row,
  isInserted: true,
  mayHaveToWait,
  ...(post && { post }),
});

/** Inserts a row with the lock for equal posts. Resolves with undefined if another row has it, or an equal one is stored. */
export async function insertWithLock(
  db: Queryable<SubmissionTables>,
  row: NewSubmission,
  options: Parameters<typeof insertSubmission>[2] = {},
): Promise<StoredRow | undefined> {
  const locked = typeof row.lock_key === 'string';
  const insertedRow = await insertSubmission(db, { ...row, locked }, options);
  return insertedRow && toStoredRow(insertedRow);
}

/** Inserts a row, or finds the one that is stored in its place. */
export async function insertOrFind(db: Queryable<SubmissionTables>, row: NewSubmission): Promise<StoredRow> {
  const lockedRow = await insertWithLock(db, row);
  if (lockedRow) return lockedRow;
  const existingRow = await findNewestSubmission(db, row);
  if (existingRow && existingRow.revision >= row.revision) return { row: existingRow, isInserted: false };
  // Somebody else's equal post may have the lock. Both are sent then, one after the other, and see each other.
  await lockUntilEnd(db, `submissions ${row.fingerprint ?? row.id}`);
  const waitingRow = await insertSubmission(db, row);
  if (waitingRow) return toStoredRow(waitingRow);
  const equalRow = await findEqualRow(db, row);
  if (equalRow) return { row: equalRow, isInserted: false, wasSavedBefore: true };
  const conflictingRow = await findNewestSubmission(db, row);
  if (!conflictingRow) throw new Error('insert of a submission conflicted, but no row has its key');
  return { row: conflictingRow, isInserted: false };
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

/**
 * Discards a row, even a claimed one. `reason` is null for an author's request, and `returned` if the row becomes a held
 * post again. Resolves with false if the row has changed its state.
 */
export async function discardSubmission(
  db: Queryable<SubmissionTables>,
  { id, state }: Pick<SubmissionRow, 'id' | 'state'>,
  now: Date,
  reason: 'replaced' | 'returned' | null = 'replaced',
): Promise<boolean> {
  const discardedCount = await transitionAll(db, SUBMISSION_STORAGE, {
    fromStates: [state],
    to: 'discarded',
    now,
    change: { reason },
    where: sql`id = ${id}`,
  });
  return discardedCount > 0;
}

/** Discards a submission that an edit replaces. Resolves with false if the service has it, or may have it. */
export async function replaceSubmission(
  db: Queryable<SubmissionTables>,
  row: SubmissionRow,
  now: Date,
): Promise<boolean> {
  if (row.state === 'discarded' && row.reason === 'replaced') return true;
  return readSubmissionRemote(row) === 'absent' && discardSubmission(db, row, now);
}

/** Sets or clears `shared_at`. Resolves with false if nothing changed. */
export async function setSharedAt(
  db: Queryable<SubmissionTables>,
  change: { id: string; sharedAt: Date | null },
): Promise<boolean> {
  const result = await db
    .updateTable('submission')
    .set({ shared_at: change.sharedAt })
    .where('id', '=', change.id)
    .where('shared_at', change.sharedAt === null ? 'is not' : 'is', null)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}
