import { type Selectable, sql } from 'kysely';
import { buildEntryColumns } from '../../engine/lifecycle.ts';
import { createBatchedStatement } from '../../store/batched-statement.ts';
import { toJsonParameter } from '../../store/column-values.ts';
import type { Queryable } from '../../store/database.ts';
import { ENDED_UNSENT_STATES, LIFECYCLE } from '../lifecycle.ts';
import type { SubmissionTables } from '../tables.ts';

/** A submission. `content` and `refusal` are encrypted. */
export type SubmissionRow = Selectable<SubmissionTables['submission']>;

/** The initial values of a row. */
export type NewSubmission = Pick<
  SubmissionRow,
  'id' | 'workspace' | 'author' | 'kind' | 'origin' | 'item' | 'revision' | 'channel' | 'content'
> &
  Partial<
    Pick<
      SubmissionRow,
      | 'endpoint'
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
    createdAt: Date;
    /** End of the first lease. */
    leaseUntil?: Date;
  };

type ItemKey = Pick<SubmissionRow, 'workspace' | 'origin' | 'item'>;

/**
 * Inserts a row. Resolves with undefined if the key already exists, if another revision of the same item is active, or if
 * the row is `locked` and another row has the same lock.
 */
export async function insertSubmission(
  db: Queryable<SubmissionTables>,
  submission: NewSubmission,
): Promise<SubmissionRow | undefined> {
  const { createdAt, leaseUntil, ...row } = submission;
  const claim = leaseUntil && {
    lease_until: leaseUntil,
    fence: 1,
    next_at: leaseUntil,
    retrying_since: createdAt,
  };
  return db
    .insertInto('submission')
    .values({
      ...row,
      ...buildEntryColumns(LIFECYCLE, 'saved', createdAt),
      ...claim,
      refusal: null,
      created_at: createdAt,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst();
}

/** Finds the newest revision of an item. */
export function findNewestSubmission(
  db: Queryable<SubmissionTables>,
  key: ItemKey,
): Promise<SubmissionRow | undefined> {
  return db
    .selectFrom('submission')
    .selectAll()
    .where('workspace', '=', key.workspace)
    .where('origin', '=', key.origin)
    .where('item', '=', key.item)
    .orderBy('revision', 'desc')
    .limit(1)
    .executeTakeFirst();
}

type NewerRowFilter = Pick<
  SubmissionRow,
  'id' | 'workspace' | 'author' | 'kind' | 'origin' | 'fingerprint' | 'created_at'
>;

/**
 * Creates a function that checks whether there is a newer equal submission, either confirmed or still active.
 * `same-author` limits the search to the author's other forms. Simultaneous calls share a statement.
 */
export function createNewerEqualRowCheck(db: Queryable<SubmissionTables>) {
  const check = createBatchedStatement({
    getKey: ({ id }: NewerRowFilter & { isSameAuthor: boolean }) => id,
    async run(filters) {
      // Not `where exists`: with out-of-date statistics, Postgres would run it as a semi-join that reads the whole table.
      const { rows } = await sql<{ id: string }>`
        select filter.id from jsonb_to_recordset(${toJsonParameter(filters)}::jsonb) as filter(
          id text, workspace text, author text, kind text, origin text, fingerprint text, created_at timestamptz,
          "isSameAuthor" boolean)
        cross join lateral (
          select from submission newer
          where newer.fingerprint = filter.fingerprint and newer.created_at > filter.created_at
            and newer.state not in (${sql.join(ENDED_UNSENT_STATES)})
            and (not filter."isSameAuthor" or newer.workspace = filter.workspace and newer.author = filter.author
              and newer.kind = filter.kind and newer.origin <> filter.origin)
          limit 1) newer`.execute(db);
      return new Map(rows.map(({ id }) => [id, true]));
    },
  });
  return async (row: NewerRowFilter, source: 'all-authors' | 'same-author'): Promise<boolean> => {
    if (row.fingerprint === null) return false;
    const { id, workspace, author, kind, origin, fingerprint, created_at } = row;
    const filter = { id, workspace, author, kind, origin, fingerprint, created_at };
    return (await check({ ...filter, isSameAuthor: source === 'same-author' })) ?? false;
  };
}

/** Finds an author's submission of any kind. */
export function findOwnSubmission(
  db: Queryable<SubmissionTables>,
  key: Pick<SubmissionRow, 'id' | 'workspace' | 'author'>,
): Promise<SubmissionRow | undefined> {
  return db
    .selectFrom('submission')
    .selectAll()
    .where('id', '=', key.id)
    .where('workspace', '=', key.workspace)
    .where('author', '=', key.author)
    .executeTakeFirst();
}

/** Finds a submission of any author in the workspace. The caller checks the actor's permission. */
export function findSubmission(
  db: Queryable<SubmissionTables>,
  key: Pick<SubmissionRow, 'id' | 'workspace'>,
): Promise<SubmissionRow | undefined> {
  return db
    .selectFrom('submission')
    .selectAll()
    .where('id', '=', key.id)
    .where('workspace', '=', key.workspace)
    .executeTakeFirst();
}

/** Finds an author's submission of one kind. */
export function findOwnSubmissionOfKind(
  db: Queryable<SubmissionTables>,
  key: Pick<SubmissionRow, 'id' | 'workspace' | 'author' | 'kind'>,
): Promise<SubmissionRow | undefined> {
  return db
    .selectFrom('submission')
    .selectAll()
    .where('id', '=', key.id)
    .where('workspace', '=', key.workspace)
    .where('author', '=', key.author)
    .where('kind', '=', key.kind)
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

/** Lists the newest revisions of a form's items, in the order of the items. */
export async function listFormSubmissions(
  db: Queryable<SubmissionTables>,
  form: Pick<ItemKey, 'workspace' | 'origin'>,
): Promise<SubmissionRow[]> {
  return db
    .selectFrom('submission')
    .distinctOn('item')
    .selectAll()
    .where('workspace', '=', form.workspace)
    .where('origin', '=', form.origin)
    .orderBy('item')
    .orderBy('revision', 'desc')
    .execute();
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
