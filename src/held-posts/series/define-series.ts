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
