import { DAY_MS, MINUTE_MS } from '../../durations.ts';
import { addMs } from '../../engine/clock.ts';
import { leaveOutBlackouts, type Slot, type ZonedRecurrence } from '../../preferences/posting-times.ts';
import { findPolicy } from '../../preferences/project-policy.ts';
import { mapInTurns } from '../../promises.ts';
import type { Queryable } from '../../store/database.ts';
import { readContent } from '../../submissions/content.ts';
import { EDITABLE_STATES, type HeldPostRow, type HeldPostTables } from '../held-post.ts';
import type { HeldPostContext } from '../held-post-context.ts';
import {
  computeDateKey,
  findNextDate,
  listDates,
  listHorizonDates,
  type SeriesContent,
  seriesContentSchema,
} from './rule.ts';
import type { SeriesRow } from './series.ts';

/** Decrypts the content of a series. Undefined if it was deleted or is unreadable. */
export function readSeriesContent(
  { submissions, log }: Pick<HeldPostContext, 'submissions' | 'log'>,
  row: Pick<SeriesRow, 'id' | 'content' | 'workspace'>,
): SeriesContent | undefined {
  const { encryption } = submissions.context;
  return readContent({ encryption, log }, { content: seriesContentSchema }, row)?.content;
}

/** A post of a series that isn't made yet, by the key that it will have. */
interface LaterPost extends Pick<HeldPostRow, 'origin' | 'item'> {
  instant: Date;
  platforms: readonly string[];
}

/** Lists the posts of series that aren't made yet, between two times. */
export type ListLaterPosts = (range: { after: Date; until: Date }) => LaterPost[];

type SeriesPlace = Pick<SeriesRow, 'workspace' | 'project'>;

/** Reads the running series of a project, with their contents. */
async function readRunningSeries(
  context: HeldPostContext,
  { workspace, project }: SeriesPlace,
): Promise<{ row: SeriesRow; content: SeriesContent }[]> {
  const rows = await context.db
    .selectFrom('series')
    .selectAll()
    .where(({ and }) => and({ workspace, project, state: 'running' }))
    .execute();
  const read = await mapInTurns(rows, (row) => {
    const content = readSeriesContent(context, row);
    return content ? [{ row, content }] : [];
  });
  return read.flat();
}

export async function readLaterPosts(context: HeldPostContext, place: SeriesPlace): Promise<ListLaterPosts> {
  const { kind } = context;
  const running = await readRunningSeries(context, place);
  const series = await mapInTurns(running, ({ row, content: { recurrence, contents } }) => {
    const posts = contents.map((stored) => kind.post.toPost(kind.content.parse(stored)));
    const platforms = [...new Set(posts.flatMap((post) => post.platforms))];
    const limits = { from: Math.max(row.made_until, row.changed_from), before: row.ends_before };
    return { origin: row.id, recurrence, platforms, limits };
  });
  return (range) =>
    series.flatMap(({ origin, recurrence, platforms, limits }) =>
      listDates(recurrence, range, limits).map(({ key, instant }) => ({
        ...{ origin, item: key, instant, platforms },
      })),
    );
}

/** Finds the first date of a project's series whose post isn't made yet, with the zone of its rule. */
export async function findLaterDate(context: HeldPostContext, place: SeriesPlace): Promise<Slot | undefined> {
  const [running, policy] = await Promise.all([
    readRunningSeries(context, place),
    findPolicy(context.db, place),
  ]);
  const dates = running.flatMap(({ row, content: { recurrence } }) => {
    const limits = { from: Math.max(row.made_until, row.changed_from), before: row.ends_before };
    const next = findNextDate(leaveOutBlackouts(recurrence, policy), context.clock.now(), limits);
    return next ? [{ instant: next.instant, zone: recurrence.zone }] : [];
  });
  return dates.toSorted((one, other) => one.instant.getTime() - other.instant.getTime())[0];
}

/** Lists the posts of a series whose dates are to come, cancelled ones too, by their keys. */
export function listOccurrences(
  db: Queryable<HeldPostTables>,
  { id, workspace }: Pick<SeriesRow, 'id' | 'workspace'>,
  { now, from }: { now: Date; from?: number | undefined },
): Promise<HeldPostRow[]> {
  return db
    .selectFrom('held_post')
    .selectAll()
    .where(({ and }) => and({ workspace, origin: id }))
    .where('publish_at', '>', now)
    .$if(from !== undefined, (query) => query.where('item', '>=', from ?? 0))
    .orderBy('item')
    .execute();
}

/** A post of a running series that is to come. `row`: undefined if it isn't made yet. */
export interface PlannedPost {
  instant: Date;
  row: HeldPostRow | undefined;
}

/** Lists the posts of a running series within the horizon in order, as they will be after its next step. */
export async function listPlannedPosts(
  { db, clock }: Pick<HeldPostContext, 'db' | 'clock'>,
  series: SeriesRow,
  recurrence: ZonedRecurrence,
): Promise<PlannedPost[]> {
  const now = clock.now();
  const before = series.ends_before ?? Number.POSITIVE_INFINITY;
  // A date for which the last step made no post has none: its texts were used, or somebody has decided about its day.
  const madeUntil = series.is_changed ? 0 : series.made_until;
  const dates = listHorizonDates(recurrence, now, { from: Math.max(series.changed_from, madeUntil), before });
  const keys = new Set(dates.map(({ key }) => key));
  const rows = await listOccurrences(db, series, { now });
  const isPlanned = (post: HeldPostRow) => {
    if (post.state === 'handed-over' || post.state === 'delivered') return true;
    if (isEditable(post) && !series.is_changed) return true;
    // The posts of a series that was just resumed are restored soon.
    const isBack = series.is_changed && isWithoutDate(post) && keys.has(post.item);
    const isRestored = post.reason === 'series' || isBack;
    const isInRule = post.item < series.changed_from || isEdited(post) || keys.has(post.item);
    return (isEditable(post) || isRestored) && post.item < before && isInRule;
  };
  const planned = [
    ...rows.flatMap((row) => (row.publish_at && isPlanned(row) ? [{ instant: row.publish_at, row }] : [])),
    ...dates.flatMap(({ key, instant }) =>
      rows.some(({ item }) => item === key) ? [] : [{ instant, row: undefined }],
    ),
  ];
  return planned.toSorted((one, other) => one.instant.getTime() - other.instant.getTime());
}

/** Finds the posts that a person has restored after their series had cancelled them, by their ids. */
export async function findRestored(
  db: Queryable<HeldPostTables>,
  { workspace }: Pick<SeriesRow, 'workspace'>,
  rows: readonly HeldPostRow[],
): Promise<ReadonlySet<string>> {
  if (rows.length === 0) return new Set();
  const events = await db
    .selectFrom('held_post_event')
    .select(['held_post', 'kind', 'actor'])
    .where('workspace', '=', workspace)
    .where(
      'held_post',
      'in',
      rows.map(({ id }) => id),
    )
    .where('kind', 'in', ['cancelled', 'restored'])
    .orderBy('position')
    .execute();
  const restored = [...Map.groupBy(events, ({ held_post: id }) => id)].filter(([, all]) => {
    const [cancelled, last] = all.slice(-2);
    return cancelled?.actor === '' && last?.kind === 'restored' && last.actor !== '';
  });
  return new Set(restored.map(([id]) => id));
}

/** Whether the series has cancelled the post because its rule has no such date any more, or no text was left. */
export function isWithoutDate({ state, reason }: Pick<HeldPostRow, 'state' | 'reason'>): boolean {
  return state === 'cancelled' && reason === 'no-date';
}

/** Marks a post that a pause or an end of its series has cancelled, because the series has no such date any more. */
export async function markWithoutDate(
  db: Queryable<HeldPostTables>,
  { id, workspace }: Pick<HeldPostRow, 'id' | 'workspace'>,
): Promise<void> {
  await db
    .updateTable('held_post')
    .set({ reason: 'no-date' })
    .where(({ and }) => and({ id, workspace, state: 'cancelled', reason: 'series' }))
    .execute();
}

/** Whether posts of a series are still to go out or be made before a date's key; null for the end of the rule. */
export async function hasPostsBefore(
  context: HeldPostContext,
  db: Queryable<HeldPostTables>,
  row: SeriesRow,
  before: number | null,
): Promise<boolean> {
  const content = readSeriesContent(context, row);
  if (before === null || !content) return before === null;
  const now = context.clock.now();
  if (findNextDate(content.recurrence, now, { before })) return true;
  const rows = await listOccurrences(db, row, { now });
  return rows.some((each) => each.item < before && isEditable(each));
}

/** Whether a person has edited or moved the post, so that the series leaves it as it is. */
export function isEdited({ version, form_version }: Pick<HeldPostRow, 'version' | 'form_version'>): boolean {
  return version !== form_version;
}

/** Whether the post waits for its time, its review or a person, so that it can still be changed. */
export function isEditable({ state, content }: Pick<HeldPostRow, 'state' | 'content'>): boolean {
  return content !== null && EDITABLE_STATES.some((editable) => editable === state);
}

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
 * Finds the dates of a series that passed before their posts were made, because no instance ran for longer than posts
 * are made ahead, or right after the series was started. They aren't posted late. `shown`: their keys, or those that
 * were found not long ago.
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
    .where(({ and }) => and({ workspace: row.workspace, origin: row.id }))
    .where('item', 'in', keys)
    .execute();
  const missed = keys.filter((key) => !made.some(({ item }) => item === key));
  return missed.length === 0 ? { shown: earlier, isNew: false } : { shown: missed, isNew: true };
}
