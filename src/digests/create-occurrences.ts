import { randomUUID } from 'node:crypto';
import type { Kysely } from 'kysely';
import { MINUTE_MS } from '../durations.ts';
import type { Capability } from '../engine/capability.ts';
import type { Clock } from '../engine/clock.ts';
import { createExclusions } from '../engine/exclusions.ts';
import { buildEntryColumns } from '../engine/lifecycle.ts';
import { restoreDeliveries, transitionAfterUninstall } from '../engine/sql/bulk-transitions.ts';
import { occurrencesOf } from '../when/recurrence.ts';
import { type Digest, findFreeSlot, isTooLate, readDigest, type Slot, toRecurrence } from './digest.ts';
import type { DigestContext } from './digest-context.ts';
import { type DigestTables, LIFECYCLE, OCCURRENCES, type OccurrenceRow, type State } from './occurrence.ts';
import { DIGEST_PACE } from './pace.ts';
import {
  addOccurrences,
  findTakenDates,
  listDigestsDueAfter,
  lockDueDigests,
  type NewOccurrence,
  type NextSlot,
  pauseDigests,
  setNextSlots,
} from './sql/digests.ts';

/** Maximum number of digests per transaction. */
const BATCH_SIZE = 500;
/** Maximum slots of one digest per transaction. After a long outage, the next transactions create the others. */
const MAX_SLOTS_PER_BATCH = 50;

type SchedulingContext = Pick<DigestContext, 'db' | 'pace' | 'exclusions'> & {
  clock: Pick<Clock, 'now' | 'readShared'>;
};
/** `restored`: a backup was restored, so occurrences that were due since that backup may have been sent. */
type CreationReason = 'restored' | null;

/**
 * Creates an occurrence for each passed slot. The same transaction sets the digest's next slot, so that no slot is
 * lost. A slot never gets a second occurrence. Returns the number of created occurrences.
 */
export async function createDueOccurrences(
  context: SchedulingContext,
  reason: CreationReason = null,
): Promise<number> {
  let createdCount = 0;
  for (;;) {
    const batch = await context.db
      .transaction()
      .execute((transaction) => createBatch(context, transaction, reason));
    createdCount += batch.createdCount;
    if (!batch.hasMore) return createdCount;
  }
}

async function createBatch(
  context: SchedulingContext,
  db: Kysely<DigestTables>,
  reason: CreationReason,
): Promise<{ createdCount: number; hasMore: boolean }> {
  const now = context.clock.now();
  const rows = await lockDueDigests(db, {
    now,
    limit: BATCH_SIZE,
    excludedIds: context.exclusions.listIds(),
  });
  const occurrences: NewOccurrence[] = [];
  const nextSlots: NextSlot[] = [];
  for (const digest of rows.flatMap((row) => readDigest(context, row) ?? [])) {
    const { id, nextSlot: firstSlot } = digest;
    if (!firstSlot) continue;
    const passed = occurrencesOf(toRecurrence(digest), { after: firstSlot.instant, until: now });
    const slots = [firstSlot, ...passed.slice(0, MAX_SLOTS_PER_BATCH)];
    const nextSlot = passed[MAX_SLOTS_PER_BATCH] ?? findFreeSlot(digest, now);
    occurrences.push(...slots.map((slot) => buildOccurrence(context, digest, slot, reason)));
    const [nextAt, nextDate] = [nextSlot?.instant ?? null, nextSlot?.date ?? null];
    nextSlots.push({ id, previousAt: firstSlot.instant, nextAt, nextDate });
  }
  const createdCount = await addOccurrences(db, occurrences);
  await setNextSlots(db, nextSlots);
  // A digest with more slots than MAX_SLOTS_PER_BATCH is still due.
  const hasMore =
    rows.length === BATCH_SIZE || nextSlots.some(({ nextAt }) => nextAt !== null && nextAt <= now);
  return { createdCount, hasMore };
}

/** Builds an occurrence, which is missed if its slot passed too long ago. */
export function buildOccurrence(
  { clock, pace }: Pick<SchedulingContext, 'clock' | 'pace'>,
  digest: Pick<Digest, 'id' | 'workspace' | 'channel' | 'owner' | 'zone'>,
  { date: slot, instant: dueAt }: Slot,
  reason: CreationReason = null,
): NewOccurrence {
  const sharedNow = clock.readShared();
  const { id, workspace, channel, owner, zone } = digest;
  const isMissed = isTooLate(pace, { dueAt, zone, now: clock.now() });
  const state = isMissed ? 'missed' : reason === 'restored' ? 'uncertain' : 'due';
  return {
    ...{ id: randomUUID(), workspace, digest: id, slot, channel, owner, due_at: dueAt, reason },
    ...buildEntryColumns(LIFECYCLE, state, sharedNow),
    created_at: sharedNow,
  };
}

/** A clock that is set back by more than this reschedules digests. Smaller steps are ordinary corrections. */
const MIN_SET_BACK_MS = MINUTE_MS;

/** Creates the function that runs before each scan, and reschedules digests after the clock was set back. */
export function createSetBackCheck(context: DigestContext): () => Promise<void> {
  let lastNow = Number.POSITIVE_INFINITY;
  return async () => {
    const now = context.clock.now().getTime();
    if (now < lastNow - MIN_SET_BACK_MS) await rescheduleAfterSetBack(context);
    lastNow = now;
  };
}

/** Gives each digest the earlier next slot that it has after the clock was set back. Skips dates with an occurrence. */
async function rescheduleAfterSetBack(context: DigestContext): Promise<void> {
  const now = context.clock.now();
  let afterId = '';
  for (;;) {
    const rows = await listDigestsDueAfter(context.db, { time: now, afterId, limit: BATCH_SIZE });
    const ids = rows.map(({ id }) => id);
    const takenDates = await findTakenDates(context.db, ids, now);
    const digests = rows.flatMap((row) => readDigest(context, row) ?? []);
    const earlierSlots = digests.flatMap(({ id, nextSlot, ...schedule }): NextSlot[] => {
      const slot = findFreeSlot(schedule, now, takenDates.get(id));
      if (!slot || !nextSlot || slot.instant >= nextSlot.instant) return [];
      return [{ id, previousAt: nextSlot.instant, nextAt: slot.instant, nextDate: slot.date }];
    });
    await setNextSlots(context.db, earlierSlots);
    if (rows.length < BATCH_SIZE) return;
    afterId = rows.at(-1)?.id ?? '';
  }
}

export const DIGEST_OCCURRENCES: Capability<State, OccurrenceRow, DigestTables> = {
  name: 'digests',
  ...OCCURRENCES,
  // Occurrences that were missed while the app was stopped, or since a restored backup, begin in other states than `due`.
  initialStates: ['due', 'missed', 'uncertain'],
  /**
   * An occurrence in the backup is reconciled by its id, which the message's metadata contains. The ids of later
   * occurrences are lost, so their owners are asked whether to send them.
   */
  async restore(db, now) {
    const { reconciling = 0 } = await restoreDeliveries(db, OCCURRENCES, {
      now,
      change: { reason: 'restored', checks: 0, retrying_since: now },
    });
    // Occurrences of digests that this version can't read are created later, by an instance that can.
    const exclusions = createExclusions(
      () => now.getTime(),
      () => undefined,
    );
    const clock = { now: () => now, readShared: () => now };
    const context = { db, clock, pace: DIGEST_PACE, exclusions };
    return [
      {
        count: reconciling,
        label: 'Unfinished digests',
        explanation:
          'They may have been sent since the backup. After the start, Upnext looks for them in their channels and asks their owners about missing ones.',
      },
      {
        count: await createDueOccurrences(context, 'restored'),
        label: 'Digests that were due since the backup',
        explanation: 'Their owners are asked or notified. None is sent automatically.',
      },
    ];
  },
  /**
   * Pauses the digests and cancels all notifications, because the app can no longer send messages in the workspace. If
   * the app is installed again, owners can resume the digests.
   */
  async endAfterUninstall(transaction, { workspace, now }) {
    await pauseDigests(transaction, { workspace }, { reason: 'uninstalled', now });
    await transaction
      .updateTable('digest')
      .set({ notify_at: null, notifying_since: null })
      .where('workspace', '=', workspace)
      .execute();
    // A date that was created before the pause.
    await transitionAfterUninstall(transaction, OCCURRENCES, { workspace, now });
  },
};
