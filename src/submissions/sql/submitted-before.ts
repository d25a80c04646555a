import type { Kysely } from 'kysely';
import { entering } from '../../delivery/lifecycle.ts';
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
export async function settleInsert(
  db: Kysely<BotSchema>,
  rows: readonly NewSubmission[],
): Promise<'saved' | 'void'> {
  const tombstones = rows.map(({ id, workspace, asker, kind, at }) => ({
    ...{ id, workspace, asker, kind, origin: `${VOID}${id}`, item: 0, revision: 0, channel: null },
    ...{ content: null, reason: null, created_at: at, ...entering(LIFECYCLE, 'discarded', at) },
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

type Row = Pick<NewSubmission, 'workspace' | 'asker' | 'kind' | 'origin' | 'fingerprint'>;

/**
 * Both in one statement, because every submission asks: whether its form is known (isKnownOrigin), and its last equal
 * (lastEqual), which is not looked for without `toldSince`.
 */
export async function submittedBefore(
  db: Kysely<BotSchema>,
  row: Row,
  toldSince: Date | undefined,
): Promise<{ isKnown: boolean; equal?: SubmissionRow | undefined }> {
  const known = ofOrigin(db, row).selectAll().limit(1);
  const found = await db
    .selectFrom(known.as('known'))
    .selectAll()
    .$if(toldSince !== undefined, (all) =>
      all.unionAll((and) =>
        and.selectFrom(equalOnes(db, row, toldSince ?? new Date(0)).as('equal')).selectAll(),
      ),
    )
    .execute();
  const isOfOrigin = ({ id, origin }: SubmissionRow) => origin === row.origin || id === row.origin;
  return { isKnown: found.some(isOfOrigin), equal: found.find((one) => !isOfOrigin(one)) };
}

/** Whether something came from this form, or the form edits something: then it is not simply new. */
export async function isKnownOrigin(
  db: Kysely<BotSchema>,
  key: Pick<NewSubmission, 'workspace' | 'origin'>,
): Promise<boolean> {
  return (await ofOrigin(db, key).select('id').limit(1).executeTakeFirst()) !== undefined;
}

/**
 * The author's latest submission of the same content from another form, if they have not been notified of its outcome,
 * or only since `toldSince`: then they submitted one post twice because they could not know about the first.
 */
export function lastEqual(
  db: Kysely<BotSchema>,
  row: Row,
  toldSince: Date,
): Promise<SubmissionRow | undefined> {
  return equalOnes(db, row, toldSince).executeTakeFirst();
}

function ofOrigin(db: Kysely<BotSchema>, { workspace, origin }: Pick<NewSubmission, 'workspace' | 'origin'>) {
  return db
    .selectFrom('submission')
    .where('workspace', '=', workspace)
    .where((row) => row.or([row('origin', '=', origin), row('id', '=', origin)]));
}

function equalOnes(db: Kysely<BotSchema>, row: Row, toldSince: Date) {
  return (
    db
      .selectFrom('submission')
      .selectAll()
      .where('fingerprint', '=', row.fingerprint ?? null)
      .where('workspace', '=', row.workspace)
      .where('asker', '=', row.asker)
      .where('kind', '=', row.kind)
      .where('origin', '!=', row.origin)
      // What is being edited is replaced.
      .where('id', '!=', row.origin)
      .where((one) => one.or([one('told_at', 'is', null), one('told_at', '>', toldSince)]))
      .where('state', 'not in', ENDED_UNSENT)
      .orderBy('created_at', 'desc')
      .limit(1)
  );
}
