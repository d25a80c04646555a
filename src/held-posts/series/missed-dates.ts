import { DAY_MS, MINUTE_MS } from '../../durations.ts';
import { addMs } from '../../engine/clock.ts';
import type { ZonedRecurrence } from '../../preferences/posting-times.ts';
import type { Queryable } from '../../store/database.ts';
import type { HeldPostTables } from '../held-post.ts';
import { computeDateKey, listDates } from './rule.ts';
import type { SeriesRow } from './series.ts';

/** For how long a series shows the dates that it missed. */
const SHOWN_MS = 7 * DAY_MS;
/** Maximum number of dates that are looked at after a long outage. */
const MAX_MISSED = 500;
/** A key is the time on a clock, which differs from UTC by less. */
const MAX_OFFSET_MS = DAY_MS;

/** The keys of the dates that a series missed lately, in order. */
export function readMissedDates({ missed }: Pick<SeriesRow, 'missed'>): readonly number[] {
  return missed === null ? [] : missed.split(',').map(Number);
}

/**
 * Finds the dates of a series that passed before their posts were made, because no instance ran for longer than posts are
 * made ahead, or right after the series was started. They aren't posted late. `shown`: their keys, or those that were
 * found not long ago.
 */
export async function findMissedDates(
  db: Queryable<HeldPostTables>,
  row: SeriesRow,
  { recurrence, now }: { recurrence: ZonedRecurrence; now: Date },
): Promise<{ shown: readonly number[]; isNew: boolean }> {
  const shownSince = computeDateKey(addMs(now, -SHOWN_MS), recurrence.zone);
  const keysBefore = readMissedDates(row);
  const earlier = (keysBefore.at(-1) ?? 0) > shownSince ? keysBefore : [];
  const after = new Date(row.made_until * MINUTE_MS - MAX_OFFSET_MS);
  const limits = { from: Math.max(row.made_until, row.changed_from), before: row.ends_before };
  if (limits.from >= computeDateKey(now, recurrence.zone)) return { shown: earlier, isNew: false };
  const dates = listDates(recurrence, { after, until: now, most: MAX_MISSED }, limits);
  const keys = dates.map(({ key }) => key);
  if (keys.length === 0) return { shown: earlier, isNew: false };
  const made = await db
    .selectFrom('held_post')
    .select('item')
    .where('workspace', '=', row.workspace)
    .where('origin', '=', row.id)
    .where('item', 'in', keys)
    .execute();
  const missed = keys.filter((key) => !made.some(({ item }) => item === key));
  return missed.length === 0 ? { shown: earlier, isNew: false } : { shown: missed, isNew: true };
}
