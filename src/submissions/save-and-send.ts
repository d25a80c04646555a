import { setTimeout as delay } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { PreparedEntry } from '../access/access.ts';
import { within } from '../promises.ts';
import { ConnectionLost, isDatabaseFailure } from '../store/database-unavailable.ts';
import { type AttemptOptions, makeFirstAttempt, waitUntilSent } from './attempt.ts';
import { readContent } from './content.ts';
import { notifyNow } from './deliveries.ts';
import { computeSaveKeys, type ReceivedSubmission } from './fingerprint.ts';
import type { SubmissionKind } from './kind.ts';
import { createRows, type SavedRow, saveRows } from './save.ts';
import {
  type Companion,
  findEqualRow,
  findNewestSubmission,
  findRowsById,
  type NewSubmission,
  type PostKey,
  readCurrentRow,
} from './sql/submissions.ts';
import type { SubmissionRow } from './submission.ts';
import type { SaveOutcome, SubmissionContext } from './submission-context.ts';
import { renderUnsavedMessage } from './text/state-blocks.ts';

export interface SubmissionsInFlight {
  /** The rows after the first attempt. */
  attemptedRows: Promise<SubmissionRow[]>;
  readRows(): Promise<SubmissionRow[]>;
  /** The posts that were stored with new rows, by their ids. */
  posts: ReadonlyMap<string, PostKey>;
  /** Makes the notifications about new rows due, after the first attempt. Other requests send those about other rows. */
  notifySoon(): Promise<void>;
  /** Ids of equal rows that the author submitted before from other forms. */
  savedBeforeIds: ReadonlySet<string>;
  /** Texts that aren't saved, because the earlier content can't be changed any more. '' for content without a text. */
  unsavedTexts: readonly string[];
}

interface SaveAndSendOptions extends Pick<AttemptOptions, 'isInRequest'> {
  /** What is stored with a single submission of a new form. `handleCommit` says so. */
  companions?: readonly Companion[];
}

/**
 * Saves submissions and begins to send them. `not-saved`: the submissions certainly aren't saved and never will be.
 * `uncertain`: the response to the COMMIT was lost. A background task resolves the uncertainty and notifies the author.
 * Meanwhile, another submission of the same content uses the first submission's row.
 */
export async function saveAndSend<Content>(
  context: SubmissionContext,
  kind: SubmissionKind<Content>,
  submissions: readonly ReceivedSubmission<Content>[],
  { isInRequest = false, companions = [] }: SaveAndSendOptions = {},
): Promise<SubmissionsInFlight | 'not-saved' | 'uncertain'> {
  await context.pace.onCrashPoint?.('before-row');
  const savedRows = await save(context, kind, submissions, { companions, isInRequest });
  if (typeof savedRows === 'string') return savedRows;
  await context.pace.onCrashPoint?.('after-row');
  const savedBeforeIds = new Set(
    savedRows.flatMap(({ row, wasSavedBefore }) => (wasSavedBefore ? row.id : [])),
  );
  const unsavedTexts = submissions.flatMap(({ content }, index) => {
    const saved = savedRows[index];
    if (!saved?.isOtherContent) return [];
    const stored = readContent(context, kind, saved.row)?.content;
    return isDeepStrictEqual(stored, JSON.parse(JSON.stringify(content))) ? [] : [kind.copy.getText(content)];
  });
  const { notificationDelayMs: notifyAfterMs } = context.pace;
  const options: AttemptOptions = { probe: 'never', notifyAfterMs, isInRequest };
  const sendRow = async ({ row, isInserted, mayHaveToWait = true, allowance }: SavedRow) => {
    // Does nothing if the entry is known to be stored. If that answer was lost, the entry is added again under its id.
    allowance?.enqueue();
    const isAllowanceRecorded = allowance !== undefined;
    const attempting = isInserted
      ? makeFirstAttempt(context, row, { ...options, mayHaveToWait, isAllowanceRecorded })
      : waitUntilSent(context, row);
    // It is saved, whether or not it can be read again, and the poll goes on with it.
    return unlessUnreadable(
      context,
      row,
      attempting.then((attemptedRow) => attemptedRow ?? readCurrentRow(context.db, row)),
    );
  };
  const attemptedRows = Promise.all(savedRows.map(sendRow));
  return {
    attemptedRows,
    posts: new Map(savedRows.flatMap(({ row, post }) => (post ? [[row.id, post] as const] : []))),
    async readRows() {
      const ids = savedRows.map(({ row }) => row.id);
      const known = savedRows.map(({ row }) => row);
      const rows = await unlessUnreadable(context, known, findRowsById(context.db, ids));
      return known.map((row) => rows.find(({ id }) => id === row.id) ?? row);
    },
    async notifySoon() {
      for (const [index, row] of (await attemptedRows).entries())
        if (savedRows[index]?.isInserted) await notifyNow(context, row);
    },
    savedBeforeIds,
    unsavedTexts,
  };
}

/** Resolves with what a read finds or, if the database fails, with what is known: to the author it is saved either way. */
function unlessUnreadable<Known>(
  { log }: SubmissionContext,
  known: Known,
  read: Promise<Known>,
): Promise<Known> {
  return read.catch((error: unknown) => {
    if (!isDatabaseFailure(error)) throw error;
    log.warn({ err: error }, 'could not read a saved submission again');
    return known;
  });
}

/** The progress of a save. A save may continue after `save` has returned. */
interface SaveProgress {
  rows: NewSubmission[];
  /** For each row, the id of an earlier equal row, or undefined. The earlier row replaces the new row. */
  earlierIds: readonly (string | undefined)[];
  /** See `SaveOptions`. */
  allowance?: PreparedEntry | undefined;
  stage: 'preparing' | 'inserting' | 'given-up';
}

/** Saves submissions. If the outcome of the save is uncertain, resolves the uncertainty. */
async function save<Content>(
  context: SubmissionContext,
  kind: SubmissionKind<Content>,
  submissions: readonly ReceivedSubmission<Content>[],
  { companions = [], isInRequest = false }: SaveAndSendOptions,
): Promise<SavedRow[] | 'not-saved' | 'uncertain'> {
  const { pace, log, uncertainSaves } = context;
  const keys = submissions.map((submission) => computeSaveKeys(kind, submission));
  const progress: SaveProgress = { rows: [], earlierIds: [], stage: 'preparing' };
  const savePromise = (async () => {
    progress.rows = await createRows(context, kind, submissions);
    const [row] = progress.rows;
    if (row && progress.rows.length === 1 && isInRequest && !context.isSwitchedOff(row.kind))
      progress.allowance = context.prepareAllowed(row);
    progress.earlierIds = await Promise.all(keys.map((rowKeys) => uncertainSaves.findSavedId(rowKeys)));
    const onInsert = () => {
      if (progress.stage === 'given-up')
        throw new Error('save abandoned: the author was already notified of the failure');
      progress.stage = 'inserting';
    };
    const { earlierIds, allowance } = progress;
    return saveRows(context, progress.rows, { companions, allowance, earlierIds, onInsert });
  })();
  const outcome = await within(
    pace.saveMs,
    savePromise.catch((error: unknown) => {
      log.error({ err: error }, 'could not save a submission');
      return error instanceof ConnectionLost ? ('uncertain' as const) : ('failed' as const);
    }),
    'late' as const,
  );
  if (typeof outcome !== 'string') return outcome;
  if (progress.stage !== 'inserting') {
    progress.stage = 'given-up';
    return uncertainSaves.hasAny(keys.flat()) ? 'uncertain' : 'not-saved';
  }
  if (outcome === 'failed') return 'not-saved';
  const { rows, allowance } = progress;
  const resolution = uncertainSaves.resolve(rows, keys);
  const saveOutcome = await within(
    pace.resolveMs,
    resolution.catch(() => undefined),
  );
  if (saveOutcome !== undefined) {
    return findSavedRows(context, progress).catch(() => (saveOutcome === 'void' ? 'not-saved' : 'uncertain'));
  }
  const texts = submissions.map(({ content }) => kind.copy.getText(content));
  resolution
    .then((lateOutcome) => resumeUncertainSave(context, { rows, allowance, texts, saveOutcome: lateOutcome }))
    .catch((error: unknown) => log.error({ err: error }, 'could not notify an author of an uncertain save'));
  return 'uncertain';
}

async function findSavedRows(
  context: SubmissionContext,
  { rows, earlierIds, allowance }: SaveProgress,
): Promise<SavedRow[] | 'not-saved'> {
  const ids = [...rows.map(({ id }) => id), ...earlierIds.filter((id) => id !== undefined)];
  const storedRows = await findRowsById(context.db, ids);
  const savedRows: SavedRow[] = [];
  for (const [index, row] of rows.entries()) {
    // A tombstone (see `resolveInsert`) has the same id but another origin.
    const insertedRow = storedRows.find(({ id, origin }) => id === row.id && origin === row.origin);
    // Another request of the form, or an equal submission, may have been saved first.
    const knownRow =
      insertedRow ??
      storedRows.find(({ id }) => id === earlierIds[index]) ??
      (await findNewestSubmission(context.db, row));
    const savedRow = knownRow ?? (await findEqualRow(context.db, row));
    if (!savedRow) return 'not-saved';
    savedRows.push({
      row: savedRow,
      isInserted: insertedRow !== undefined,
      ...(insertedRow && { allowance }),
      wasSavedBefore: savedRow.origin !== row.origin,
    });
  }
  return savedRows;
}

/** Delays between attempts to notify an author of a failed save. */
const NOTIFY_DELAYS_MS = [1_000, 5_000, 15_000, 60_000, 5 * 60_000, 15 * 60_000];

/** Continues after a late resolution: sends the saved rows, or notifies the author of the failed save. */
async function resumeUncertainSave(
  context: SubmissionContext,
  save: Pick<SaveProgress, 'rows' | 'allowance'> & { texts: readonly string[]; saveOutcome: SaveOutcome },
): Promise<void> {
  const { rows, allowance, texts, saveOutcome } = save;
  const [firstRow] = rows;
  if (!firstRow) return;
  if (saveOutcome === 'saved') {
    allowance?.enqueue();
    const isAllowanceRecorded = allowance !== undefined;
    // No notification is needed here, because the first attempt notifies the author.
    const ids = rows.map(({ id }) => id);
    for (const row of await findRowsById(context.db, ids))
      await makeFirstAttempt(context, row, { probe: 'when-due', isAllowanceRecorded });
    return;
  }
  // If the author has submitted the same content again, only the second submission leads to a notification.
  await delay(context.pace.saveMs);
  const laterRow =
    (await findNewestSubmission(context.db, firstRow)) ?? (await findEqualRow(context.db, firstRow));
  if (laterRow) return;
  for (const delayMs of [...NOTIFY_DELAYS_MS, undefined]) {
    try {
      const client = await context.findSlackClient(firstRow.workspace);
      if (client === 'unknown') throw new Error('could not find out whether the app is installed');
      await client?.chat.postMessage({
        channel: firstRow.author,
        ...renderUnsavedMessage('not-saved', texts),
      });
      return;
    } catch (error) {
      if (delayMs === undefined) throw error;
      await delay(delayMs, undefined, { ref: false });
    }
  }
}
