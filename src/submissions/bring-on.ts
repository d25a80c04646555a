import { setTimeout as delay } from 'node:timers/promises';
import { forgetSubmission, rowsById, type SubmissionRow } from '../store/submissions.ts';
import { attempt } from './attempt.ts';
import type { SubmissionKind } from './kind.ts';
import type { Machine } from './machine.ts';
import { type Received, type Saved, saveAll } from './save.ts';

/** What somebody waits for: the rows of one form. */
interface OnTheirWay {
  /** As they stand now. */
  now(): Promise<SubmissionRow[]>;
  /** As they stand after the first try. */
  ended: Promise<SubmissionRow[]>;
  /** Those that this press has brought on their way. */
  own: ReadonlySet<string>;
}

/** Saves what somebody submitted within `saveMs`, and begins to send it. */
export async function bringOn<Content>(
  machine: Machine,
  kind: SubmissionKind<Content>,
  received: readonly Received<Content>[],
): Promise<OnTheirWay | 'not-saved'> {
  const { pace } = machine;
  await pace.at?.('before-row');
  const saving = saveAll(machine, kind, received);
  const saved = await Promise.race([
    saving.catch((error: unknown) => {
      machine.log.error({ err: error }, 'a submission could not be saved');
      return undefined;
    }),
    delay(pace.saveMs, 'late' as const),
  ]);
  if (saved === 'late') forgetLate(machine, saving);
  if (saved === 'late' || saved === undefined) return 'not-saved';
  await pace.at?.('after-row');
  const own = new Set(saved.flatMap((one) => (one.own ? one.row.id : [])));
  const now = async () => {
    const ids = saved.map(({ row }) => row.id);
    const rows = await rowsById(machine.db, ids);
    return saved.map(({ row }) => rows.find(({ id }) => id === row.id) ?? row);
  };
  const bring = async ({ row, own: isOwn }: Saved, index: number): Promise<void> => {
    if (isOwn) return firstTry(machine, row);
    if (await follow(machine, row)) return;
    // It came too late for who had saved it, and was removed; this press is in time.
    const [again] = await saveAll(machine, kind, received.slice(index, index + 1));
    if (!again) return;
    saved[index] = again;
    if (again.own) own.add(again.row.id);
    return bring(again, index);
  };
  return { now, ended: Promise.all(saved.map(bring)).then(now), own };
}

/** What goes wrong here is ours: the row stands, and the next scan goes on with it. */
async function firstTry(machine: Machine, row: SubmissionRow): Promise<void> {
  try {
    await attempt(machine, row, { probe: false, tellAfterMs: machine.pace.tellMs });
  } catch (error) {
    machine.log.error({ submission: row.id, err: error }, 'the first try failed on our side');
    machine.wake(row.lease_until ?? machine.clock(), row.id);
  }
}

/** Waits for the end of what another press, perhaps of another instance, is sending. False where the row is gone. */
async function follow(machine: Machine, first: SubmissionRow): Promise<boolean> {
  let row: SubmissionRow | undefined = first;
  while (row && isInHand(machine, row)) {
    await delay(machine.pace.lookMs);
    [row] = await rowsById(machine.db, [first.id]);
  }
  return row !== undefined;
}

function isInHand(machine: Machine, row: SubmissionRow): boolean {
  const isSending = row.state === 'saved' || row.state === 'sending';
  return isSending && row.lease_until !== null && row.lease_until > machine.clock();
}

/** The person has been told that nothing was saved, and nothing was sent: so it shall be. */
function forgetLate(machine: Machine, saving: Promise<Saved[]>): void {
  const forget = async () => {
    for (const { row, own } of await saving) if (own) await forgetSubmission(machine.db, row.id);
  };
  // What cannot be removed is sent after its lease, and its person told: late, but not twice.
  void forget().catch((error: unknown) =>
    machine.log.warn({ err: error }, 'a late row could not be removed'),
  );
}
