import { sql } from 'kysely';
import type { Definition } from '../engine/engine.ts';
import { excludeIds } from '../engine/exclusions.ts';
import { findSendingStop } from '../engine/sending-stop.ts';
import { releaseRow } from '../engine/sql/claims.ts';
import { createDueOccurrences, createSetBackCheck } from './create-occurrences.ts';
import { OCCURRENCES } from './deliveries.ts';
import { readDigest } from './digest.ts';
import type { DigestContext } from './digest-context.ts';
import type { SendState, State } from './lifecycle.ts';
import { createPauseNotifier, createUnsentNotifying } from './notify-owners.ts';
import { loadDigests } from './sql/digests.ts';
import type { OccurrenceRow } from './sql/occurrences.ts';
import { runStep } from './step.ts';

/** Defines when digests are sent, and what their owners are told. An endpoint is a Slack workspace. */
export function defineOccurrences(
  context: DigestContext,
  isIdle: boolean,
): Definition<State, SendState, OccurrenceRow> {
  const { pace, limits, uploads } = context;
  const rescheduleIfSetBack = createSetBackCheck(context);
  return {
    storage: OCCURRENCES,
    isIdle,
    // An occurrence is excluded from claims by its id or by its digest's id.
    exclusionColumns: ['id', 'digest'],
    ms: {
      retention: pace.retentionMs,
      lease: pace.leaseMs,
      scanInterval: pace.scanIntervalMs,
      maxStartDelay: pace.maxStartDelayMs,
    },
    limits: {
      rows: pace.maxRowsInProgress,
      endpoint: (workspace) => limits.getCapacity(workspace),
      batch: pace.batchSize,
    },
    async beforeScan() {
      limits.startScan();
      uploads.startScan();
      await rescheduleIfSetBack();
    },
    creation: {
      nextAt: (excludedIds) =>
        sql`(select min(next_at) from digest where ${excludeIds(['id'], excludedIds)})`,
      create: () => createDueOccurrences(context),
    },
    load: (rows) => loadSteps(context, rows),
    notifying: createUnsentNotifying(context),
    otherNotifiers: [createPauseNotifier(context)],
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
