import { setTimeout as delay } from 'node:timers/promises';
import { ConnectionLost } from '../store/connection-lost.ts';
import type { SubmissionKind } from './kind.ts';
import type { Machine } from './machine.ts';
import { makeFirstAttempt, waitUntilSent } from './make-first-attempt.ts';
import { createRows, findEqual, type SavedRow, saveRows } from './save.ts';
import {
  findNewestSubmission,
  findRowsById,
  type NewSubmission,
  type SubmissionRow,
} from './sql/submissions.ts';
import { computeSaveKeys, type ReceivedSubmission } from './submission-keys.ts';
import { renderUnsavedMessage } from './text/not-saved.ts';
import type { SaveOutcome } from './uncertain-saves.ts';

/** The submissions of one form while they are saved and sent. */
interface InFlight {
  /** Reads the current rows. */
  readRows(): Promise<SubmissionRow[]>;
  /** Resolves with the rows after their first attempt. */
  finalRows: Promise<SubmissionRow[]>;
  /** Ids of the rows that this request saved. */
  ownIds: ReadonlySet<string>;
  /** Ids of rows with the same content that the author sent before from another form. */
  equalIds: ReadonlySet<string>;
}

/**
 * Saves submissions and begins to send them. `not-saved`: the submissions certainly aren't saved and never will be.
 * `uncertain`: the answer to the COMMIT was lost. A background task resolves the uncertainty and notifies the author.
 * If the author sends the same content again meanwhile, from this form or a new one, the first submission is used.
 */
export async function saveAndSend<Content>(
  machine: Machine,
  kind: SubmissionKind<Content>,
  received: readonly ReceivedSubmission<Content>[],
): Promise<InFlight | 'not-saved' | 'uncertain'> {
  await machine.pace.onCrashPoint?.('before-row');
  const savedRows = await save(machine, kind, received);
  if (typeof savedRows === 'string') return savedRows;
  await machine.pace.onCrashPoint?.('after-row');
  const ownIds = new Set(savedRows.flatMap(({ row, isOwn }) => (isOwn ? row.id : [])));
  const equalIds = new Set(savedRows.flatMap(({ row, isEqual }) => (isEqual ? row.id : [])));
  const readRows = async () => {
    const ids = savedRows.map(({ row }) => row.id);
    const rows = await findRowsById(machine.db, ids);
    return savedRows.map(({ row }) => rows.find(({ id }) => id === row.id) ?? row);
  };
  const options = { mayProbe: false, notifyAfterMs: machine.pace.notifyMs };
  const sendRow = ({ row, isOwn }: SavedRow) =>
    isOwn ? makeFirstAttempt(machine, row, options) : waitUntilSent(machine, row);
  return { readRows, finalRows: Promise.all(savedRows.map(sendRow)).then(readRows), ownIds, equalIds };
}

/** The progress of a save, which may continue after the author was notified that it failed. */
interface SaveProgress {
  rows: NewSubmission[];
  /** For each row, the id of an earlier equal row that is used instead of a new row. */
  earlierIds: readonly (string | undefined)[];
  stage: 'before' | 'inserting' | 'given-up';
}

/** Saves submissions. If that takes too long, resolves whether they were saved. */
async function save<Content>(
  machine: Machine,
  kind: SubmissionKind<Content>,
  received: readonly ReceivedSubmission<Content>[],
): Promise<SavedRow[] | 'not-saved' | 'uncertain'> {
  const { pace, log, uncertainSaves } = machine;
  const keys = received.map((submission) => computeSaveKeys(kind, submission));
  const progress: SaveProgress = { rows: [], earlierIds: [], stage: 'before' };
  const saving = (async () => {
    progress.rows = await createRows(machine, kind, received);
    progress.earlierIds = await Promise.all(keys.map((rowKeys) => uncertainSaves.findSavedId(rowKeys)));
    const onInsert = () => {
      if (progress.stage === 'given-up')
        throw new Error('the author was already notified that it is not saved');
      progress.stage = 'inserting';
    };
    return saveRows(machine, progress.rows, { earlierIds: progress.earlierIds, onInsert });
  })();
  const outcome = await Promise.race([
    saving.catch((error: unknown) => {
      log.error({ err: error }, 'could not save a submission');
      return error instanceof ConnectionLost ? ('uncertain' as const) : ('failed' as const);
    }),
    delay(pace.saveMs, 'late' as const, { ref: false }),
  ]);
  if (typeof outcome !== 'string') return outcome;
  if (progress.stage !== 'inserting') {
    progress.stage = 'given-up';
    return uncertainSaves.has(keys.flat()) ? 'uncertain' : 'not-saved';
  }
  if (outcome === 'failed') return 'not-saved';
  const { rows } = progress;
  const resolution = uncertainSaves.resolve(rows, keys);
  const saveOutcome = await Promise.race([
    resolution.catch(() => undefined),
    delay(pace.resolveMs, undefined, { ref: false }),
  ]);
  if (saveOutcome !== undefined) {
    return findSavedRows(machine, rows, progress.earlierIds).catch(() =>
      saveOutcome === 'void' ? 'not-saved' : 'uncertain',
    );
  }
  resolution
    .then((lateOutcome) => resumeUncertain(machine, kind, { rows, received, saveOutcome: lateOutcome }))
    .catch((error: unknown) => log.error({ err: error }, 'could not notify an author of an uncertain save'));
  return 'uncertain';
}

/** Finds the stored rows of an uncertain save that was resolved in time. */
async function findSavedRows(
  machine: Machine,
  rows: readonly NewSubmission[],
  earlierIds: readonly (string | undefined)[],
): Promise<SavedRow[] | 'not-saved'> {
  const ids = [...rows.map(({ id }) => id), ...earlierIds.filter((id) => id !== undefined)];
  const storedRows = await findRowsById(machine.db, ids);
  const savedRows: SavedRow[] = [];
  for (const [index, row] of rows.entries()) {
    // A tombstone has another origin.
    const ownRow = storedRows.find(({ id, origin }) => id === row.id && origin === row.origin);
    // The row may be missing because another press of the same form, or an equal submission, was saved before.
    const earlierRow =
      ownRow ??
      storedRows.find(({ id }) => id === earlierIds[index]) ??
      (await findNewestSubmission(machine.db, row));
    const savedRow = earlierRow ?? (await findEqual(machine, row));
    if (!savedRow) return 'not-saved';
    savedRows.push({ row: savedRow, isOwn: ownRow !== undefined, isEqual: savedRow.origin !== row.origin });
  }
  return savedRows;
}

/** Delays between attempts to notify an author of a failed save. */
const NOTIFY_DELAYS_MS = [1_000, 5_000, 15_000, 60_000, 5 * 60_000, 15 * 60_000];

/** Sends the rows of an uncertain save that was resolved late, or notifies the author that they aren't saved. */
async function resumeUncertain<Content>(
  machine: Machine,
  kind: SubmissionKind<Content>,
  input: {
    rows: readonly NewSubmission[];
    received: readonly ReceivedSubmission<Content>[];
    saveOutcome: SaveOutcome;
  },
): Promise<void> {
  const { rows, received, saveOutcome } = input;
  const [firstRow] = rows;
  if (!firstRow) return;
  // The attempt notifies the author of its outcome.
  if (saveOutcome === 'saved') {
    const ids = rows.map(({ id }) => id);
    for (const row of await findRowsById(machine.db, ids))
      await makeFirstAttempt(machine, row, { mayProbe: true, notifyAfterMs: 0 });
    return;
  }
  // An author who has submitted the same content again is notified of the second submission instead.
  await delay(machine.pace.saveMs);
  const laterRow = (await findNewestSubmission(machine.db, firstRow)) ?? (await findEqual(machine, firstRow));
  if (laterRow) return;
  const texts = received.map(({ content }) => kind.copy.getText(content));
  for (const delayMs of [...NOTIFY_DELAYS_MS, undefined]) {
    try {
      const client = await machine.slackFor(firstRow.workspace);
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
