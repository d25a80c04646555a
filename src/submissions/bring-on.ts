import { setTimeout as delay } from 'node:timers/promises';
import { ConnectionLost } from '../store/connection-lost.ts';
import { attempt, type By } from './attempt.ts';
import type { SubmissionKind } from './kind.ts';
import type { Machine } from './machine.ts';
import { unsavedMessage } from './said/not-saved.ts';
import { equalOf, keysOf, newRows, type Received, type Saved, saveAll } from './save.ts';
import { type NewSubmission, newestSubmission, rowsById, type SubmissionRow } from './sql/submissions.ts';
import type { Fate } from './unsettled.ts';

/** What somebody waits for: the rows of one form. */
interface OnTheirWay {
  /** As they stand now. */
  now(): Promise<SubmissionRow[]>;
  /** As they stand after the first try. */
  ended: Promise<SubmissionRow[]>;
  /** Those that this press has brought on their way. */
  own: ReadonlySet<string>;
  /** Those that the author sent before, in another form with the same content. */
  equal: ReadonlySet<string>;
}

/**
 * Saves what somebody submitted, and begins to send it. `not-saved` is certain: it isn't saved and never will be.
 * `not-sure`: the database took it and its answer didn't come. That is found out in the background, and the author is
 * told; whoever sends the same again meanwhile, in this form or in a new one, finds the first.
 */
export async function bringOn<Content>(
  machine: Machine,
  kind: SubmissionKind<Content>,
  received: readonly Received<Content>[],
): Promise<OnTheirWay | 'not-saved' | 'not-sure'> {
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
  const by = { probe: false, notifyAfterMs: machine.pace.tellMs };
  const bring = ({ row, own: isOwn }: Saved) => (isOwn ? firstTry(machine, row, by) : follow(machine, row));
  return { now, ended: Promise.all(saved.map(bring)).then(now), own, equal };
}

/** How far saving has come. */
interface Work {
  rows: NewSubmission[];
  /** The ids of rows that stand in their place. */
  earlier: readonly (string | undefined)[];
  stage: 'before' | 'inserting' | 'given-up';
}

async function save<Content>(
  machine: Machine,
  kind: SubmissionKind<Content>,
  received: readonly Received<Content>[],
): Promise<Saved[] | 'not-saved' | 'not-sure'> {
  const { pace, log, unsettled } = machine;
  const keys = received.map((one) => keysOf(kind, one));
  const work: Work = { rows: [], earlier: [], stage: 'before' };
  const saving = (async () => {
    work.rows = await newRows(machine, kind, received);
    // Whether there is something to find decides whether this is saved at all.
    work.earlier = await Promise.all(keys.map((mine) => unsettled.earlier(mine)));
    const onInsert = () => {
      if (work.stage === 'given-up') throw new Error('the author was told that it is not saved');
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
    return unsettled.has(keys.flat()) ? 'not-sure' : 'not-saved';
  }
  if (outcome === 'failed') return 'not-saved';
  const { rows } = work;
  const settling = unsettled.settle(rows, keys);
  const fate = await Promise.race([
    settling.catch(() => undefined),
    delay(pace.settleMs, undefined, { ref: false }),
  ]);
  if (fate !== undefined) {
    return afterFate(machine, rows, work.earlier).catch(() => (fate === 'void' ? 'not-saved' : 'not-sure'));
  }
  settling
    .then((found) => afterUncertainty(machine, kind, { rows, received, found }))
    .catch((error: unknown) =>
      log.error({ err: error }, 'could not tell an author whether a submission was saved'),
    );
  return 'not-sure';
}

/** The outcome is known in time: the author gets the usual answer. */
async function afterFate(
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
    const first = before ?? (await equalOf(machine, row));
    if (!first) return 'not-saved';
    saved.push({ row: first, own: own !== undefined, isEqual: first.origin !== row.origin });
  }
  return saved;
}

/** Continues, or notifies the author, once the outcome of an uncertain save is known. */
async function afterUncertainty<Content>(
  machine: Machine,
  kind: SubmissionKind<Content>,
  at: { rows: readonly NewSubmission[]; received: readonly Received<Content>[]; found: Fate },
): Promise<void> {
  const { rows, received, found } = at;
  const [first] = rows;
  if (!first) return;
  // Sending notifies the author of the outcome.
  if (found === 'saved') {
    const ids = rows.map(({ id }) => id);
    for (const row of await rowsById(machine.db, ids))
      await firstTry(machine, row, { probe: true, notifyAfterMs: 0 });
    return;
  }
  // An author who has just submitted it again hears about that submission instead.
  await delay(machine.pace.saveMs);
  const isSentAgain = (await newestSubmission(machine.db, first)) ?? (await equalOf(machine, first));
  if (isSentAgain) return;
  const texts = received.map(({ content }) => kind.words.text(content));
  for (const waitMs of [...TELL_WAITS_MS, undefined]) {
    try {
      const client = await machine.slackFor(first.workspace);
      if (client === 'unknown') throw new Error('could not find out whether the app is installed');
      await client?.chat.postMessage({ channel: first.asker, ...unsavedMessage('not-saved', texts) });
      return;
    } catch (error) {
      if (waitMs === undefined) throw error;
      await delay(waitMs, undefined, { ref: false });
    }
  }
}

/** Waits between attempts to tell an author that something wasn't saved, ms. */
const TELL_WAITS_MS = [1_000, 5_000, 15_000, 60_000, 5 * 60_000, 15 * 60_000];

/** Fencing token of a row that only its insert has claimed. */
const FIRST_FENCE = 1;

/** What goes wrong here is ours: the row stands, and the next scan goes on with it. */
async function firstTry(machine: Machine, row: SubmissionRow, by: By): Promise<void> {
  // Another instance may have claimed it since.
  if (row.state !== 'saved' || row.fence !== FIRST_FENCE) return follow(machine, row);
  try {
    await attempt(machine, row, by);
  } catch (error) {
    machine.log.error({ submission: row.id, err: error }, 'the first try failed on our side');
    machine.wake(row.lease_until ?? machine.clock());
  }
}

/** Waits for the end of what another press, perhaps of another instance, is sending. */
async function follow(machine: Machine, first: SubmissionRow): Promise<void> {
  let row: SubmissionRow | undefined = first;
  while (row && isInHand(machine, row)) {
    await delay(machine.pace.lookMs);
    [row] = await rowsById(machine.db, [first.id]);
  }
}

function isInHand(machine: Machine, row: SubmissionRow): boolean {
  const isSending = row.state === 'saved' || row.state === 'sending';
  return isSending && row.lease_until !== null && row.lease_until > machine.clock();
}
