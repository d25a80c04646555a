import { sql } from 'kysely';
import { addMs } from '../../engine/clock.ts';
import type { Definition } from '../../engine/definition.ts';
import type { HeldPostContext } from '../held-post-context.ts';
import { makeOccurrences } from './make-occurrences.ts';
import { notifyOfSeries } from './notify.ts';
import { SERIES_STORAGE, type SeriesRow, type SeriesState } from './series.ts';

/** Defines how the posts of series are made, and whom they tell. */
export function defineSeries(context: HeldPostContext): Definition<SeriesState, never, SeriesRow> {
  const { pace } = context;
  return {
    storage: SERIES_STORAGE,
    ms: { retention: pace.retentionMs, lease: pace.leaseMs, scanInterval: pace.scanIntervalMs },
    load: async () => (row) => makeOccurrences(context, row),
    notifying: {
      groupColumn: 'id',
      leaseMs: pace.notifyLeaseMs,
      notify: ([row], attempt) => notifyOfSeries(context, row, attempt),
    },
  };
}

/**
 * Makes the steps of running series due: of a workspace, because roles or its service have changed, or of all.
 * `afterMs`: when cached facts are outdated; defaults to 0.
 */
export async function makeSeriesDue(
  { db, clock, seriesVerbs }: Pick<HeldPostContext, 'db' | 'clock' | 'seriesVerbs'>,
  { workspace, afterMs = 0 }: { workspace?: string; afterMs?: number } = {},
): Promise<void> {
  const next_at = addMs(clock.readShared(), afterMs);
  await db
    .updateTable('series')
    // An instance that is making posts has read the facts from before.
    .set({ next_at, fence: sql<number>`fence + 1`, lease_until: null })
    .where('state', '=', 'running')
    .$if(workspace !== undefined, (query) => query.where('workspace', '=', workspace ?? ''))
    .execute();
  seriesVerbs.wake(next_at);
}
