import { setTimeout as delay } from 'node:timers/promises';
import { ConnectionLost } from '../store/connection-lost.ts';
import { attempt, type By } from './attempt.ts';
import type { SubmissionKind } from './kind.ts';
import type { Machine } from './machine.ts';
import { findEqual, newRows, type Saved, saveAll } from './save.ts';
import { type NewSubmission, newestSubmission, rowsById, type SubmissionRow } from './sql/submissions.ts';
import type { Received } from './submission-keys.ts';
import { saveKeys } from './submission-keys.ts';
import { unsavedMessage } from './text/not-saved.ts';
import type { SaveOutcome } from './uncertain-saves.ts';

/** The submissions of one form while they are saved and sent. */
interface InFlight {
  /** Reads the current rows. */
  now(): Promise<SubmissionRow[]>;
  /** The rows after the first attempt. */
  ended: Promise<SubmissionRow[]>;
  /** Ids of the rows that this request saved. */
  own: ReadonlySet<string>;
  /** Ids of the rows that the author sent before, with the same content from another form. */
  equal: ReadonlySet<string>;
}

/**
 * Saves submissions and begins to send them. `not-saved` is certain: they aren't saved and never will be. `not-sure`: the
 * answer to the COMMIT was lost. A background task finds out and notifies the author. If the author sends the same again
 * meanwhile, from this form or a new one, the first submission is found.
 */
export async function saveAndSend<Content>(
  machine: Machine,
  kind: SubmissionKind<Content>,
  received: readonly Received<Content>[],
): Promise<InFlight | 'not-saved' | 'not-sure'> {
  await machine.pace.at?.('before-row');
  const saved = await save(machine, kind, received);
  if (typeof saved === 'string') return saved;
  await machine.pace.at?.('after-row');
  const own = new Set(saved.flatMap((one) => (one.own ? one.row.id : [])));
  const equal = new Set(saved.flatMap((one) => (one.isEqual ? one.row.id : [])));
  const now = async () => {
    const ids = saved.map(({ row }) => row.id);
    const rows = await rowsById(machine.db, ids);
    return saved.map(({ row }) => rows.find(({ id }) => id === row.id) ?? row);
  };
  const by = { probe: false, notifyAfterMs: machine.pace.notifyMs };
  const bring = ({ row, own: isOwn }: Saved) =>
    isOwn ? attemptFirst(machine, row, by) : follow(machine, row);
  return { now, ended: Promise.all(saved.map(bring)).then(now), own, equal };
}

/** The progress of a save. */
interface Work {
  rows: NewSubmission[];
  /** Ids of earlier, equal rows that are used instead. */
  earlier: readonly (string | undefined)[];
  stage: 'before' | 'inserting' | 'given-up';
}

async function save<Content>(
  machine: Machine,
  kind: SubmissionKind<Content>,
  received: readonly Received<Content>[],
): Promise<Saved[] | 'not-saved' | 'not-sure'> {
  const { pace, log, uncertainSaves } = machine;
  const keys = received.map((one) => saveKeys(kind, one));
  const work: Work = { rows: [], earlier: [], stage: 'before' };
  const saving = (async () => {
    work.rows = await newRows(machine, kind, received);
    // An earlier equal submission is used instead of saving another one.
    work.earlier = await Promise.all(keys.map((mine) => uncertainSaves.earlier(mine)));
    const onInsert = () => {
      if (work.stage === 'given-up') throw new Error('the author was already notified that it is not saved');
      work.stage = 'inserting';
    };
    return saveAll(machine, work.rows, { earlier: work.earlier, onInsert });
  })();
  const outcome = await Promise.race([
    saving.catch((error: unknown) => {
      log.error({ err: error }, 'could not save a submission');
      return error instanceof ConnectionLost ? ('uncertain' as const) : ('failed' as const);
    }),
    delay(pace.saveMs, 'late' as const, { ref: false }),
  ]);
  if (typeof outcome !== 'string') return outcome;
  if (work.stage !== 'inserting') {
    work.stage = 'given-up';
    return uncertainSaves.has(keys.flat()) ? 'not-sure' : 'not-saved';
  }
  if (outcome === 'failed') return 'not-saved';
  const { rows } = work;
  const settling = uncertainSaves.settle(rows, keys);
  const fate = await Promise.race([
    settling.catch(() => undefined),
    delay(pace.resolveMs, undefined, { ref: false }),
  ]);
  if (fate !== undefined) {
    return findSaved(machine, rows, work.earlier).catch(() => (fate === 'void' ? 'not-saved' : 'not-sure'));
  }
  settling
    .then((found) => resumeUncertain(machine, kind, { rows, received, found }))
    .catch((error: unknown) => log.error({ err: error }, 'could not notify an author of an uncertain save'));
  return 'not-sure';
}

/** Reads the rows after an uncertain save was resolved in time. */
async function findSaved(
  machine: Machine,
  rows: readonly NewSubmission[],
  earlier: readonly (string | undefined)[],
): Promise<Saved[] | 'not-saved'> {
  const ids = [...rows.map(({ id }) => id), ...earlier.filter((id) => id !== undefined)];
  const found = await rowsById(machine.db, ids);
  const saved: Saved[] = [];
  for (const [index, row] of rows.entries()) {
    // A tombstone has another origin.
    const own = found.find(({ id, origin }) => id === row.id && origin === row.origin);
    // Perhaps it wasn't inserted because another press of the same form, or an equal one, was first.
    const before =
      own ?? found.find(({ id }) => id === earlier[index]) ?? (await newestSubmission(machine.db, row));
    const first = before ?? (await findEqual(machine, row));
    if (!first) return 'not-saved';
    saved.push({ row: first, own: own !== undefined, isEqual: first.origin !== row.origin });
  }
  return saved;
}

/** Continues, or notifies the author, once the outcome of an uncertain save is known. */
async function resumeUncertain<Content>(
  machine: Machine,
  kind: SubmissionKind<Content>,
  at: { rows: readonly NewSubmission[]; received: readonly Received<Content>[]; found: SaveOutcome },
): Promise<void> {
  const { rows, received, found } = at;
  const [first] = rows;
  if (!first) return;
  // Sending notifies the author of the outcome.
  if (found === 'saved') {
    const ids = rows.map(({ id }) => id);
    for (const row of await rowsById(machine.db, ids))
      await attemptFirst(machine, row, { probe: true, notifyAfterMs: 0 });
    return;
  }
  // An author who has just submitted it again hears about that submission instead.
  await delay(machine.pace.saveMs);
  const isSentAgain = (await newestSubmission(machine.db, first)) ?? (await findEqual(machine, first));
  if (isSentAgain) return;
  const texts = received.map(({ content }) => kind.words.text(content));
  for (const waitMs of [...NOTIFY_WAITS_MS, undefined]) {
    try {
      const client = await machine.slackFor(first.workspace);
      if (client === 'unknown') throw new Error('could not find out whether the app is installed');
      await client?.chat.postMessage({ channel: first.author, ...unsavedMessage('not-saved', texts) });
      return;
    } catch (error) {
      if (waitMs === undefined) throw error;
      await delay(waitMs, undefined, { ref: false });
    }
  }
}

/** Waits between attempts to notify an author of a failed save, ms. */
const NOTIFY_WAITS_MS = [1_000, 5_000, 15_000, 60_000, 5 * 60_000, 15 * 60_000];

/** Fencing token of a row that only its insert has claimed. */
const FIRST_FENCE = 1;

/** The first attempt. If it throws, the row stays in its state and the next scan continues. */
async function attemptFirst(machine: Machine, row: SubmissionRow, by: By): Promise<void> {
  // Another instance may have claimed it since.
  if (row.state !== 'saved' || row.fence !== FIRST_FENCE) return follow(machine, row);
  try {
    await attempt(machine, row, by);
  } catch (error) {
    machine.log.error({ submission: row.id, err: error }, 'first attempt to send a submission failed');
    machine.wake(row.lease_until ?? machine.clock());
  }
}

/** Waits until another request, perhaps in another instance, has sent the row. */
async function follow(machine: Machine, first: SubmissionRow): Promise<void> {
  let row: SubmissionRow | undefined = first;
  while (row && isBeingSent(machine, row)) {
    await delay(machine.pace.followMs);
    [row] = await rowsById(machine.db, [first.id]);
  }
}

function isBeingSent(machine: Machine, row: SubmissionRow): boolean {
  const isSending = row.state === 'saved' || row.state === 'sending';
  return isSending && row.lease_until !== null && row.lease_until > machine.clock();
}
