import { randomUUID } from 'node:crypto';
import type { PreparedEntry } from '../access/access.ts';
import { within } from '../promises.ts';
import type { Queryable } from '../store/database.ts';
import { ConnectionLost, isStatementFailure } from '../store/database-unavailable.ts';
import { computeHashColumns, type ReceivedSubmission } from './fingerprint.ts';
import type { PostFunctions, SubmissionKind } from './kind.ts';
import {
  type Companion,
  discardSubmission,
  findLatestReplacement,
  findNewestSubmission,
  findOwnSubmission,
  findRowsById,
  insertOrFind,
  insertWithLock,
  type NewSubmission,
  type PostColumns,
  readCurrentRow,
  replaceSubmission,
  type StoredRow,
} from './sql/submissions.ts';
import { ENDED_UNSENT_STATES, type SubmissionRow, type SubmissionTables } from './submission.ts';
import type { SubmissionContext } from './submission-context.ts';

export interface SavedRow extends StoredRow {
  /** The audit entry that the author may send the inserted row, which may have been stored with it. Defaults to none. */
  allowance?: PreparedEntry | undefined;
  /** Whether the row can't be changed any more, and may have other content than this, which isn't saved. */
  isOtherContent?: boolean;
}

/** Creates rows that store their posts with them, unless `isPostStored`: a held post has its own row. */
export function createRows<Content>(
  context: SubmissionContext,
  kind: SubmissionKind<Content>,
  submissions: readonly ReceivedSubmission<Content>[],
  { isPostStored = false } = {},
): Promise<NewSubmission[]> {
  return Promise.all(
    submissions.map(async (submission) => ({
      ...(await createRow(context, kind, submission)),
      ...(!isPostStored && (await preparePost(context, kind, submission))),
    })),
  );
}

interface SaveOptions {
  /** For each row, the id of an earlier equal row, or undefined. The earlier row replaces the new row. */
  earlierIds?: readonly (string | undefined)[];
  /** Runs right before the first INSERT. */
  onInsert?(): void;
  /** What is stored with the row if a single INSERT is enough. Defaults to nothing. */
  companions?: readonly Companion[];
  /** The audit entry that the author may send a single row. Also stored with it. Defaults to none. */
  allowance?: PreparedEntry | undefined;
}

/** Saves all rows or none. New rows are claimed by this instance. */
export async function saveRows(
  context: SubmissionContext,
  rows: readonly NewSubmission[],
  { earlierIds = [], onInsert, companions = [], allowance }: SaveOptions = {},
): Promise<SavedRow[]> {
  const [firstRow] = rows;
  if (!firstRow) return [];
  const earlierRows = await findRowsById(
    context.db,
    earlierIds.filter((id) => id !== undefined),
  );
  onInsert?.();
  // In the usual case, a new form with one publishing time, a single INSERT is enough.
  if (rows.length === 1 && earlierRows.length === 0) {
    const row = await insertRowOfNewForm(context, firstRow, [
      ...companions,
      ...(allowance ? [allowance] : []),
    ]);
    if (row) return [{ ...row, allowance }];
  }
  return context.db.transaction().execute(async (db) => {
    const savedRows: SavedRow[] = [];
    // In the order of their locks, so that two forms with the same posts don't wait for each other.
    for (const [index, row] of [...rows.entries()].toSorted(([, a], [, b]) => compareLocks(a, b))) {
      const earlierRow = earlierRows.find(({ id }) => id === earlierIds[index]);
      savedRows[index] = earlierRow
        ? { row: earlierRow, isInserted: false, wasSavedBefore: true }
        : await saveNextRevision(db, row, context.clock.readShared());
    }
    return savedRows;
  });
}

/**
 * Inserts the row of a new form. Resolves with undefined if that isn't enough. The row is also inserted if the companions
 * can't be stored, for example because the audit log is locked or full.
 */
async function insertRowOfNewForm(
  { db, log, pace }: SubmissionContext,
  row: NewSubmission,
  companions: readonly Companion[],
): Promise<StoredRow | undefined> {
  const insertion = insertWithLock(db, row, { isNewForm: true, companions });
  if (companions.length === 0) return insertion;
  const reportFailure = (reason: object) =>
    log.warn(
      { submission: row.id, ...reason },
      'could not store a submission together with its audit entries',
    );
  const settled = insertion.catch((error: unknown) => {
    if (!isStatementFailure(error)) throw error;
    reportFailure({ err: error });
    return 'failed' as const;
  });
  const outcome = await within(pace.saveMs / 2, settled, 'late' as const);
  if (typeof outcome !== 'string') return outcome;
  if (outcome === 'late') reportFailure({ waitedMs: pace.saveMs / 2 });
  // A late INSERT may still be applied. Whichever comes second inserts nothing, because the row has the same id.
  const insertedRow = await insertWithLock(db, row, { isNewForm: true }).catch((error: unknown) => {
    if (outcome === 'failed' || error instanceof ConnectionLost) throw error;
    return undefined;
  });
  if (insertedRow || outcome === 'failed') return insertedRow;
  const lateOutcome = await settled;
  return lateOutcome === 'failed' ? undefined : lateOutcome;
}

/** All instances use the same order, so it doesn't depend on their language. */
export function compareLocks(a: NewSubmission, b: NewSubmission): number {
  const [first, second] = [a.lock_key ?? '', b.lock_key ?? ''];
  return Number(first > second) - Number(first < second);
}

/** For this long after the author's notification, an equal post from another form counts as the same post. */
const SAME_POST_MS = 2 * 60_000;

/**
 * Since when an equal post of the author counts as the same. The request may have waited for a frozen instance, so the
 * time counts at which Slack sent it.
 */
export function findSamePostStart(now: Date, sentAt: Date | undefined, samePostMs = SAME_POST_MS): Date {
  return new Date(Math.min(now.getTime(), sentAt?.getTime() ?? now.getTime()) - samePostMs);
}

/** Computes what a post has from its content. */
export async function computePostColumns<Content>(
  { computeContentHash }: Pick<SubmissionContext, 'computeContentHash'>,
  { describeRequest, getTime, toPost }: PostFunctions<Content>,
  { workspace, content }: { workspace: string; content: Content },
): Promise<Omit<PostColumns, 'at'>> {
  return {
    content_hash: await computeContentHash(workspace, JSON.stringify(describeRequest(content))),
    platforms: toPost(content).platforms.join(),
    publish_at: getTime(content) ?? null,
  };
}

/** Prepares the post of a new submission: whoever stores the row stores the post. */
async function preparePost<Content>(
  context: SubmissionContext,
  { post }: SubmissionKind<Content>,
  submission: ReceivedSubmission<Content>,
): Promise<Pick<NewSubmission, 'insertPost'>> {
  if (!post) return {};
  const columns = { ...(await computePostColumns(context, post, submission)), at: context.clock.now() };
  return { insertPost: (delivery) => context.insertPost(columns, delivery) };
}

async function createRow<Content>(
  context: SubmissionContext,
  kind: SubmissionKind<Content>,
  submission: ReceivedSubmission<Content>,
): Promise<NewSubmission> {
  const { workspace, author, origin, item, channel = null, viewId = null, message, content } = submission;
  const project = kind.getProject(content)?.id ?? null;
  const now = context.clock.readShared();
  const { strategy } = kind.unknownOutcome;
  return {
    id: randomUUID(),
    workspace,
    author,
    kind: kind.name,
    origin,
    item,
    revision: 0,
    channel,
    trigger_id: submission.trigger ?? null,
    view_id: viewId,
    message_channel: message?.channel ?? null,
    message_ts: message?.ts ?? null,
    content: context.encryption.encrypt(JSON.stringify(content), workspace),
    project,
    ...(await computeHashColumns(context, kind, submission)),
    publish_at: kind.getPublishAt?.(content) ?? null,
    // A call that is safe to repeat needs no comparison.
    ...(strategy !== 'repeat' && {
      equalSince: findSamePostStart(now, submission.sentAt, strategy === 'reconcile' ? SAME_POST_MS : 0),
    }),
    createdAt: now,
    leaseUntil: new Date(now.getTime() + context.pace.leaseMs),
  };
}

/** Saves a row, or finds that of the same form and item. A copy of a request finds it even if it has ended unsent. */
export async function saveNextRevision(
  db: Queryable<SubmissionTables>,
  row: NewSubmission,
  now: Date,
): Promise<SavedRow> {
  const newestRow = await findNewestSubmission(db, row);
  if (!newestRow) {
    const { workspace, author, origin } = row;
    const editedRow = await findOwnSubmission(db, { id: origin, workspace, author });
    if (!editedRow) return insertOrFind(db, row);
    if (!(await replaceSubmission(db, editedRow, now))) return findStored(db, row, editedRow);
    return insertOrFind(db, {
      ...reuseMessage(row, editedRow),
      maybe_sent: editedRow.maybe_sent,
      // An edit with several times changes the post and makes new ones.
      ...(row.item === 0 && { replacedId: editedRow.id }),
    });
  }
  const isReplaced = newestRow.state === 'discarded' && newestRow.reason === 'replaced';
  const hasEndedUnsent = ENDED_UNSENT_STATES.includes(newestRow.state);
  if (isReplaced || !hasEndedUnsent || isCopyOf(row, newestRow)) return findStored(db, row, newestRow);
  if (newestRow.state !== 'discarded') await discardSubmission(db, newestRow, now);
  return insertOrFind(db, {
    ...reuseMessage(row, newestRow),
    revision: newestRow.revision + 1,
    maybe_sent: row.maybe_sent || newestRow.maybe_sent,
    replacedId: newestRow.id,
  });
}

/** Finds what is stored instead of a row. It may have changed since it was read, for example because it is being sent. */
async function findStored(
  db: Queryable<SubmissionTables>,
  row: NewSubmission,
  stored: SubmissionRow,
): Promise<SavedRow> {
  const current = await findLatestReplacement({ db }, await readCurrentRow(db, stored));
  return { row: current, isInserted: false, isOtherContent: hasOtherContent(row, current) };
}

/** Only copies of a request have the same trigger id: a view keeps its id, and also its hash while it shows errors. */
const isCopyOf = (row: NewSubmission, stored: SubmissionRow) =>
  typeof row.trigger_id === 'string' && row.trigger_id === stored.trigger_id;

/** Whether the author may have changed the form since. The fingerprint of a repeatable call is only its target. */
const hasOtherContent = (row: NewSubmission, stored: SubmissionRow) =>
  !isCopyOf(row, stored) && (row.equalSince === undefined || stored.fingerprint !== row.fingerprint);

/** Reuses the message of the edited submission, so that it shows the new version. */
function reuseMessage(row: NewSubmission, { message_channel, message_ts }: SubmissionRow): NewSubmission {
  return row.message_ts ? row : { ...row, message_channel, message_ts };
}
