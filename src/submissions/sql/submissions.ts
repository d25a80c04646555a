import type { Queryable } from '../../store/database.ts';
import { ENDED_UNSENT_STATES, type SubmissionRow, type SubmissionTables } from '../submission.ts';

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

/** Lists those of the fingerprints that a submission since `since` has, either confirmed or still active. */
export async function listSentSince(
  db: Queryable<SubmissionTables>,
  fingerprints: readonly string[],
  since: Date,
): Promise<ReadonlySet<string | null>> {
  if (fingerprints.length === 0) return new Set();
  const rows = await db
    .selectFrom('submission')
    .select('fingerprint')
    .where('fingerprint', 'in', fingerprints)
    .where('created_at', '>=', since)
    .where('state', 'not in', ENDED_UNSENT_STATES)
    .execute();
  return new Set(rows.map(({ fingerprint }) => fingerprint));
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

function selectOwnSubmission(
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

/** Whether the service has something of the form, may still get it, or an edit in another form has replaced it. */
export async function wasFormSent(
  db: Queryable<SubmissionTables>,
  form: Pick<ItemKey, 'workspace' | 'origin'>,
): Promise<boolean> {
  const rows = await listFormSubmissions(db, form);
  return rows.some(({ state, reason }) => reason === 'replaced' || !ENDED_UNSENT_STATES.includes(state));
}

/** Lists the newest revisions of a form's items, in the order of the items. */
export function listFormSubmissions(
  db: Queryable<SubmissionTables>,
  form: Pick<ItemKey, 'workspace' | 'origin'>,
): Promise<SubmissionRow[]> {
  return selectFormSubmissions(db, form).execute();
}

/** Lists the newest revisions of a form's items, and the author's submission that the form edits. */
export function listEarlierSubmissions(
  db: Queryable<SubmissionTables>,
  form: Pick<SubmissionRow, 'workspace' | 'origin' | 'author'>,
): Promise<SubmissionRow[]> {
  return db
    .selectFrom(selectFormSubmissions(db, form).as('newest'))
    .selectAll()
    .unionAll(selectOwnSubmission(db, { ...form, id: form.origin }))
    .execute();
}

function selectFormSubmissions(
  db: Queryable<SubmissionTables>,
  { workspace, origin }: Pick<ItemKey, 'workspace' | 'origin'>,
) {
  return db
    .selectFrom('submission')
    .distinctOn('item')
    .selectAll()
    .where(({ and }) => and({ workspace, origin }))
    .orderBy('item')
    .orderBy('revision', 'desc');
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

/** Records which message shows a submission. Resolves with the current row, or undefined if the row was deleted. */
export function saveMessage(
  db: Queryable<SubmissionTables>,
  id: string,
  { channel, ts }: { channel: string; ts: string },
): Promise<SubmissionRow | undefined> {
  return db
    .updateTable('submission')
    .set({ message_channel: channel, message_ts: ts })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst();
}
