import { DAY_MS } from '../../durations.ts';
import { addMs } from '../../engine/clock.ts';
import { type ClosedDays, findBlackout, leaveOutBlackouts } from '../../preferences/posting-times.ts';
import { findPolicy, holdsPosts, type ProjectPolicy } from '../../preferences/project-policy.ts';
import { mapLimited } from '../../promises.ts';
import { cancelHeldPost, editHeldPost, type SeriesCancellation, throwIfEveryRaceLost } from '../change.ts';
import { restoreCancelledPost } from '../decisions.ts';
import { type HeldPostRow, STORED_STATES } from '../held-post.ts';
import {
  ChangedMeanwhile,
  commitUnlessChanged,
  computeReviewDelayMs,
  type HeldPostContext,
  readHeldContent,
  readHeldPost,
  wakeFor,
} from '../held-post-context.ts';
import { reviewSeriesOnce } from '../review/review-once.ts';
import { addEvent, listEvents } from '../sql/events.ts';
import type { NewHeldPost } from '../sql/held-posts.ts';
import { prepareHeldPost, storeNewPost } from '../store-post.ts';
import { cancelOccurrences, makeSeriesDue } from './change-series.ts';
import {
  findMissedDates,
  findRestored,
  hasPostsBefore,
  isEditable,
  isEdited,
  isWithoutDate,
  listOccurrences,
  markWithoutDate,
  readSeriesContent,
} from './occurrences.ts';
import {
  chooseTexts,
  computeDateKey,
  findNextDate,
  getDay,
  HORIZON_DAYS,
  listHorizonDates,
  type SeriesContent,
  type SeriesDate,
  type TextUse,
} from './rule.ts';
import { getLastEditor, listOtherWriters, type SeriesReason, type SeriesRow } from './series.ts';

/**
 * The step of a running series: makes its posts of the next 35 days. The transaction that inserts the missing ones also
 * compares and sets the fence of the series. So an instance that has lost its claim makes nothing, and after a crash
 * either all posts exist or none. The key of a date is unique within a series, cancelled posts included.
 *
 * After a person has changed the series, the posts that exist are brought in line first, each compared and set alone. The
 * series stays marked until its transaction, so a crash only repeats this.
 */
export async function makeOccurrences(context: HeldPostContext, row: SeriesRow): Promise<void> {
  const { seriesVerbs, clock, pace } = context;
  const rule = readSeriesContent(context, row);
  const policy = await findPolicy(context.db, row);
  const content = rule && { ...rule, recurrence: leaveOutBlackouts(rule.recurrence, policy) };
  const obstacle = content ? await findObstacle(context, row, content, policy) : 'unknown';
  if (obstacle === 'unknown' || !content)
    return void (await seriesVerbs.wait(row, { next_at: addMs(clock.readShared(), pace.recheckMs) }));
  if (obstacle !== 'none') return pauseForReason(context, row, obstacle);
  if (row.is_changed) await alignOccurrences(context, row, content, policy);
  const plan = await planPosts(context, row, content);
  for (const { row: known, content: present } of plan.corrections)
    await correct(context, row, known, present);
  for (const known of plan.withoutText) await cancel(context, known, 'no-date');
  const posts = await mapLimited(plan.missing, ({ date, content: postContent }) =>
    prepareHeldPost(
      context,
      { ...row, origin: row.id, channel: row.channel ?? undefined, policy, series: row.id },
      postContent,
      date.key,
    ),
  );
  await pace.onCrashPoint?.('before-occurrences');
  const stored = await storePosts(context, row, { content, posts, plan });
  // The claim has ended, so an error doesn't repeat this step.
  if (stored)
    await reviewSeriesOnce(context, stored, policy).catch(async (error: unknown) => {
      await makeSeriesDue(context, { id: stored.id, afterMs: pace.recheckMs });
      throw error;
    });
  for (const post of posts) wakeFor(context, post);
  await pace.onCrashPoint?.('after-occurrences');
}

/** Finds out why no posts may be made. "Could not find out" is never a no. */
async function findObstacle(
  context: HeldPostContext,
  row: SeriesRow,
  { contents: [content] }: SeriesContent,
  policy: ProjectPolicy,
): Promise<SeriesReason | 'unknown' | 'none'> {
  const { kind, submissions } = context;
  const { workspace, author: user, project } = row;
  if (!holdsPosts(policy)) return 'not-held';
  const { isElsewhere, checkPermission } = submissions.context;
  const elsewhere = await isElsewhere(workspace, project).catch(() => 'unknown' as const);
  if (elsewhere !== false) return elsewhere === 'unknown' ? elsewhere : 'other-service';
  const role = kind.getRole(kind.content.parse(content));
  const subject = { project, kind: kind.name };
  const answer = await checkPermission({ workspace, user }, role, subject);
  if (answer === 'no') return 'not-allowed';
  return answer === 'unknown' ? 'unknown' : 'none';
}

/** Pauses a series whose posts nobody may schedule any more. Its posts are cancelled, so that its people are asked once. */
async function pauseForReason(context: HeldPostContext, row: SeriesRow, reason: SeriesReason): Promise<void> {
  await commitUnlessChanged(context, async (transaction) => {
    const paused = await context.seriesVerbs.settle(row, 'paused', { reason }, { transaction });
    if (!paused) throw new ChangedMeanwhile();
    // The manager who changed the policy has decided about the posts.
    if (reason !== 'not-held') await cancelOccurrences(context, transaction, row);
  });
}

interface Plan {
  missing: readonly { date: SeriesDate; content: unknown }[];
  /** Posts that get the present content. */
  corrections: readonly { row: HeldPostRow; content: unknown }[];
  /** Posts for whose dates no text is left. */
  withoutText: readonly HeldPostRow[];
  /** The first date for which no text is left. */
  missingText: SeriesDate | undefined;
}

/** Plans the posts that are missing, and after a change those that nobody has edited: each gets the text whose turn it is. */
async function planPosts(context: HeldPostContext, row: SeriesRow, content: SeriesContent): Promise<Plan> {
  const { kind } = context;
  const { dates, rows, past } = await readDates(context, row, content);
  const rowsByKey = new Map(rows.map((each) => [each.item, each]));
  const mayCorrect = (each: HeldPostRow) => row.is_changed && isEditable(each) && !isEdited(each);
  // A date has its post already if somebody has edited or cancelled one of the rule before, or if that one has gone out.
  const replaced = rows.filter((each) => !dates.some(({ key }) => key === each.item));
  const decidedDays = [...past, ...replaced]
    .filter((each) => isDecided(each, row))
    .map(({ item }) => getDay(item));
  const open = dates.filter(({ key }) => {
    const known = rowsByKey.get(key);
    if (known) return mayCorrect(known);
    const index = decidedDays.indexOf(getDay(key));
    if (index >= 0) decidedDays.splice(index, 1);
    return index < 0;
  });
  const openIds = new Set(open.flatMap(({ key }) => rowsByKey.get(key)?.id ?? []));
  const { zone } = content.recurrence;
  const moveTo = (stored: unknown, { instant }: SeriesDate) =>
    kind.post.moveTo(kind.content.parse(stored), { instant, zone });
  const turns = chooseTexts(open, {
    texts: content.contents.map((each) => kind.post.toPost(kind.content.parse(each)).content ?? ''),
    gapDays: content.gapDays,
    uses: await listTextUses(context, row, content, openIds),
  }).map(({ date, index }) => ({
    date,
    row: rowsByKey.get(date.key),
    content: index === undefined ? undefined : moveTo(content.contents[index], date),
  }));
  return {
    missing: turns.flatMap((turn) => (turn.row || turn.content === undefined ? [] : [turn])),
    corrections: turns.flatMap(({ row: known, content: present }) =>
      known && present !== undefined ? [{ row: known, content: present }] : [],
    ),
    withoutText: turns.flatMap((turn) => (turn.row && turn.content === undefined ? [turn.row] : [])),
    missingText: turns.find((turn) => turn.content === undefined)?.date,
  };
}

/** Whether a person has decided about the post, or it has gone out. */
function isDecided(row: HeldPostRow, series: SeriesRow): boolean {
  const { state, reason, item } = row;
  if (state === 'handed-over' || state === 'delivered') return true;
  if (state === 'cancelled') return reason === null;
  // A post that the rule no longer has is kept only if a person has restored it.
  return isEditable(row) && (isEdited(row) || item >= series.changed_from);
}

/**
 * The dates of the rule within the horizon, and the posts of the series that exist. `past`: those of the last day that the
 * rule no longer has.
 */
async function readDates(context: HeldPostContext, row: SeriesRow, { recurrence }: SeriesContent) {
  const now = context.clock.now();
  const limits = { from: row.changed_from, before: row.ends_before };
  const dayAgo = addMs(now, -DAY_MS);
  const recent = await listOccurrences(context.db, row, { now: dayAgo });
  const isToCome = ({ publish_at: publishAt }: HeldPostRow) => publishAt !== null && publishAt > now;
  const keys = new Set(listHorizonDates(recurrence, dayAgo).map(({ key }) => key));
  return {
    dates: listHorizonDates(recurrence, now, limits),
    rows: recent.filter(isToCome),
    past: recent.filter((each) => !isToCome(each) && !keys.has(each.item)),
  };
}

/** Lists when the project's posts on the platforms of the series use which text. `except`: posts that get another one. */
async function listTextUses(
  context: HeldPostContext,
  row: SeriesRow,
  content: SeriesContent,
  except: ReadonlySet<string>,
): Promise<TextUse[]> {
  const { kind } = context;
  if (content.contents.length === 1 && content.gapDays === 0) return [];
  const platforms = new Set(kind.post.toPost(kind.content.parse(content.contents[0])).platforms);
  const from = addMs(context.clock.now(), -Math.max(content.gapDays, HORIZON_DAYS) * DAY_MS);
  const rows = await context.db
    .selectFrom('held_post')
    .select(['id', 'workspace', 'content', 'publish_at'])
    .where(({ and }) => and({ workspace: row.workspace, project: row.project }))
    .where('publish_at', '>=', from)
    .where('state', 'in', STORED_STATES)
    .where('content', 'is not', null)
    .execute();
  return rows.flatMap((each) => {
    const post = except.has(each.id) ? undefined : readHeldPost(context, each);
    if (!post || !each.publish_at || !post.platforms.some((platform) => platforms.has(platform))) return [];
    return [{ text: post.content ?? '', key: computeDateKey(each.publish_at, content.recurrence.zone) }];
  });
}

/** Inserts the missing posts and settles the series, all or nothing. Resolves with undefined if it has changed meanwhile. */
async function storePosts(
  context: HeldPostContext,
  row: SeriesRow,
  { content, posts, plan }: { content: SeriesContent; posts: readonly NewHeldPost[]; plan: Plan },
): Promise<SeriesRow | undefined> {
  const { db, seriesVerbs, clock, pace } = context;
  const now = clock.now();
  const { recurrence } = content;
  const limits = { from: row.changed_from, before: row.ends_before };
  const next = findNextDate(recurrence, addMs(now, HORIZON_DAYS * DAY_MS), limits);
  // Somebody who cancelled the later posts may undo that, and blackout days may change, so only the rule itself ends a series.
  const rule = readSeriesContent(context, row)?.recurrence ?? recurrence;
  const isOver = !findNextDate(rule, now, { from: row.changed_from });
  const isCancelled = row.ends_before !== null && !(await hasPostsBefore(context, db, row, row.ends_before));
  const missed = await findMissedDates(db, row, { recurrence, now });
  const checkAt = addMs(now, pace.authorityCheckMs);
  const comesAt = next && addMs(next.instant, -HORIZON_DAYS * DAY_MS);
  const missingAt = plan.missingText?.instant ?? null;
  const change = {
    next_at: clock.toShared(comesAt && comesAt < checkAt ? comesAt : checkAt),
    endpoint: row.endpoint,
    is_changed: false,
    missing_at: missingAt,
    made_until: computeDateKey(addMs(now, HORIZON_DAYS * DAY_MS), recurrence.zone),
    missed: missed.shown.length === 0 ? null : missed.shown.join(','),
  };
  const reason = missed.isNew || (missed.shown.length > 0 && row.reason === 'missed') ? 'missed' : null;
  const newReason = reason ?? (missingAt === null ? null : 'no-text');
  const hasNews = missed.isNew || (missingAt !== null && row.missing_at === null);
  return commitUnlessChanged(context, async (transaction) => {
    const how = { transaction };
    const settled = isOver
      ? await seriesVerbs.settle(row, 'ended', { ...change, reason }, how)
      : isCancelled
        ? // Its author read who cancelled its later posts when they did.
          await seriesVerbs.settle(row, 'cancelled', { ...change, changed_by: row.author }, how)
        : hasNews
          ? await seriesVerbs.settle(row, 'running', { ...change, reason: newReason }, how)
          : await seriesVerbs.wait(row, { ...change, reason: newReason }, how);
    if (!settled) throw new ChangedMeanwhile();
    for (const post of posts) {
      const inserted = await storeNewPost(context, transaction, post);
      if (!inserted) continue;
      await pace.onCrashPoint?.('within-occurrences');
      for (const actor of listOtherWriters(row))
        await addEvent(transaction, inserted, { kind: 'edited', actor, at: now, bySeries: true });
    }
    return settled;
  });
}

/**
 * Cancels a post, because its series ends before or its day is a blackout day, which may be undone (`series`), or because
 * its series no longer has the post (`no-date`). Only a rule or a text for its date restores that one.
 */
async function cancel(context: HeldPostContext, { id, workspace }: HeldPostRow, reason: SeriesCancellation) {
  throwIfEveryRaceLost(await cancelHeldPost(context, { id, workspace, actor: '' }, reason));
}

/**
 * Restores the posts that a pause or an end of the series has cancelled, and those that the rule has again. Cancels those
 * that it no longer has, unless a person has restored them. Before the last change, only blackout days count, because the
 * posts that it no longer has there may have a text that somebody has removed.
 */
async function alignOccurrences(
  context: HeldPostContext,
  row: SeriesRow,
  content: SeriesContent,
  policy: ClosedDays,
): Promise<void> {
  const { dates, rows } = await readDates(context, row, content);
  const keys = new Set(dates.map(({ key }) => key));
  const { zone } = content.recurrence;
  const isLeftOut = ({ publish_at: instant }: HeldPostRow) =>
    instant !== null && findBlackout(policy, { instant, zone }) !== undefined;
  const isBeforeEnd = (each: HeldPostRow) => each.item < (row.ends_before ?? Number.POSITIVE_INFINITY);
  const isEarlier = (each: HeldPostRow) => each.item < row.changed_from;
  const hasRule = (each: HeldPostRow) =>
    keys.has(each.item) || isEdited(each) || (isEarlier(each) && !isLeftOut(each));
  const unruled = rows.filter((each) => isEditable(each) && !hasRule(each));
  const restored = await findRestored(context.db, row, unruled);
  const isInRule = (each: HeldPostRow) => hasRule(each) || restored.has(each.id);
  for (const each of rows) {
    const { id, workspace, reason } = each;
    const isKept = isBeforeEnd(each) && isInRule(each);
    const isWithSeries = reason === 'series';
    if ((isWithSeries && isKept) || (isWithoutDate(each) && keys.has(each.item)))
      throwIfEveryRaceLost(
        await restoreCancelledPost(context, {
          ...{ id, workspace, actor: '', notifyAfterMs: computeReviewDelayMs(context, each) },
        }),
      );
    else if (isWithSeries && isBeforeEnd(each) && !isEarlier(each)) await markWithoutDate(context.db, each);
    else if (isEditable(each) && !isKept)
      await cancel(context, each, isBeforeEnd(each) && !isEarlier(each) ? 'no-date' : 'series');
  }
}

/** Gives a post the present content of its series, unless it has it. Its author isn't told of each post. */
async function correct(
  context: HeldPostContext,
  series: SeriesRow,
  row: HeldPostRow,
  content: unknown,
): Promise<void> {
  const held = readHeldContent(context, row);
  if (held && JSON.stringify(held.content) === JSON.stringify(context.kind.content.parse(content))) return;
  const { id, workspace, version } = row;
  const notifyAfterMs = computeReviewDelayMs(context, row);
  const events = await listEvents(context.db, row);
  const actor = getLastEditor(series);
  // The post may have got no other content between two edits.
  const otherEditors = listOtherWriters(series).filter(
    (editor) =>
      editor !== actor && !events.some((event) => event.actor === editor && event.kind === 'edited'),
  );
  const press = { id, workspace, actor, version, notifyAfterMs, otherEditors, bySeries: true };
  throwIfEveryRaceLost(await editHeldPost(context, press, content, 'corrected'));
}
