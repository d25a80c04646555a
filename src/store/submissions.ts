import type { Kysely, Selectable } from 'kysely';
import type { BotSchema } from './schema.ts';

/** One row of what was submitted; `content` and `reason` are sealed. */
export type SubmissionRow = Selectable<BotSchema['submission']>;

/** What a row begins with, and the key that makes it the only one. */
type NewSubmission = Pick<
  SubmissionRow,
  'id' | 'workspace' | 'asker' | 'kind' | 'origin' | 'item' | 'revision' | 'channel' | 'content'
> & { at: Date };

type Key = Pick<SubmissionRow, 'workspace' | 'origin' | 'item'>;

/** False where a row with this key, or one of this origin and item that may be on its way, is there already. */
export async function insertSubmission(db: Kysely<BotSchema>, submission: NewSubmission): Promise<boolean> {
  const { at, ...row } = submission;
  const result = await db
    .insertInto('submission')
    .values({ ...row, state: 'saved', reason: null, created_at: at, changed_at: at })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return Number(result.numInsertedOrUpdatedRows ?? 0) > 0;
}

/** The row with the highest revision. */
export function newestSubmission(db: Kysely<BotSchema>, key: Key): Promise<SubmissionRow | undefined> {
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

/** A person's own row in their workspace; undefined for everybody else. */
export function ownSubmission(
  db: Kysely<BotSchema>,
  wanted: Pick<SubmissionRow, 'id' | 'workspace' | 'asker' | 'kind'>,
): Promise<SubmissionRow | undefined> {
  return db
    .selectFrom('submission')
    .selectAll()
    .where('id', '=', wanted.id)
    .where('workspace', '=', wanted.workspace)
    .where('asker', '=', wanted.asker)
    .where('kind', '=', wanted.kind)
    .executeTakeFirst();
}

/** Takes a row that nobody has sent, with what is to be sent; false when somebody else was first. */
export async function claimSubmission(
  db: Kysely<BotSchema>,
  claim: { id: string; content: string; at: Date },
): Promise<boolean> {
  const result = await db
    .updateTable('submission')
    .set((row) => ({
      state: 'sending',
      content: claim.content,
      attempts: row('attempts', '+', 1),
      changed_at: claim.at,
    }))
    .where('id', '=', claim.id)
    .where('state', '=', 'saved')
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/** Moves a row from one state to the next; false when it was no longer in the first. */
export async function moveSubmission(
  db: Kysely<BotSchema>,
  move: { id: string; from: string; to: string; reason?: string; at: Date },
): Promise<boolean> {
  const result = await db
    .updateTable('submission')
    .set({ state: move.to, reason: move.reason ?? null, changed_at: move.at })
    .where('id', '=', move.id)
    .where('state', '=', move.from)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/** Removes a row; only for who claimed it and will not send it. */
export async function forgetSubmission(db: Kysely<BotSchema>, id: string): Promise<void> {
  await db.deleteFrom('submission').where('id', '=', id).execute();
}

/** Notes that it was shown to its channel, or that it was not after all; false when it was there already. */
export async function markShared(
  db: Kysely<BotSchema>,
  mark: { id: string; at: Date | null },
): Promise<boolean> {
  const result = await db
    .updateTable('submission')
    .set({ shared_at: mark.at })
    .where('id', '=', mark.id)
    .where('shared_at', mark.at === null ? 'is not' : 'is', null)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}
