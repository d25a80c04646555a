import { type RawBuilder, sql } from 'kysely';
import { DAY_MS } from '../durations.ts';
import { addMs } from '../engine/clock.ts';
import { END_CLAIM } from '../engine/sql/bulk-transitions.ts';
import type { HeldState } from '../posts/state-copy.ts';
import type { Blackout } from '../preferences/posting-times.ts';
import type { ProjectKey } from '../preferences/project-policy.ts';
import type { Queryable } from '../store/database.ts';
import { repeatAfterDeadlock } from '../store/locks.ts';
import { LOCKED_STATES, SENDABLE_STATES } from '../submissions/submission.ts';
import { MAX_COUNTED } from '../words.ts';
import { EDITABLE_STATES, type HeldPostTables } from './held-post.ts';
import { findPostBlackout, type HeldPostContext } from './held-post-context.ts';
import { countHeldPosts } from './sql/held-posts.ts';

export interface WaitingPosts {
  /** Those that wait for their hand-over. */
  held: number;
  inReview: number;
  /** Those that wait to be sent to the service, which doesn't have them. */
  inOutbox: number;
  /** Those that the service may have by now. */
  inFlight: number;
  /** The running series, whose posts to come are made later. */
  series: number;
}

export async function countWaitingPosts(
  db: Queryable<HeldPostTables>,
  { workspace, project }: ProjectKey,
  now: Date,
): Promise<WaitingPosts> {
  const submissions = await db
    .selectFrom('submission')
    .select(['state', sql<string>`count(*)`.as('count')])
    .where(({ and }) => and({ workspace, project }))
    .where('state', 'in', [...SENDABLE_STATES, ...LOCKED_STATES])
    // Only a post that is published has a time.
    .where('publish_at', '>', now)
    .groupBy('state')
    .execute();
  const countSubmissions = (areInFlight: boolean) =>
    submissions
      .filter(({ state }) => LOCKED_STATES.includes(state) === areInFlight)
      .reduce((sum, { count }) => sum + Number(count), 0);
  const countHeld = (state: HeldState) =>
    countHeldPosts(db, { workspace, project, states: [state] }, MAX_COUNTED + 1);
  const { series } = await db
    .selectFrom('series')
    .select(sql<string>`count(*)`.as('series'))
    .where(({ and }) => and({ workspace, project, state: 'running' }))
    .executeTakeFirstOrThrow();
  return {
    held: await countHeld('held'),
    inReview: await countHeld('awaiting-review'),
    inOutbox: countSubmissions(false),
    inFlight: countSubmissions(true),
    series: Number(series),
  };
}

/**
 * Moves the hand-over of a project's posts, also of drafts with a time, to the new lead. A post whose new hand-over has
 * passed is due at once. An instance that is handing a post over at the same time loses its claim. Pass the transaction
 * that changes the policy, and call `verbs.wake` after its commit.
 */
export async function rescheduleHandOver(
  context: HeldPostContext,
  trx: Queryable<HeldPostTables>,
  { workspace, project }: ProjectKey,
  leadMinutes: number,
): Promise<void> {
  const newHandOver = sql`(publish_at - make_interval(mins => ${leadMinutes}))`;
  await trx
    .updateTable('held_post')
    .set({
      // A post in review stays with its reviewers, although the new lead has begun.
      hand_over_at: sql<Date>`case when state = 'awaiting-review' and ${newHandOver} <= ${context.clock.now()}::timestamptz
        then hand_over_at else ${newHandOver} end`,
      // The step of each post computes when it is due.
      next_at: sql<Date | null>`case when next_at is null then null else ${context.clock.readShared()}::timestamptz end`,
      ...END_CLAIM,
    })
    .where(({ and }) => and({ workspace, project }))
    .where('state', 'in', [...EDITABLE_STATES, 'cancelled'])
    .where('publish_at', 'is not', null)
    .execute();
}

/**
 * Makes the hand-over of all held posts of a project due now. Posts in review stay. Pass the transaction that changes
 * the policy, and call `verbs.wake` after its commit. Resolves with the number of posts.
 */
export async function makeHandOversDue(
  context: HeldPostContext,
  trx: Queryable<HeldPostTables>,
  { workspace, project }: ProjectKey,
): Promise<number> {
  const result = await trx
    .updateTable('held_post')
    .set({ hand_over_at: context.clock.now(), next_at: context.clock.readShared(), ...END_CLAIM })
    .where(({ and }) => and({ workspace, project, state: 'held' }))
    .executeTakeFirst();
  return Number(result.numUpdatedRows);
}

/** The period in which the checks of posts are spread: a share for each post, up to a limit. */
const [SECONDS_PER_CHECK, MAX_CHECK_SECONDS] = [0.05, 60];

/**
 * Checks soon whether somebody may still schedule each waiting post of a workspace, and whether its approvals are
 * enough, because roles or members of user groups have changed. The poll does the same twice a day, for people who
 * leave Slack. `afterMs`: when cached facts are outdated; defaults to 0.
 */
export async function recheckAuthority(
  context: HeldPostContext,
  workspace: string,
  afterMs = 0,
): Promise<void> {
  await repeatAfterDeadlock(() => makeChecksDue(context, context.db, { workspace, afterMs }));
  context.verbs.wake();
}

/** Makes the checks of waiting posts due, and updates and asks the reviewers. Call `verbs.wake` afterwards. */
export async function makeChecksDue(
  { clock, pace }: Pick<HeldPostContext, 'clock' | 'pace'>,
  db: Queryable<HeldPostTables>,
  { workspace, project, afterMs = 0 }: { workspace: string; project?: string; afterMs?: number },
): Promise<void> {
  // Spread, so that thousands of checks delay no hand-over. A few are done before anybody reads that nothing has
  // changed.
  const count = sql`(select count(*) from held_post where workspace = ${workspace} and state in ('held', 'awaiting-review'))`;
  const seconds = sql`least(${MAX_CHECK_SECONDS}::float8, ${SECONDS_PER_CHECK}::float8 * ${count})`;
  const dueIn = (share: RawBuilder<number>) =>
    sql<Date>`${addMs(clock.readShared(), afterMs)}::timestamptz + ${share} * make_interval(secs => ${seconds})`;
  const soon = dueIn(sql`random()`);
  const updatePosts = () =>
    db
      .updateTable('held_post')
      .where('workspace', '=', workspace)
      .$if(project !== undefined, (query) => query.where('project', '=', project ?? ''));
  await updatePosts()
    // An instance that is checking a post has read the facts from before. A hand-over that is due isn't delayed.
    .set({
      next_at: sql<Date>`case when hand_over_at <= ${clock.now()}::timestamptz then ${clock.readShared()}::timestamptz
        else least(next_at, ${soon}) end`,
      ...END_CLAIM,
    })
    .where('state', 'in', ['held', 'awaiting-review'])
    .execute();
  await updatePosts()
    // At one time, so that one message asks about many posts, and after the checks, which may be changing them.
    .set({
      notify_at: sql<Date>`least(notify_at, ${dueIn(sql`1`)})`,
      notifying_since: null,
      notify_attempts: 0,
    })
    .where('state', '=', 'awaiting-review')
    // The reviewers of a later post of a series aren't asked yet.
    .where(({ eb, or }) =>
      or([eb('series', 'is', null), eb('hand_over_at', '<=', addMs(clock.now(), pace.seriesReviewMs))]),
    )
    .execute();
}

/** Maximum number of posts that are read to count them. Our own limit: Slack waits three seconds. */
const MAX_COUNTED_POSTS = 500;

/**
 * Finds a project's posts that would go out on new blackout days, without series, which leave blackout days out.
 * Resolves with the days of each post; undefined if the posts are too many, or one of them can't be read.
 */
export async function findPostsOnNewDays(
  context: HeldPostContext,
  { workspace, project }: ProjectKey,
  { added, earlier }: { added: readonly Blackout[]; earlier: readonly Blackout[] },
): Promise<readonly Blackout[] | undefined> {
  if (added.length === 0) return [];
  const rows = await context.db
    .selectFrom('held_post')
    .select(['id', 'workspace', 'content', 'publish_at'])
    .where(({ and }) => and({ workspace, project }))
    .where('state', 'in', ['held', 'awaiting-review'])
    .where('series', 'is', null)
    .where(({ and, eb, or }) =>
      or(
        added.map(({ from, to }) =>
          // A day begins up to 14 hours earlier, and ends up to 12 hours later than in UTC.
          and([
            eb('publish_at', '>=', new Date(Date.parse(from) - DAY_MS)),
            eb('publish_at', '<', new Date(Date.parse(to) + 2 * DAY_MS)),
          ]),
        ),
      ),
    )
    .limit(MAX_COUNTED_POSTS + 1)
    .execute();
  const found = rows.map((row) => findPostBlackout(context, row, [...earlier, ...added]));
  if (rows.length > MAX_COUNTED_POSTS || found.includes('unknown')) return undefined;
  return found.filter((days) => typeof days === 'object').filter((days) => added.includes(days));
}
