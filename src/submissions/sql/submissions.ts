import type { Kysely, Selectable } from 'kysely';
import { entering } from '../../delivery/lifecycle.ts';
import type { BotSchema } from '../../store/schema.ts';
import { ENDED_UNSENT, LIFECYCLE } from '../lifecycle.ts';

/** One row of what was submitted; `content` and `reason` are sealed. */
export type SubmissionRow = Selectable<BotSchema['submission']>;

/** What a row begins with, and the key that makes it the only one. */
export type NewSubmission = Pick<
  SubmissionRow,
  'id' | 'workspace' | 'asker' | 'kind' | 'origin' | 'item' | 'revision' | 'channel' | 'content'
> &
  Partial<Pick<SubmissionRow, 'endpoint' | 'view_id' | 'project' | 'fingerprint' | 'due_at' | 'doubted'>> & {
    at: Date;
    /** Until then it is in the hands of who saves it. */
    leaseUntil?: Date;
  };

type Key = Pick<SubmissionRow, 'workspace' | 'origin' | 'item'>;

/** The inserted row. Undefined if its key, or an unfinished submission of the same origin and item, exists already. */
export async function insertSubmission(
  db: Kysely<BotSchema>,
  submission: NewSubmission,
): Promise<SubmissionRow | undefined> {
  const { at, leaseUntil, ...row } = submission;
  const claim = leaseUntil && { lease_until: leaseUntil, fence: 1, next_at: leaseUntil, tried_since: at };
  return db
    .insertInto('submission')
    .values({ ...row, ...entering(LIFECYCLE, 'saved', at), ...claim, reason: null, created_at: at })
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst();
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

/**
 * Whether something newer of the same tenant has the same target and may be, or come, at the service: anybody's, or only
 * what the same author sent in another form.
 */
export async function hasNewerEqual(
  db: Kysely<BotSchema>,
  row: Pick<SubmissionRow, 'workspace' | 'asker' | 'kind' | 'origin' | 'fingerprint' | 'created_at'>,
  from: 'anybody' | 'its-author',
): Promise<boolean> {
  if (row.fingerprint === null) return false;
  const newer = await db
    .selectFrom('submission')
    .select('id')
    .where('fingerprint', '=', row.fingerprint)
    .where('created_at', '>', row.created_at)
    .where('state', 'not in', ENDED_UNSENT)
    .$if(from === 'its-author', (equal) =>
      equal
        .where('workspace', '=', row.workspace)
        .where('asker', '=', row.asker)
        .where('kind', '=', row.kind)
        .where('origin', '!=', row.origin),
    )
    .limit(1)
    .executeTakeFirst();
  return newer !== undefined;
}

/** Whether another one with the same lock has moved since then, whichever tenant's. */
export async function hasEqualSince(
  db: Kysely<BotSchema>,
  of: { id: string; lockKey: string; since: Date },
): Promise<boolean> {
  const found = await db
    .selectFrom('submission')
    .select('id')
    .where('lock_key', '=', of.lockKey)
    .where('id', '!=', of.id)
    .where('changed_at', '>=', of.since)
    .limit(1)
    .executeTakeFirst();
  return found !== undefined;
}

/** A person's own row, whatever its kind. */
export function ownRow(
  db: Kysely<BotSchema>,
  wanted: Pick<SubmissionRow, 'id' | 'workspace' | 'asker'>,
): Promise<SubmissionRow | undefined> {
  return db
    .selectFrom('submission')
    .selectAll()
    .where('id', '=', wanted.id)
    .where('workspace', '=', wanted.workspace)
    .where('asker', '=', wanted.asker)
    .executeTakeFirst();
}

/** A row of a workspace; who may see it is the caller's to check. */
export function submissionOf(
  db: Kysely<BotSchema>,
  wanted: Pick<SubmissionRow, 'id' | 'workspace'>,
): Promise<SubmissionRow | undefined> {
  return db
    .selectFrom('submission')
    .selectAll()
    .where('id', '=', wanted.id)
    .where('workspace', '=', wanted.workspace)
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

export async function rowsById(db: Kysely<BotSchema>, ids: readonly string[]): Promise<SubmissionRow[]> {
  if (ids.length === 0) return [];
  return db.selectFrom('submission').selectAll().where('id', 'in', ids).execute();
}

/** The newest revision of each item of a form, in the items' order. */
export async function submissionsOfForm(
  db: Kysely<BotSchema>,
  form: Pick<Key, 'workspace' | 'origin'>,
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
