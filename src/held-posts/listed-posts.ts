import type { PostStatus } from '../api/platforms.ts';
import { computePostFingerprint, type Post } from '../api/posts.ts';
import type { Project } from '../api/projects.ts';
import { MINUTE_MS } from '../durations.ts';
import { addMs } from '../engine/clock.ts';
import { joinPosts, type PostFacts, standsFor } from '../posts/describe-post.ts';
import { sortPlatforms } from '../posts/platforms.ts';
import { type HELD_STATUSES, hasStatus } from '../posts/post-status.ts';
import type { HeldState } from '../posts/state-copy.ts';
import { getStateCopy } from '../submissions/submission.ts';
import { getUnsentStatus } from '../submissions/unsent-posts.ts';
import { listPlatforms } from './hand-over/parts.ts';
import { listSentPlatforms, PLANNED_STATES } from './held-post.ts';
import { type HeldPostContext, readHeldContent } from './held-post-context.ts';
import { type ListedPostsQuery, type ListedRow, selectListedPosts } from './sql/listed-posts.ts';
import { getHashPrefix } from './text/held-post-buttons.ts';

/** Maximum held posts of a list. */
const MAX_LISTED_POSTS = 500;
/** A post that was delivered this recently is still listed, because the service's list may have been cached before. */
const LIST_CACHE_MS = 2 * MINUTE_MS;

/** What lists know of a held post besides its fields. */
export interface HeldInfo {
  id: string;
  version: number;
  /** The beginning of the content's hash. */
  hash: string;
  state: HeldState;
  /** When the post is handed over. Until then it is editable. */
  handOverAt: Date | undefined;
  /** What its description depends on. */
  facts: PostFacts;
  /** The last change of its state, on the shared clock. */
  changedAt: Date;
}

/** A held post as lists show it. Its status is one of `HELD_STATUSES`, or that of its submission. */
export interface ListedHeldPost {
  post: Post;
  project: { id: string; name: string };
  /** The author's Slack id. */
  author: string;
  held: HeldInfo;
  /** The service's posts that it has become, if it was handed over in parts. The ids are in the order of the parts. */
  parts?: { ids: readonly string[]; fingerprints: readonly string[] };
}

interface HeldPostList {
  posts: readonly ListedHeldPost[];
  isTruncated: boolean;
}

/**
 * Lists held posts as posts, by publishing time. Lists call it after the service has answered, and then
 * `dropHandedOver`: a post that was handed over meanwhile is then in one of the two lists, or recognised in both.
 */
export async function listHeldPlan(
  context: HeldPostContext,
  query: Partial<ListedPostsQuery> & Pick<ListedPostsQuery, 'workspace'>,
): Promise<HeldPostList> {
  if (query.projects?.length === 0) return { posts: [], isTruncated: false };
  const rows = await selectListedPosts(context.db, {
    states: PLANNED_STATES,
    deliveredSince: addMs(context.clock.readShared(), -LIST_CACHE_MS),
    ...query,
    limit: MAX_LISTED_POSTS + 1,
  });
  return {
    posts: rows.slice(0, MAX_LISTED_POSTS).map((row) => toListedPost(context, row)),
    isTruncated: rows.length > MAX_LISTED_POSTS,
  };
}

/** Maximum projects that are found by their held posts. */
const MAX_PROJECTS = 100;

/** Lists the projects that have held posts, with the names that the posts were written with. */
export async function listHeldProjects(context: HeldPostContext, workspace: string): Promise<Project[]> {
  const rows = await context.db
    .selectFrom('held_post')
    .distinctOn('project')
    .select(['id', 'workspace', 'project', 'content'])
    .where('workspace', '=', workspace)
    .where('state', 'in', PLANNED_STATES)
    .orderBy('project')
    .orderBy('created_at', 'desc')
    .limit(MAX_PROJECTS)
    .execute();
  return rows.map((row) => {
    const held = readHeldContent(context, row);
    const name = held && context.kind.getProject(held.content)?.name;
    return { id: row.project, name: name ?? row.project };
  });
}

function toListedPost(context: HeldPostContext, row: ListedRow): ListedHeldPost {
  const held = readHeldContent(context, row);
  const post = held && context.kind.post.toPost(held.content);
  const project = held && context.kind.getProject(held.content);
  const parts = held && row.sent_to !== null ? context.kind.post.split(held.content, []) : undefined;
  return {
    ...(parts && {
      parts: {
        ids: row.part_ids ?? [],
        fingerprints: parts.map((part) => {
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
      id: (row.sent_to === null || isHandedOver({ held: row }) ? row.sent_id : null) ?? undefined,
      status: getListedStatus(row),
    },
    project: project ?? { id: row.project, name: row.project },
    author: row.author,
    held: {
      id: row.id,
      version: row.version,
      hash: getHashPrefix(row),
      state: row.state,
      handOverAt: row.hand_over_at ?? undefined,
      facts: getListedFacts(context, row, post?.platforms ?? []),
      changedAt: row.changed_at,
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

function getListedFacts(
  context: HeldPostContext,
  { state, reason, hand_over_at, ...row }: ListedRow,
  platforms: readonly string[],
): PostFacts {
  const { sent_state: sentState, sent_reason, sent_maybe_sent, is_stopped: isStopped } = row;
  const sent = sentState !== null && {
    state: sentState,
    reason: sent_reason,
    maybe_sent: sent_maybe_sent ?? false,
  };
  const sentTo = listSentPlatforms(row);
  const others = platforms.filter((platform) => !sentTo.includes(platform));
  const { workspace, unconfirmed } = row;
  const unsent = listPlatforms(
    context,
    (unconfirmed ?? []).map((part) => ({ ...part, workspace })),
  );
  return {
    ...{ held: { state, reason, hand_over_at }, ...(sent && { sent }), isStopped, at: row.publish_at },
    ...(sentTo.length > 0 && {
      parts: {
        sent: sortPlatforms(sentTo.filter((platform) => !unsent.includes(platform))),
        unsure: sortPlatforms(sentTo.filter((platform) => unsent.includes(platform))),
        others,
        total: sentTo.length + others.length,
      },
    }),
  };
}

/** Returns the status of a post. The submission of a handed-over post decides. */
function getListedStatus({ state, sent_state, sent_reason }: ListedRow): string {
  if (state !== 'handed-over' || sent_state === null) return STATUSES[state];
  if (sent_state === 'confirmed') return 'SCHEDULED';
  const status = getUnsentStatus(getStateCopy({ state: sent_state, reason: sent_reason }));
  return status === 'UNCERTAIN' ? status : 'PENDING';
}

/** Whether the service may have the post. */
export function isHandedOver({ held }: { held: Pick<HeldInfo, 'state'> }): boolean {
  return held.state === 'handed-over' || held.state === 'delivered';
}

/**
 * Drops the posts that were handed over and that the service lists: those with its id, or else with the same content
 * and time. One post of the service replaces one held post.
 */
export function dropHandedOver<Held extends Pick<ListedHeldPost, 'post' | 'held' | 'project' | 'parts'>>(
  heldPosts: readonly Held[],
  servicePosts: readonly { project: { id: string }; post: Post }[],
): Held[] {
  if (!heldPosts.some(isHandedOver)) return [...heldPosts];
  const ids = new Set(servicePosts.map(({ post }) => post.id));
  const fingerprints = new Set(
    heldPosts.some(({ parts }) => parts) ? servicePosts.map(computeFingerprint) : [],
  );
  const knownIds = new Set(heldPosts.flatMap(({ post }) => post.id ?? []));
  const unmatched = new Map<string, number>();
  for (const servicePost of servicePosts) {
    if (servicePost.post.id !== undefined && knownIds.has(servicePost.post.id)) continue;
    const fingerprint = computeFingerprint(servicePost);
    unmatched.set(fingerprint, (unmatched.get(fingerprint) ?? 0) + 1);
  }
  return heldPosts.filter((heldPost) => {
    if (!isHandedOver(heldPost)) return true;
    const { parts } = heldPost;
    // While some parts are on their way, it stands for those that the service lists.
    if (parts)
      return (
        heldPost.held.state !== 'delivered' ||
        !(parts.ids.some((id) => ids.has(id)) || parts.fingerprints.some((one) => fingerprints.has(one)))
      );
    if (heldPost.post.id !== undefined) return !ids.has(heldPost.post.id);
    const fingerprint = computeFingerprint(heldPost);
    const count = unmatched.get(fingerprint) ?? 0;
    unmatched.set(fingerprint, count - 1);
    return count <= 0;
  });
}

/**
 * Shows the service's posts that are parts of one post as that post. Leaves out those for which a held post stands that
 * isn't sent to all its platforms yet. `heldPosts`: those that are shown, and the delivered ones.
 */
export function joinParts<Listed extends { project: { id: string }; post: Post }>(
  servicePosts: readonly Listed[],
  heldPosts: readonly { post: Post; held?: HeldInfo | undefined; parts?: ListedHeldPost['parts'] }[],
): Listed[] {
  const wholes = new Map<string, { id: string; post: Post; facts: PostFacts }>();
  for (const { post, held, parts } of heldPosts) {
    if (!held || !parts) continue;
    for (const key of [...parts.ids, ...parts.fingerprints]) wholes.set(key, { ...held, post });
  }
  if (wholes.size === 0) return [...servicePosts];
  const findWhole = (listed: Listed) =>
    wholes.get(listed.post.id ?? '') ?? wholes.get(computeFingerprint(listed));
  const rest = servicePosts.filter((listed) => {
    const whole = findWhole(listed);
    return !whole || !standsFor(whole, listed.post);
  });
  return joinPosts(rest, (listed) => findWhole(listed)?.id);
}

/**
 * Reads the held posts of a digest. `heldIds`: the ids of handed-over posts by the service's id, so that a digest doesn't
 * report a post as new when the service gets it.
 */
export async function readHeldPlan(
  context: HeldPostContext,
  request: Pick<ListedPostsQuery, 'workspace' | 'projects' | 'from' | 'to'> & {
    servicePosts: Parameters<typeof dropHandedOver>[1];
  },
): Promise<HeldPostList & { heldIds: ReadonlyMap<string, string> }> {
  const { servicePosts, ...query } = request;
  const { posts, isTruncated } = await listHeldPlan(context, { ...query, deliveredSince: 'ever' });
  const cachedSince = addMs(context.clock.readShared(), -LIST_CACHE_MS);
  return {
    posts: dropHandedOver(posts, servicePosts).filter(
      ({ held }) => held.state !== 'delivered' || held.changedAt >= cachedSince,
    ),
    heldIds: new Map(
      posts.flatMap(({ post, held, parts }) =>
        (parts?.ids ?? [post.id]).flatMap((id): [string, string][] =>
          id === undefined ? [] : [[id, held.id]],
        ),
      ),
    ),
    isTruncated,
  };
}

function computeFingerprint({ project, post }: { project: { id: string }; post: Post }): string {
  return computePostFingerprint(project.id, post, hasStatus(post, 'DRAFT'));
}
