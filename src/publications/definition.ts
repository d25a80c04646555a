import type { Definition } from '../engine/definition.ts';
import { addMs } from '../engine/shared-clock.ts';
import { findRowsById } from '../submissions/sql/submissions.ts';
import { createSlotReader } from './check-publication.ts';
import { PUBLICATION_STORAGE } from './domain.ts';
import type { State } from './lifecycle.ts';
import { claimNotifications, NOTIFICATIONS } from './notify-authors.ts';
import type { PublicationContext } from './publication-context.ts';
import { insertDuePublications, NEXT_PUBLISHING_TIME, type PublicationRow } from './sql/publications.ts';
import { runStep } from './step.ts';

/** Maximum number of rows in progress, of those that are claimed together, and of those at one service. */
const [MAX_ROWS_IN_PROGRESS, BATCH_SIZE, MAX_STEPS_PER_SERVICE] = [64, 32, 32];
/** Maximum number of authors who are notified at the same time. */
const MAX_AUTHORS = 8;

/** Defines the delivery of publications. An endpoint is a scheduling service. */
export function createPublicationDefinition(context: PublicationContext): Definition<State, PublicationRow> {
  const { pace, clock, now } = context;
  return {
    ...PUBLICATION_STORAGE,
    leaseMs: pace.leaseMs,
    // Nothing is sent under a lease.
    maxStartDelayMs: 0,
    scanIntervalMs: pace.scanIntervalMs,
    maxRowsInProgress: MAX_ROWS_IN_PROGRESS,
    batchSize: BATCH_SIZE,
    getLimit: () => MAX_STEPS_PER_SERVICE,
    loadSteps: (rows) => loadSteps(context, rows),
    createDueRows: (nextPublishAt) => createDuePublications(context, nextPublishAt),
    nextCreation: {
      buildQuery: () => NEXT_PUBLISHING_TIME,
      // Posts are published on the clock that people see, which may differ from the clock of leases.
      toSharedClock: (publishAt) => addMs(clock(), publishAt.getTime() + pace.firstCheckMs - now().getTime()),
    },
    notifications: {
      tables: [NOTIFICATIONS],
      maxInProgress: MAX_AUTHORS,
      claim: (maxAuthors) => claimNotifications(context, maxAuthors),
    },
    retentionMs: pace.retentionMs,
  };
}

/** Creates the publications of posts whose first check is due. Resolves with true if there were any. */
async function createDuePublications(
  { db, pace, clock, now }: PublicationContext,
  nextPublishAt: Date | undefined,
): Promise<boolean> {
  const due = {
    publishedUntil: addMs(now(), -pace.firstCheckMs),
    ignoredUntil: addMs(now(), -pace.maxAgeMs),
    clockTime: clock(),
  };
  if (!nextPublishAt || nextPublishAt > due.publishedUntil) return false;
  for (let hasMore = true; hasMore; ) hasMore = await insertDuePublications(db, due);
  return true;
}

/** Loads the submissions of claimed rows with one query. Posts of the same project and time are read together. */
async function loadSteps(context: PublicationContext, rows: readonly PublicationRow[]) {
  const submissions = await findRowsById(
    context.db,
    rows.map(({ id }) => id),
  );
  const submissionsById = new Map(submissions.map((submission) => [submission.id, submission]));
  const readSlot = createSlotReader();
  return (row: PublicationRow) => runStep(context, row, submissionsById.get(row.id), readSlot);
}
