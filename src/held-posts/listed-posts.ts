import type { PostStatus } from '../api/platforms.ts';
import { MINUTE_MS } from '../durations.ts';
import { addMs } from '../engine/clock.ts';
import type { PostFacts } from '../posts/describe-post.ts';
import { computeFingerprint, isHandedOver, type ListedHeldPost } from '../posts/merge-plan.ts';
import type { HELD_STATUSES } from '../posts/post-status.ts';
import type { HeldState } from '../posts/state-copy.ts';
import { getStateCopy } from '../submissions/submission.ts';
import { getUnsentStatus } from '../submissions/unsent-posts.ts';
import { groupParts, listPlatforms } from './hand-over/parts.ts';
import { PLANNED_STATES } from './held-post.ts';
import { describeContent, type HeldPostContext, readHeldContent } from './held-post-context.ts';
import { findMainPart, readPostFacts } from './read-post-facts.ts';
import { type ListedPostsQuery, type ListedRow, selectListedPosts } from './sql/listed-posts.ts';
import { getHashPrefix } from './text/held-post-buttons.ts';

/** Maximum held posts of a list. */
const MAX_LISTED_POSTS = 500;
/** The service's list may be this old, so that it lacks a post that was delivered meanwhile. */
const LIST_CACHE_MS = 2 * MINUTE_MS;

interface HeldPostList {
  posts: readonly ListedHeldPost[];
  isTruncated: boolean;
}

/** Lists held posts as posts, by publishing time, for `mergePlan`. */
export async function listHeldPlan(
  context: HeldPostContext,
  query: Partial<ListedPostsQuery> & Pick<ListedPostsQuery, 'workspace'>,
): Promise<HeldPostList> {
  if (query.projects?.length === 0 || query.ids?.length === 0) return { posts: [], isTruncated: false };
  const cachedSince = addMs(context.clock.readShared(), -LIST_CACHE_MS);
  const { deliveredSince = cachedSince } = query;
  const rows = await selectListedPosts(context.db, {
    states: PLANNED_STATES,
    ...{ ...query, deliveredSince },
    limit: MAX_LISTED_POSTS + 1,
  });
  const settledBefore = deliveredSince === 'ever' ? cachedSince : deliveredSince;
  return {
    posts: rows.slice(0, MAX_LISTED_POSTS).map((row) => ({
      ...toListedPost(context, row),
      isSettled: row.state === 'delivered' && row.changed_at < settledBefore,
    })),
    isTruncated: rows.length > MAX_LISTED_POSTS,
  };
}

function toListedPost(context: HeldPostContext, row: ListedRow): ListedHeldPost {
  const held = readHeldContent(context, row);
  const { post, project } = describeContent(context, held);
  const { workspace, is_stopped: isStopped } = row;
  const parts = (groupParts(row, row.newest ?? []).parts ?? []).map((sent) => ({
    sent,
    platforms: listPlatforms(context, [{ ...sent, workspace }]),
  }));
  const facts = readPostFacts(row, { platforms: post?.platforms, parts, isStopped });
  return {
    ...(held &&
      row.sent_to !== null && {
        parts: {
          ids: parts.flatMap(({ sent }) => (sent.state === 'confirmed' ? (sent.service_id ?? []) : [])),
          fingerprints: context.kind.post.split(held.content, []).map((part) => {
            const partPost = context.kind.post.toPost(part.content);
            return computeFingerprint({ project: { id: row.project }, post: partPost });
          }),
        },
      }),
    post: {
      platforms: [],
      ...(!post && { unreadableFields: ['Content', 'Platforms'] }),
      ...post,
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
