import { sql } from 'kysely';
import type { Definition } from '../delivery/definition.ts';
import { currentHalt } from '../delivery/halt.ts';
import { later } from '../delivery/later.ts';
import { releaseRow } from '../delivery/sql/claims.ts';
import { notSetAside } from '../delivery/sql/not-set-aside.ts';
import { createSchedule } from './create-occurrences.ts';
import { OCCURRENCES } from './deliveries.ts';
import type { State } from './lifecycle.ts';
import type { Machine } from './machine.ts';
import { claimNotifications, MAX_OWNERS, NOTICES } from './notify-owners.ts';
import { readDigest } from './read-digest.ts';
import { loadDigests } from './sql/digests.ts';
import type { OccurrenceRow } from './sql/occurrences.ts';
import { step } from './step.ts';

/** An occurrence is set aside by its own id or with its digest. */
const ASIDE_BY = ['id', 'digest'] as const;

/** The delivery kernel's definition of digest occurrences. An endpoint is a Slack workspace. */
export function occurrenceDefinition(machine: () => Machine): Definition<State, OccurrenceRow> {
  const { clock, pace, limits } = machine();
  const makeDueAt = createSchedule(machine());
  return {
    ...OCCURRENCES,
    setAsideBy: ASIDE_BY,
    leaseMs: pace.leaseMs,
    beginMs: pace.beginMs,
    scanMs: pace.scanMs,
    concurrency: pace.concurrency,
    batch: pace.batch,
    limit: (workspace) => limits.capacityIn(workspace),
    loadSteps: (rows) => loadSteps(machine(), rows),
    async prepare(next) {
      limits.startScan();
      return makeDueAt(next);
    },
    nextPreparation: {
      query: (setAside) => sql`(select min(next_at) from digest where ${notSetAside(['id'], setAside)})`,
      // Digests are scheduled by the clock that people see, which may be ahead of the clock of leases.
      onClock: (moment) => later(clock(), moment.getTime() - machine().now().getTime()),
    },
    notices: {
      tables: NOTICES,
      max: MAX_OWNERS,
      claim: (room) => claimNotifications(machine(), room),
    },
    keepMs: pace.keepMs,
    // The note is a `LastDigest`.
    alongside: sql`update digest d set
        sent_at = coalesce((v.note->>'sent_at')::timestamptz, d.sent_at),
        snapshot = coalesce(v.note->>'snapshot', d.snapshot)
      from moved join v using (id) where d.id = moved.digest and v.note is not null`,
  };
}

/** Loads the settings of all rows of one claim with one query. */
async function loadSteps(machine: Machine, rows: readonly OccurrenceRow[]) {
  const settings = await loadDigests(machine.db, [...new Set(rows.map(({ digest }) => digest))]);
  const isHalted = (await currentHalt(machine.db)) !== undefined;
  const byId = new Map(settings.map((row) => [row.id, row]));
  return async (row: OccurrenceRow) => {
    const own = byId.get(row.digest);
    const digest = own && readDigest(machine, own);
    // An instance of another version may be able to read the settings, so the row is released at once.
    if (own && !digest) return releaseRow(machine.db, OCCURRENCES.table, { ...row, at: machine.clock() });
    const since = own?.sent_at ?? undefined;
    return step(machine, { row, digest, since, snapshot: own?.snapshot ?? undefined, isHalted });
  };
}
