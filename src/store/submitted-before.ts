import type { Kysely } from 'kysely';
import type { BotSchema } from './schema.ts';
import type { NewSubmission, SubmissionRow } from './submissions.ts';

/** Stands for a row that was never saved, and keeps its id. */
const VOID = 'void ';

/**
 * Finds out whether rows were inserted, and makes it final: where they were not, their ids are taken by tombstones, so
 * that an INSERT still on its way, over a connection that was given up, inserts nothing any more. Waits for a
 * transaction that has inserted them and not ended yet. May be called again where its own answer was lost.
 */
export async function settleInsert(
  db: Kysely<BotSchema>,
  rows: readonly NewSubmission[],
): Promise<'saved' | 'void'> {
  const tombstones = rows.map(({ id, workspace, asker, kind, at }) => ({
    ...{ id, workspace, asker, kind, origin: `${VOID}${id}`, item: 0, revision: 0, channel: null },
    ...{ content: null, reason: null, state: 'discarded', created_at: at, changed_at: at },
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

/**
 * What the same author sent before in another form with the same content, and hasn't been told the end of, or only since
 * `toldSince`: to them it is one post that they sent twice because they couldn't know.
 */
export function lastEqual(
  db: Kysely<BotSchema>,
  row: Pick<NewSubmission, 'workspace' | 'asker' | 'kind' | 'origin'> & { fingerprint: string },
  toldSince: Date,
): Promise<SubmissionRow | undefined> {
  return (
    db
      .selectFrom('submission')
      .selectAll()
      .where('fingerprint', '=', row.fingerprint)
      .where('workspace', '=', row.workspace)
      .where('asker', '=', row.asker)
      .where('kind', '=', row.kind)
      .where('origin', '!=', row.origin)
      // What is being edited is replaced.
      .where('id', '!=', row.origin)
      .where((one) => one.or([one('told_at', 'is', null), one('told_at', '>', toldSince)]))
      .where('state', 'not in', ['refused', 'gave-up', 'discarded'])
      .orderBy('created_at', 'desc')
      .limit(1)
      .executeTakeFirst()
  );
}
