import { sql } from 'kysely';
import { addMs } from '../engine/clock.ts';
import type { Definition } from '../engine/definition.ts';
import { excludeIds } from '../engine/exclusions.ts';
import { findSendingStop } from '../engine/sending-stop.ts';
import { releaseRow } from '../engine/sql/claims.ts';
import { createOccurrenceCreator } from './create-occurrences.ts';
import { OCCURRENCES } from './deliveries.ts';
import { readDigest } from './digest.ts';
import type { DigestContext } from './digest-context.ts';
import type { State } from './lifecycle.ts';
import { claimNotifications, MAX_OWNERS, NOTICE_TABLES } from './notify-owners.ts';
import { loadDigests } from './sql/digests.ts';
import type { OccurrenceRow } from './sql/occurrences.ts';
import { runStep } from './step.ts';

/** An occurrence is excluded from claims by its id or by its digest's id. */
const EXCLUSION_COLUMNS = ['id', 'digest'] as const;

/** The delivery kernel's definition of digest occurrences. An endpoint is a Slack workspace. */
export function createOccurrenceDefinition(
  getContext: () => DigestContext,
): Definition<State, OccurrenceRow> {
  const { sharedClock, pace, limits, uploads, turns } = getContext();
  const createDueOccurrences = createOccurrenceCreator(getContext());
  return {
    ...OCCURRENCES,
    exclusionColumns: EXCLUSION_COLUMNS,
    leaseMs: pace.leaseMs,
    maxStartDelayMs: pace.maxStartDelayMs,
    scanIntervalMs: pace.scanIntervalMs,
    maxRowsInProgress: pace.maxRowsInProgress,
    batchSize: pace.batchSize,
    getLimit: (workspace) => limits.getCapacity(workspace),
    turns,
    loadSteps: (rows) => loadSteps(getContext(), rows),
    async createDueRows(nextSlotAt) {
      limits.startScan();
      uploads.startScan();
      // Only this instance knows how many messages Slack accepts in these workspaces now.
      await turns?.take(limits.listActiveWorkspaces(), 0);
      return createDueOccurrences(nextSlotAt);
    },
    nextCreation: {
      buildQuery: (excludedIds) =>
        sql`(select min(next_at) from digest where ${excludeIds(['id'], excludedIds)})`,
      // Digests are scheduled on the clock that people see, which may differ from the shared clock.
      toSharedClock: (slotAt) => addMs(sharedClock(), slotAt.getTime() - getContext().now().getTime()),
    },
    notifiers: NOTICE_TABLES.map((source, index) => ({
      source,
      maxInProgress: MAX_OWNERS,
      claim: async (maxOwners: number) => (index === 0 ? claimNotifications(getContext(), maxOwners) : []),
    })),
    retentionMs: pace.retentionMs,
    // `companionData` is the transition's `LastDigest`.
    companionQuery: sql`update digest d set
        sent_at = coalesce((v."companionData"->>'sent_at')::timestamptz, d.sent_at),
        snapshot = coalesce(v."companionData"->>'snapshot', d.snapshot)
      from changed join v using (id) where d.id = changed.digest and v."companionData" is not null`,
  };
}

/** Loads the settings for all rows of a claim with one query. Resolves with the function that runs a row's step. */
async function loadSteps(context: DigestContext, rows: readonly OccurrenceRow[]) {
  const settings = await loadDigests(context.db, [...new Set(rows.map(({ digest }) => digest))]);
  const isSendingStopped = (await findSendingStop(context.db)) !== undefined;
  const digestRowsById = new Map(settings.map((row) => [row.id, row]));
  return async (row: OccurrenceRow) => {
    const digestRow = digestRowsById.get(row.digest);
    const digest = digestRow && readDigest(context, digestRow);
    // An instance of another version may be able to read the settings, so the row is released at once.
    if (digestRow && !digest)
      return releaseRow(context.db, OCCURRENCES.table, { ...row, now: context.sharedClock() });
    const lastSentAt = digestRow?.sent_at ?? undefined;
    return runStep(context, {
      row,
      digest,
      lastSentAt,
      snapshot: digestRow?.snapshot ?? undefined,
      isSendingStopped,
    });
  };
}
