import { type RawBuilder, sql } from 'kysely';
import type { PostStatus } from '../api/platforms.ts';
import { DAY_MS, MINUTE_MS } from '../durations.ts';
import { addMs } from '../engine/clock.ts';
import type { PostFacts } from '../posts/describe-post.ts';
import { computeFingerprint, isHandedOver, type ListedHeldPost } from '../posts/merge-plan.ts';
import type { HELD_STATUSES } from '../posts/post-status.ts';
import type { HeldState } from '../posts/state-copy.ts';
import { mapInTurns } from '../promises.ts';
import type { Queryable } from '../store/database.ts';
import { getStateCopy, type SubmissionRow } from '../submissions/submission.ts';
import { getUnsentStatus } from '../submissions/unsent-posts.ts';
import {
  addEarlierFields,
  findMainPart,
  groupParts,
  listPlatforms,
  readPostFacts,
  readSentPosts,
  showSentTexts,
} from './hand-over/parts.ts';
import { type HeldPostRow, type HeldPostTables, PLANNED_STATES } from './held-post.ts';
import { describeContent, type HeldPostContext, readHeldContent } from './held-post-context.ts';
import { getHashPrefix } from './text/held-post-buttons.ts';

/** Maximum held posts of a list. */
const MAX_LISTED_POSTS = 500;
/** The service's list may be this old, so that it lacks a post that was delivered meanwhile. */
const LIST_CACHE_MS = 2 * MINUTE_MS;

/** Lists held posts as posts, by publishing time, for `mergePlan`. */
export async function listHeldPlan(
  context: HeldPostContext,
  query: Partial<ListedPostsQuery> & { workspace: string } & (
      | { projects: readonly string[] }
      | { ids: readonly string[] }
    ),
): Promise<{ posts: readonly ListedHeldPost[]; isTruncated: boolean }> {
  if (query.projects?.length === 0 || query.ids?.length === 0) return { posts: [], isTruncated: false };
  const cachedSince = addMs(context.clock.readShared(), -LIST_CACHE_MS);
  const { deliveredSince = cachedSince } = query;
  const rows = await selectListedPosts(context.db, {
    states: PLANNED_STATES,
    ...{ ...query, deliveredSince },
  });
  const settledBefore = deliveredSince === 'ever' ? cachedSince : deliveredSince;
  return {
    posts: await mapInTurns(rows.slice(0, MAX_LISTED_POSTS), (row) => ({
      ...toListedPost(context, row),
      isSettled: row.state === 'delivered' && row.changed_at < settledBefore,
    })),
    isTruncated: rows.length > MAX_LISTED_POSTS,
  };
}

/** Lists the held posts of a digest: those in its range, and what needs a decision since a time before it. */
export async function listDigestPlan(
  context: HeldPostContext,
  query: { workspace: string; projects: readonly string[]; from: Date; to: Date },
): ReturnType<typeof listHeldPlan> {
  const { workspace, projects, from } = query;
  const [plan, earlier] = await Promise.all([
    listHeldPlan(context, { ...query, deliveredSince: 'ever' }),
    listHeldPlan(context, { workspace, projects, states: ['needs-person'], to: addMs(from, -1) }),
  ]);
  const overdue = earlier.posts.filter(({ held: { state } }) => state === 'needs-person');
  const isTruncated = earlier.isTruncated || plan.isTruncated;
  return { posts: [...overdue, ...plan.posts], isTruncated };
}

function toListedPost(context: HeldPostContext, row: ListedRow): ListedHeldPost {
  const held = readHeldContent(context, row);
  const { post, project } = describeContent(context, held);
  const { workspace, is_stopped: isStopped } = row;
  const newest = (groupParts(row, row.newest ?? []).parts ?? []).map((sent) => ({ ...sent, workspace }));
  const parts = newest.map((sent) => ({ sent, platforms: listPlatforms(context, [sent]) }));
  const sentPosts = readSentPosts(context, row, newest);
  const sentTo = sentPosts.flatMap(({ platforms }) => platforms);
  const ownFacts = readPostFacts(row, { platforms: post?.platforms, parts, isStopped });
  const facts = addEarlierFields(ownFacts, post, sentPosts);
  return {
    ...(held &&
      row.sent_to !== null && {
        parts: {
          ids: parts.flatMap(({ sent }) => (sent.state === 'confirmed' ? (sent.service_id ?? []) : [])),
          // Somebody may have edited the post since some were sent.
          fingerprints: [
            ...sentPosts,
            ...context.kind.post
              .split(held.content, sentTo)
              .map((part) => context.kind.post.toPost(part.content)),
          ].map((each) => computeFingerprint({ project: { id: row.project }, post: each })),
        },
      }),
    post: {
      platforms: [],
      ...(!post && { unreadableFields: ['Content', 'Platforms'] }),
      ...(post && showSentTexts(post, sentPosts)),
      ...(row.publish_at && { scheduleDate: row.publish_at }),
      // After some parts have come back, the id is that of another part.
      id: (isHandedOver({ held: row }) ? findMainPart(row, parts)?.sent.service_id : null) ?? undefined,
      status: getListedStatus(row, facts),
    },
    project: { id: row.project, name: project },
    author: row.author,
    held: {
      id: row.id,
      version: row.version,
      hash: getHashPrefix(row),
      state: row.state,
      handOverAt: row.hand_over_at ?? undefined,
      changedAt: row.changed_at,
      facts,
    },
  };
}

/** The status by which lists find a held post. Several states share one. */
const STATUSES: Readonly<Record<HeldState, PostStatus | 'PENDING' | (typeof HELD_STATUSES)[number]>> = {
  draft: 'DRAFT',
  'awaiting-review': 'REVIEW',
  held: 'HELD',
  'handed-over': 'PENDING',
  'needs-person': 'DECISION',
  unsure: 'PENDING',
  cancelled: 'CANCELLED',
  delivered: 'SCHEDULED',
  dropped: 'CANCELLED',
};

/** Lists the states of held posts that can have one of the statuses. An empty list means all planned posts. */
export function listStatesWith(statuses: readonly string[]): readonly HeldState[] {
  if (statuses.length === 0) return PLANNED_STATES;
  // The status of a handed-over post is that of its submission.
  return [...PLANNED_STATES, 'cancelled' as const].filter(
    (state) => state === 'handed-over' || statuses.includes(STATUSES[state]),
  );
}

/** Returns the status of a post. The submission of a handed-over post decides. */
function getListedStatus({ state }: ListedRow, { sent }: PostFacts): string {
  if (!sent) return STATUSES[state];
  if (sent.state === 'confirmed') return 'SCHEDULED';
  const status = getUnsentStatus(getStateCopy(sent));
  return status === 'UNCERTAIN' ? status : 'PENDING';
}

/** A held post with the newest submissions of its items; null if there are none. */
type ListedRow = HeldPostRow & {
  /** `content`: null unless the post was handed over in parts. */
  newest:
    | Pick<SubmissionRow, 'id' | 'item' | 'state' | 'reason' | 'maybe_sent' | 'service_id' | 'content'>[]
    | null;
  is_stopped: boolean;
};

/** A filter for held posts in lists. `from` and `to` are publishing times, inclusive. */
interface ListedPostsQuery {
  workspace: string;
  /** The projects' ids in the service. */
  projects?: readonly string[] | undefined;
  /** The ids of the posts, instead of projects. */
  ids?: readonly string[] | undefined;
  states: readonly HeldState[];
  /** Whether posts without a time are included, although the filter has a range. */
  includesUndated?: boolean | undefined;
  from?: Date | undefined;
  to?: Date | undefined;
  /** Maximum posts of each project. The soonest ones are listed. */
  maxPerProject?: number | undefined;
  /** Posts that were delivered since then, on the shared clock, are included too. `ever`: all delivered posts. */
  deliveredSince: Date | 'ever';
}

/**
 * Selects held posts with their submissions, by publishing time. Posts without a time come last. Those of one form or
 * import with equal times stay in its order.
 */
async function selectListedPosts(
  db: Queryable<HeldPostTables>,
  query: ListedPostsQuery,
): Promise<ListedRow[]> {
  // The limit comes before the join, so that only the submissions of listed posts are read.
  const listed = sql<string>`(select id from (
    select *, row_number() over (partition by project order by ${POSTS_ORDER}) as position
    from (${sql.join(selectCandidates(query), sql` union `)}) candidate) ranked
    where position <= ${query.maxPerProject ?? MAX_LISTED_POSTS + 1}
    order by ${POSTS_ORDER} limit ${MAX_LISTED_POSTS + 1})`;
  return db
    .selectFrom('held_post')
    .selectAll('held_post')
    .where('held_post.id', 'in', listed)
    .select(
      sql<ListedRow['newest']>`(select json_agg(json_build_object('id', id, 'item', item, 'state', state,
          'reason', reason, 'maybe_sent', maybe_sent, 'service_id', service_id,
          'content', case when held_post.sent_to is not null then content end) order by item)
        from (select distinct on (item) * from submission sent where held_post.submission is not null
          and sent.workspace = held_post.workspace and sent.origin = held_post.id
          order by item, revision desc) newest)`.as('newest'),
    )
    .select(
      sql<boolean>`exists (select from sending_stop stop where stop.workspace = ''
        or (stop.workspace = held_post.workspace and stop.project = held_post.project))`.as('is_stopped'),
    )
    .orderBy('held_post.publish_at')
    .orderBy('held_post.created_at')
    .orderBy('held_post.item')
    .orderBy('held_post.id')
    .execute();
}

const POSTS_ORDER = sql`publish_at, created_at, item, id`;

/**
 * The statements that select the soonest posts of each project in each state, from the indexes by project, state and
 * time. However many posts a project has, no more are read than can be listed. Each state is a statement of its own,
 * because the indexes are partial.
 */
function selectCandidates(query: ListedPostsQuery): RawBuilder<unknown>[] {
  const { workspace, projects = [], ids, states, from, to, includesUndated, deliveredSince } = query;
  const limit = sql`limit ${query.maxPerProject ?? MAX_LISTED_POSTS + 1}`;
  const columns = sql`project, publish_at, created_at, item, id`;
  const inRange = [
    ...(from === undefined ? [] : [sql`publish_at >= ${from}`]),
    ...(to === undefined ? [] : [sql`publish_at <= ${to}`]),
  ];
  const ranges = [inRange, ...(includesUndated && inRange.length > 0 ? [[sql`publish_at is null`]] : [])];
  const select = (...conditions: readonly RawBuilder<unknown>[]) => {
    const where = sql.join([sql`workspace = ${workspace}`, ...conditions], sql` and `);
    if (ids) return sql`(select ${columns} from held_post where ${where} and id in (${sql.join(ids)}))`;
    return sql`(select post.* from unnest(array[${sql.join(projects)}]::text[]) as of (project_id)
      cross join lateral (select ${columns} from held_post
        where ${where} and project = of.project_id order by ${POSTS_ORDER} ${limit}) post)`;
  };
  const listedStates = deliveredSince === 'ever' ? [...states, 'delivered' as const] : states;
  const ofStates = listedStates.flatMap((state) =>
    ranges.map((range) => select(sql`state = ${state}`, ...range)),
  );
  if (deliveredSince === 'ever') return ofStates;
  const isDelivered = sql`state = 'delivered'`;
  return [
    ...ofStates,
    ...ranges.map((range) => select(isDelivered, sql`changed_at >= ${deliveredSince}`, ...range)),
    // Lists show the service's posts that are parts of one post as that post.
    select(
      isDelivered,
      sql`sent_to is not null`,
      sql`publish_at >= ${from ?? addMs(deliveredSince, -DAY_MS)}`,
      ...inRange,
    ),
  ];
}
