import type { Kysely } from 'kysely';
import { entryColumns } from '../../delivery/lifecycle.ts';
import type { BotSchema } from '../../store/schema.ts';
import { ENDED_UNSENT, LIFECYCLE } from '../lifecycle.ts';
import type { NewSubmission, SubmissionRow } from './submissions.ts';

/** Origin prefix of a tombstone, which takes the id of a row that was never saved. */
const VOID = 'void ';

/**
 * Finds out whether rows were inserted, and makes the answer final: tombstones take the ids of rows that were not, so
 * that a delayed INSERT from an abandoned connection can no longer succeed. Waits for an open transaction that has
 * inserted them. Safe to repeat after a lost answer.
 */
export async function resolveInsert(
  db: Kysely<BotSchema>,
  rows: readonly NewSubmission[],
): Promise<'saved' | 'void'> {
  const tombstones = rows.map(({ id, workspace, author, kind, at }) => ({
    ...{ id, workspace, author, kind, origin: `${VOID}${id}`, item: 0, revision: 0, channel: null },
    ...{ content: null, refusal: null, created_at: at, ...entryColumns(LIFECYCLE, 'discarded', at) },
  }));
  await db
    .insertInto('submission')
    .values(tombstones)
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute();
  const ids = rows.map(({ id }) => id);
  const found = await db.selectFrom('submission').select('origin').where('id', 'in', ids).execute();
  return found.every(({ origin }) => origin.startsWith(VOID)) ? 'void' : 'saved';
}

type Row = Pick<NewSubmission, 'workspace' | 'author' | 'kind' | 'origin' | 'fingerprint'>;

/**
 * The results of `isKnownOrigin` and `lastEqual` in one statement, because every submission needs both. Without
 * `notifiedSince` it doesn't look for an equal submission.
 */
export async function findEarlier(
  db: Kysely<BotSchema>,
  row: Row,
  notifiedSince: Date | undefined,
): Promise<{ isKnown: boolean; equal?: SubmissionRow | undefined }> {
  const known = rowsOfOrigin(db, row);
  const found = await db
    .selectFrom(known.as('known'))
    .selectAll()
    .$if(notifiedSince !== undefined, (all) =>
      all.unionAll((and) =>
        and.selectFrom(equalSubmissions(db, row, notifiedSince ?? new Date(0)).as('equal')).selectAll(),
      ),
    )
    .execute();
  const isOfOrigin = ({ id, origin }: SubmissionRow) => origin === row.origin || id === row.origin;
  return { isKnown: found.some(isOfOrigin), equal: found.find((one) => !isOfOrigin(one)) };
}

/** Whether an earlier submission came from this form, or the form edits one. */
export async function isKnownOrigin(
  db: Kysely<BotSchema>,
  key: Pick<NewSubmission, 'workspace' | 'origin'>,
): Promise<boolean> {
  return (await rowsOfOrigin(db, key).executeTakeFirst()) !== undefined;
}

/**
 * The author's latest submission of the same content from another form, if the author wasn't notified of its outcome, or
 * only after `notifiedSince`. Then the author submitted it twice without knowing the outcome of the first.
 */
export function lastEqual(
  db: Kysely<BotSchema>,
  row: Row,
  notifiedSince: Date,
): Promise<SubmissionRow | undefined> {
  return equalSubmissions(db, row, notifiedSince).executeTakeFirst();
}

/** Two lookups. The order selects the index: without it, Postgres may read all rows of the workspace until one matches. */
function rowsOfOrigin(
  db: Kysely<BotSchema>,
  { workspace, origin }: Pick<NewSubmission, 'workspace' | 'origin'>,
) {
  const rows = db.selectFrom('submission').selectAll().where('workspace', '=', workspace).limit(1);
  return db
    .selectFrom(rows.where('id', '=', origin).as('edited'))
    .selectAll()
    .unionAll(db.selectFrom(rows.where('origin', '=', origin).orderBy('item').as('same_form')).selectAll());
}

function equalSubmissions(db: Kysely<BotSchema>, row: Row, notifiedSince: Date) {
  // Postgres doesn't combine a query that has an offset with the one around it. Combined, it may read all submissions of
  // the author by date until one matches.
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
      // Not the submission that this form edits.
      .where('id', '!=', row.origin)
      .where((one) => one.or([one('notified_at', 'is', null), one('notified_at', '>', notifiedSince)]))
      .where('state', 'not in', ENDED_UNSENT)
      .orderBy('created_at', 'desc')
      .limit(1)
  );
}
