import { sql } from 'kysely';
import { buildEntryColumns } from '../../engine/lifecycle.ts';
import { createBatchedStatement } from '../../store/batched-statement.ts';
import { toJsonParameter } from '../../store/column-values.ts';
import type { Queryable } from '../../store/database.ts';
import { ENDED_UNSENT_STATES, LIFECYCLE, SENDABLE_STATES } from '../lifecycle.ts';
import type { SubmissionTables } from '../tables.ts';
import type { NewSubmission, SubmissionRow } from './submissions.ts';

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

type RowKeys = Pick<NewSubmission, 'workspace' | 'author' | 'kind' | 'origin' | 'fingerprint'>;

/**
 * Finds the last equal row (see `findLastEqualRow`), and checks whether the form was submitted before or edits a
 * submission. One statement does both, because every submission needs both. Skips `findLastEqualRow` if `notifiedAfter`
 * is undefined.
 */
export async function findEarlierRows(
  db: Queryable<SubmissionTables>,
  row: RowKeys,
  notifiedAfter: Date | undefined,
): Promise<{ isKnownOrigin: boolean; equalRow?: SubmissionRow | undefined }> {
  const originRows = selectRowsOfOrigin(db, row);
  const matches = await db
    .selectFrom(originRows.as('known'))
    .selectAll()
    .$if(notifiedAfter !== undefined, (query) =>
      query.unionAll((builder) =>
        builder
          .selectFrom(selectEqualSubmissions(db, row, notifiedAfter ?? new Date(0)).as('equal'))
          .selectAll(),
      ),
    )
    .execute();
  const hasOrigin = ({ id, origin }: SubmissionRow) => origin === row.origin || id === row.origin;
  return { isKnownOrigin: matches.some(hasOrigin), equalRow: matches.find((match) => !hasOrigin(match)) };
}

/**
 * Finds the author's latest equal submission from another form. Ignores submissions with a notification at or before
 * `notifiedAfter`, because the author already knew the outcome.
 */
export function findLastEqualRow(
  db: Queryable<SubmissionTables>,
  row: RowKeys,
  notifiedAfter: Date,
): Promise<SubmissionRow | undefined> {
  return selectEqualSubmissions(db, row, notifiedAfter).executeTakeFirst();
}

/**
 * Selects rows of an origin. The order by `item` makes Postgres use the index instead of all rows of the workspace.
 */
function selectRowsOfOrigin(
  db: Queryable<SubmissionTables>,
  { workspace, origin }: Pick<NewSubmission, 'workspace' | 'origin'>,
) {
  const rows = db.selectFrom('submission').selectAll().where('workspace', '=', workspace).limit(1);
  return db
    .selectFrom(rows.where('id', '=', origin).as('edited'))
    .selectAll()
    .unionAll(db.selectFrom(rows.where('origin', '=', origin).orderBy('item').as('same_form')).selectAll());
}

function selectEqualSubmissions(db: Queryable<SubmissionTables>, row: RowKeys, notifiedAfter: Date) {
  // The offset keeps Postgres from merging this query into the outer query. A merged query may read all of the author's
  // submissions.
  const sameContent = db
    .selectFrom('submission')
    .selectAll()
    .where('fingerprint', '=', row.fingerprint ?? null)
    .offset(0);
  return (
    db
      .selectFrom(sameContent.as('same_content'))
      .selectAll()
      .where('workspace', '=', row.workspace)
      .where('author', '=', row.author)
      .where('kind', '=', row.kind)
      .where('origin', '!=', row.origin)
      // Excludes the edited submission.
      .where('id', '!=', row.origin)
      .where((expression) =>
        expression.or([expression('notified_at', 'is', null), expression('notified_at', '>', notifiedAfter)]),
      )
      .where('state', 'not in', ENDED_UNSENT_STATES)
      .orderBy('created_at', 'desc')
      .limit(1)
  );
}

/** The SQLSTATE unique_violation. https://www.postgresql.org/docs/current/errcodes-appendix.html */
const UNIQUE_VIOLATION = '23505';

/**
 * Creates a function that takes the lock for equal posts. It resolves with false if another row has the lock.
 * Simultaneous calls share a statement.
 */
export function createEqualPostsLock(db: Queryable<SubmissionTables>) {
  const takeLock = createBatchedStatement({
    getKey: ({ id }) => id,
    async run(requests: readonly { id: string; fence: number; lockKey: string }[]) {
      const ids = requests.map(({ id }) => id);
      // An ended row can't take the lock. A row that a transaction holds takes it later, so that the others needn't
      // wait for the transaction.
      const { rows } = await sql<{ id: string }>`
        with request as (
          select distinct on ("lockKey") * from jsonb_to_recordset(${toJsonParameter(requests)}::jsonb)
            as request(id text, fence int, "lockKey" text)
          order by "lockKey", id
        ), target as (
          select submission.id, "lockKey" from submission join request on request.id = submission.id
          where submission.id = any(${ids}::text[]) and submission.fence = request.fence
            and state in (${sql.join(SENDABLE_STATES)}) and not exists (
              select from submission other
              where other.locked and other.lock_key = "lockKey" and other.id <> request.id)
          order by "lockKey" for update of submission skip locked
        )
        update submission set locked = true, lock_key = "lockKey"
        from target where submission.id = target.id
        returning submission.id`.execute(db);
      return new Map(rows.map(({ id }) => [id, true]));
    },
  });
  return async ({ id, fence }: Pick<SubmissionRow, 'id' | 'fence'>, lockKey: string): Promise<boolean> => {
    try {
      return (await takeLock({ id, fence, lockKey })) ?? false;
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === UNIQUE_VIOLATION) return false;
      throw error;
    }
  };
}
