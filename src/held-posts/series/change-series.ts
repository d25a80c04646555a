import { randomUUID } from 'node:crypto';
import type { Transaction } from 'kysely';
import { addMs } from '../../engine/clock.ts';
import { buildEntryColumns } from '../../engine/lifecycle.ts';
import { END_CLAIM } from '../../engine/sql/bulk-transitions.ts';
import type { Queryable } from '../../store/database.ts';
import { storeChange } from '../change.ts';
import { type AskedPerson, type HeldPostTables, isAsked } from '../held-post.ts';
import {
  ChangedMeanwhile,
  commitUnlessChanged,
  encryptJson,
  type HeldPostContext,
} from '../held-post-context.ts';
import { hasPostsBefore, isEditable, listOccurrences, readSeriesContent } from './occurrences.ts';
import { computeDateKey, getDayStart, type SeriesContent } from './rule.ts';
import { addEditor, removeLastEditor, SERIES_STORAGE, type SeriesRow } from './series.ts';

export type SeriesKey = Pick<SeriesRow, 'id' | 'workspace'>;

/** Finds a series by its id, or by `origin`, the id of the form that has stored it. */
export function findSeries(
  db: Queryable<HeldPostTables>,
  key: SeriesKey | Pick<SeriesRow, 'workspace' | 'origin'>,
): Promise<SeriesRow | undefined> {
  const [column, value] = 'id' in key ? (['id', key.id] as const) : (['origin', key.origin] as const);
  return db
    .selectFrom('series')
    .selectAll()
    .where('workspace', '=', key.workspace)
    .where(column, '=', value)
    .executeTakeFirst();
}

/** Maximum number of series in a list. */
const MAX_LISTED = 500;

/** Lists the series of a workspace, by default those that run or are paused, oldest first. */
export function listSeries(
  db: Queryable<HeldPostTables>,
  workspace: string,
  states: readonly SeriesRow['state'][] = ['running', 'paused'],
): Promise<SeriesRow[]> {
  return db
    .selectFrom('series')
    .selectAll()
    .where('workspace', '=', workspace)
    .where('state', 'in', states)
    .orderBy('created_at')
    .orderBy('id')
    .limit(MAX_LISTED)
    .execute();
}

/** Lists the paused series about which this person is asked. One that somebody has paused waits for nobody. */
export async function listUndecidedSeries(
  db: Queryable<HeldPostTables>,
  person: AskedPerson,
): Promise<SeriesRow[]> {
  const rows = await listSeries(db, person.actor.workspace, ['paused']);
  return rows.filter((row) => row.reason !== null && isAsked(person, row));
}

/**
 * Our own limit for the running series of a project: more than anybody reads, and few enough that the dates of all can be
 * compared when a post takes a slot.
 */
export const MAX_RUNNING_SERIES = 100;

/** Whether a project has as many running series as it can. */
export async function hasMaxSeries(
  db: Queryable<HeldPostTables>,
  { workspace, project }: Pick<SeriesRow, 'workspace' | 'project'>,
): Promise<boolean> {
  const { count } = await db
    .selectFrom('series')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .where(({ and }) => and({ workspace, project, state: 'running' }))
    .executeTakeFirstOrThrow();
  return Number(count) >= MAX_RUNNING_SERIES;
}

/** Stores a new series. A form that is sent twice stores it once; `isNew` is false the second time. */
export async function createSeries(
  context: HeldPostContext,
  received: Pick<SeriesRow, 'workspace' | 'author' | 'project' | 'origin'> & {
    channel: string | undefined;
    content: SeriesContent;
  },
): Promise<{ row: SeriesRow; isNew: boolean }> {
  const { db, clock, seriesVerbs } = context;
  const { workspace, author, project, origin, channel = null, content } = received;
  const inserted = await db
    .insertInto('series')
    .values({
      ...buildEntryColumns(SERIES_STORAGE.lifecycle, 'running', clock.readShared()),
      ...{ id: randomUUID(), workspace, author, project, channel, origin, version: 1 },
      ...{ changed_by: author, edited_by: author },
      // Nobody has to be told of what they did themselves.
      notify_at: null,
      endpoint: workspace,
      content: encryptJson(context, workspace, content),
      changed_from: computeDateKey(clock.now(), content.recurrence.zone),
      made_until: computeDateKey(clock.now(), content.recurrence.zone),
      created_at: clock.readShared(),
    })
    .onConflict((conflict) => conflict.columns(['workspace', 'origin']).doNothing())
    .returningAll()
    .executeTakeFirst();
  if (inserted) {
    seriesVerbs.wake();
    return { row: inserted, isNew: true };
  }
  const row = await findSeries(db, { workspace, origin });
  if (!row) throw new Error('the series of a form was deleted meanwhile');
  return { row, isNew: false };
}

/** A press by a person on a series. `actor`: their Slack id. */
export interface SeriesPress extends SeriesKey {
  actor: string;
  /** The version that the person saw. */
  version: number;
  /** The key of the date from which the press counts. Defaults to all dates. */
  from?: number | undefined;
}

/** The result of a press. `counts`: the posts that were cancelled, and those that had gone out already, which stay. */
export type SeriesResult =
  | { kind: 'changed'; row: SeriesRow; counts?: { cancelled?: number; sent: number } }
  /** Nothing was done: the series has changed since, or its project has as many running ones as it can. */
  | { kind: 'outdated' | 'too-many'; row: SeriesRow }
  | { kind: 'not-found' };

const MAX_TRIES = 5;

/**
 * Changes a series in one transaction with its posts, if it has the version that the person saw. A claim of the poll
 * may come between, so it is tried again. `change` resolves with undefined if it lost that race.
 */
async function changeSeries(
  context: HeldPostContext,
  press: SeriesPress,
  fromStates: readonly SeriesRow['state'][],
  change: (
    transaction: Transaction<HeldPostTables>,
    row: SeriesRow,
  ) => Promise<
    Omit<Extract<SeriesResult, { kind: 'changed' }>, 'kind'> | 'outdated' | 'too-many' | undefined
  >,
): Promise<SeriesResult> {
  for (let tries = 1; ; tries += 1) {
    const row = await findSeries(context.db, press);
    if (!row) return { kind: 'not-found' };
    if (!fromStates.includes(row.state) || row.version !== press.version || row.content === null)
      return { kind: 'outdated', row };
    const changed = await commitUnlessChanged(context, async (transaction) => {
      const result = await change(transaction, row);
      if (!result) throw new ChangedMeanwhile();
      return result;
    });
    if (changed === 'outdated' || changed === 'too-many') return { kind: changed, row };
    if (changed) {
      context.seriesVerbs.wake();
      return { kind: 'changed', ...changed };
    }
    if (tries >= MAX_TRIES) return { kind: 'outdated', row };
  }
}

/** Pauses a series. None of its posts goes out, until somebody resumes it. */
export function pauseSeries(context: HeldPostContext, press: SeriesPress): Promise<SeriesResult> {
  return changeSeries(context, press, ['running'], async (transaction, row) => {
    const paused = await context.seriesVerbs.byPerson(transaction, row, 'paused', {
      changed_by: press.actor,
    });
    return paused && { row: paused, counts: await cancelOccurrences(context, transaction, paused) };
  });
}

/**
 * Resumes a paused series, or restores a cancelled one. Its posts to come are restored. If its author may no longer
 * schedule posts, whoever resumes it becomes the author.
 */
export async function resumeSeries(context: HeldPostContext, press: SeriesPress): Promise<SeriesResult> {
  return changeSeries(context, press, ['paused', 'cancelled'], async (transaction, row) => {
    if (await hasMaxSeries(transaction, row)) return 'too-many';
    const isTakenOver = row.reason === 'not-allowed';
    const author = isTakenOver ? press.actor : row.author;
    // Undo also continues a series that had no post left. A resumption doesn't bring back later posts that were
    // cancelled.
    const hasEnded =
      row.state === 'cancelled' && !(await hasPostsBefore(context, transaction, row, row.ends_before));
    const resumed = await context.seriesVerbs.byPerson(transaction, row, 'running', {
      ...{ author, changed_by: press.actor, ...startAgain(context, row) },
      ...(hasEnded && { ends_before: null }),
    });
    if (resumed && isTakenOver) {
      await transaction
        .updateTable('held_post')
        .set({ author, approver: null })
        .where(({ and }) => and({ workspace: row.workspace, origin: row.id, state: 'cancelled' }))
        .where('reason', 'in', ['series', 'no-date'])
        .execute();
    }
    return resumed && { row: resumed };
  });
}

/** The columns of a series whose posts may differ from its rule. Dates that passed meanwhile weren't missed. */
function startAgain(context: HeldPostContext, row: SeriesRow) {
  const { zone = 'UTC' } = readSeriesContent(context, row)?.recurrence ?? {};
  return { is_changed: true, missing_at: null, made_until: computeDateKey(context.clock.now(), zone) };
}

/** The columns of a series with another content. The dates before `changed_from` had posts by the rule of before. */
function replaceContent(
  context: HeldPostContext,
  row: SeriesRow,
  change: Pick<SeriesRow, 'content' | 'previous' | 'changed_from'>,
) {
  return { ...change, version: row.version + 1, ...startAgain(context, { ...row, ...change }) };
}

/** The key of now in the zone of the series or of another content, whichever is first: no post to come is before it. */
function findFirstKeyToCome(context: HeldPostContext, row: SeriesRow, { recurrence }: SeriesContent): number {
  const { zone } = readSeriesContent(context, row)?.recurrence ?? recurrence;
  const now = context.clock.now();
  return Math.min(computeDateKey(now, zone), computeDateKey(now, recurrence.zone));
}

/**
 * The first key that belongs to a post and all later ones. An earlier time on the day of the post does too, but not the
 * other posts that go out before it on that day.
 */
export async function findFirstKey(
  { clock }: Pick<HeldPostContext, 'clock'>,
  db: Queryable<HeldPostTables>,
  row: SeriesKey,
  item: number,
): Promise<number> {
  const posts = await listOccurrences(db, row, { now: clock.now(), from: getDayStart(item) });
  const earlier = posts.findLast((each) => each.item < item && each.state !== 'cancelled');
  return earlier ? earlier.item + 1 : getDayStart(item);
}

export function cancelSeries(context: HeldPostContext, press: SeriesPress): Promise<SeriesResult> {
  return changeSeries(context, press, ['running', 'paused'], async (transaction, row) => {
    const { from, actor: changed_by } = press;
    // A card from before a pause may name a date, but a paused series is cancelled as a whole.
    // A card from before an earlier end moves it no later.
    const first =
      row.state === 'paused' || from === undefined
        ? undefined
        : Math.min(
            await findFirstKey(context, transaction, row, from),
            row.ends_before ?? Number.POSITIVE_INFINITY,
          );
    const isWhole = first === undefined || !(await hasPostsBefore(context, transaction, row, first));
    const cancelled = await context.seriesVerbs.byPerson(
      transaction,
      row,
      isWhole ? 'cancelled' : 'running',
      { changed_by, ...(first !== undefined && { ends_before: first }) },
    );
    return (
      cancelled && { row: cancelled, counts: await cancelOccurrences(context, transaction, cancelled, first) }
    );
  });
}

/**
 * Cancels the posts of a series from a date on, in the transaction that pauses or cancels the series. Resolves with the
 * number of posts, and of those that can't be stopped any more.
 */
export async function cancelOccurrences(
  context: HeldPostContext,
  transaction: Transaction<HeldPostTables>,
  series: SeriesRow,
  from?: number,
): Promise<{ cancelled: number; sent: number }> {
  const rows = await listOccurrences(transaction, series, { now: context.clock.now(), from });
  const editable = rows.filter(isEditable);
  const change = { to: 'cancelled', reason: 'series', event: 'cancelled' } as const;
  for (const before of editable)
    if (!(await storeChange(context, transaction, { before, press: { actor: '' }, change })))
      throw new ChangedMeanwhile();
  const sent = rows.filter(({ state }) => state === 'handed-over' || state === 'delivered').length;
  return { cancelled: editable.length, sent };
}

/** Restores a cancelled series, or its posts from that date on. Each [Undo] brings back what it was shown for. */
export function restoreSeries(context: HeldPostContext, press: SeriesPress): Promise<SeriesResult> {
  if (press.from === undefined) return resumeSeries(context, press);
  return changeSeries(context, press, ['running'], async (transaction, row) => {
    if (row.ends_before !== press.from) return 'outdated';
    const change = { changed_by: press.actor, ends_before: null, ...startAgain(context, row) };
    const continued = await context.seriesVerbs.byPerson(transaction, row, 'running', change);
    return continued && { row: continued };
  });
}

/**
 * Makes the steps of running series due: of a workspace, because roles or its service have changed, of a project, of
 * one, or of all. `afterMs`: when cached facts are outdated; defaults to 0. `isChanged`: whether posts that were made
 * may not be right any more, because a day is a blackout day now, or no longer. If `db` is a transaction, wake the poll
 * again after its commit, because the poll doesn't see the rows before.
 */
export async function makeSeriesDue(
  {
    db,
    clock,
    seriesVerbs,
  }: Pick<HeldPostContext, 'clock' | 'seriesVerbs'> & { db: Queryable<HeldPostTables> },
  {
    afterMs = 0,
    isChanged = false,
    ...which
  }: { workspace?: string; project?: string; id?: string; afterMs?: number; isChanged?: boolean } = {},
): Promise<void> {
  const next_at = addMs(clock.readShared(), afterMs);
  await db
    .updateTable('series')
    // An instance that is making posts has read the facts from before.
    .set({ next_at, ...END_CLAIM, ...(isChanged && { is_changed: true }) })
    .where('state', '=', 'running')
    .where(({ and }) => and(which))
    .execute();
  seriesVerbs.wake(next_at);
}

/** Replaces the rule and the texts from a date on. Earlier posts, and those that somebody has edited or moved, stay. */
export function editSeries(
  context: HeldPostContext,
  press: SeriesPress,
  content: SeriesContent,
): Promise<SeriesResult> {
  return changeSeries(context, press, ['running'], async (transaction, row) => {
    const first = press.from === undefined ? 0 : await findFirstKey(context, transaction, row, press.from);
    const from = Math.max(first, findFirstKeyToCome(context, row, content));
    const edited = await context.seriesVerbs.byPerson(transaction, row, 'running', {
      ...replaceContent(context, row, {
        content: encryptJson(context, row.workspace, { ...content, from }),
        ...{ previous: row.content, changed_from: from },
      }),
      ...{ changed_by: press.actor, edited_by: addEditor(row, press.actor) },
    });
    return edited && { row: edited };
  });
}

/** Undoes the last edit of a series. Posts that have gone out since stay, and so do those that somebody has edited. */
export function undoSeriesEdit(context: HeldPostContext, press: SeriesPress): Promise<SeriesResult> {
  return changeSeries(context, press, ['running'], async (transaction, row) => {
    const content = readSeriesContent(context, { ...row, content: row.previous });
    if (!content) return 'outdated';
    // Earlier posts have this content, or one that isn't stored any more.
    const from = Math.max(row.changed_from, findFirstKeyToCome(context, row, content));
    const restored = await context.seriesVerbs.byPerson(transaction, row, 'running', {
      ...replaceContent(context, row, { content: row.previous, previous: null, changed_from: from }),
      ...{ changed_by: press.actor, edited_by: removeLastEditor(row) },
    });
    if (!restored) return undefined;
    const { count } = await transaction
      .selectFrom('held_post')
      .select((posts) => posts.fn.countAll<number>().as('count'))
      .where(({ and }) => and({ workspace: row.workspace, origin: row.id }))
      .where('item', '>=', row.changed_from)
      .where('state', 'in', ['handed-over', 'delivered'])
      .executeTakeFirstOrThrow();
    return { row: restored, counts: { sent: Number(count) } };
  });
}
