import { sql } from 'kysely';
import { addMs } from '../delivery/add-ms.ts';
import type { Definition } from '../delivery/definition.ts';
import { findHalt } from '../delivery/halt.ts';
import { releaseClaim } from '../delivery/sql/claims.ts';
import { excludeIds } from '../delivery/sql/exclude-ids.ts';
import { createSchedule } from './create-occurrences.ts';
import { OCCURRENCES } from './deliveries.ts';
import type { State } from './lifecycle.ts';
import type { Machine } from './machine.ts';
import { claimNotifications, MAX_OWNERS, NOTICES } from './notify-owners.ts';
import { readDigest } from './read-digest.ts';
import { loadDigests } from './sql/digests.ts';
import type { OccurrenceRow } from './sql/occurrences.ts';
import { step } from './step.ts';

/** An occurrence is excluded from claims by its own id or that of its digest. */
const ASIDE_BY = ['id', 'digest'] as const;

/** The delivery kernel's definition of digest occurrences. An endpoint is a Slack workspace. */
export function occurrenceDefinition(machine: () => Machine): Definition<State, OccurrenceRow> {
  const { clock, pace, limits } = machine();
  const makeDueAt = createSchedule(machine());
  return {
    ...OCCURRENCES,
    excludableColumns: ASIDE_BY,
    leaseMs: pace.leaseMs,
    beginMs: pace.beginMs,
    scanMs: pace.scanMs,
    concurrency: pace.concurrency,
    batchSize: pace.batch,
    getLimit: (workspace) => limits.capacityIn(workspace),
    loadSteps: (rows) => loadSteps(machine(), rows),
    async prepare(next) {
      limits.startScan();
      return makeDueAt(next);
    },
    nextPreparation: {
      buildQuery: (excludedIds) =>
        sql`(select min(next_at) from digest where ${excludeIds(['id'], excludedIds)})`,
      // Digests are scheduled by the clock that people see, which may be ahead of the clock of leases.
      toLeaseClock: (moment) => addMs(clock(), moment.getTime() - machine().now().getTime()),
    },
    notifications: {
      tables: NOTICES,
      maxInProgress: MAX_OWNERS,
      claim: (room) => claimNotifications(machine(), room),
    },
    retentionMs: pace.keepMs,
    // The note is a `LastDigest`.
    companionQuery: sql`update digest d set
        sent_at = coalesce((v.note->>'sent_at')::timestamptz, d.sent_at),
        snapshot = coalesce(v.note->>'snapshot', d.snapshot)
      from changed join v using (id) where d.id = changed.digest and v.note is not null`,
  };
}

/** Loads the settings of all rows of one claim with one query. */
async function loadSteps(machine: Machine, rows: readonly OccurrenceRow[]) {
  const settings = await loadDigests(machine.db, [...new Set(rows.map(({ digest }) => digest))]);
  const isHalted = (await findHalt(machine.db)) !== undefined;
  const byId = new Map(settings.map((row) => [row.id, row]));
  return async (row: OccurrenceRow) => {
    const own = byId.get(row.digest);
    const digest = own && readDigest(machine, own);
    // An instance of another version may be able to read the settings, so the row is released at once.
    if (own && !digest) return releaseClaim(machine.db, OCCURRENCES.table, { ...row, now: machine.clock() });
    const since = own?.sent_at ?? undefined;
    return step(machine, { row, digest, since, snapshot: own?.snapshot ?? undefined, isHalted });
  };
}
