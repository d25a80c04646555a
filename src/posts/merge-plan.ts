import { computePostFingerprint, type Post } from '../api/posts.ts';
import type { Project } from '../api/projects.ts';
import type { PostFacts } from './describe-post.ts';
import { sortPlatforms } from './platforms.ts';
import { hasStatus } from './post-status.ts';
import { comparePosts } from './post-time.ts';
import type { HeldState } from './state-copy.ts';

/** What lists know of a held post besides its fields. */
export interface HeldInfo {
  id: string;
  version: number;
  /** The beginning of the content's hash. */
  hash: string;
  state: HeldState;
  /** When the post is handed over. Until then it is editable. */
  handOverAt: Date | undefined;
  /** On the shared clock. */
  changedAt: Date;
  /** What its description depends on. */
  facts: PostFacts;
}

/** A held post as lists show it. Its status is one of `HELD_STATUSES`, or that of its submission. */
export interface ListedHeldPost {
  post: Post;
  project: Project;
  /** The author's Slack id. */
  author: string;
  held: HeldInfo;
  /** The service's posts that it has become, if it was handed over in parts. The ids are in the order of the parts. */
  parts?: { ids: readonly string[]; fingerprints: readonly string[] };
  /** Whether it was delivered so long ago that it exists only if the service lists it. */
  isSettled?: boolean;
}

type ServicePost = { project: Pick<Project, 'id'>; post: Post };

/** A post of the plan. Of the service's posts, `heldId` is that of the held post which has become it. */
type Merged<Listed> = (Listed & { held?: undefined; heldId?: string | undefined }) | ListedHeldPost;

/**
 * Merges the service's posts with those that Upnext keeps, by time. The latter are read last, so that a post that is
 * handed over meanwhile is in one of the two lists, or recognised in both. A post that the service lists in parts is one
 * post: the held one as long as its state speaks of the parts too, and afterwards the joined parts.
 */
export function mergePlan<Listed extends ServicePost>(
  servicePosts: readonly Listed[],
  heldPosts: readonly ListedHeldPost[],
): Merged<Listed>[] {
  const byKey = new Map<string, ListedHeldPost>();
  for (const held of heldPosts) {
    const { ids, fingerprints } = held.parts ?? { ids: [held.post.id], fingerprints: [] };
    const keys = [...ids.map((id) => toKey(held.project, id)), ...fingerprints];
    for (const key of keys) if (key !== undefined) byKey.set(key, held);
  }
  const inParts = new Set(heldPosts.flatMap(({ parts, held: { id } }) => (parts ? id : [])));
  const findHeld = (listed: Listed) =>
    byKey.get(toKey(listed.project, listed.post.id) ?? '') ??
    (inParts.size > 0 ? byKey.get(computeFingerprint(listed)) : undefined);
  const parts = servicePosts.flatMap((listed) => {
    const held = findHeld(listed);
    return held && standsFor(held, listed.post) ? [] : [{ ...listed, heldId: held?.held.id }];
  });
  const getWhole = ({ heldId = '' }) => (inParts.has(heldId) ? heldId : undefined);
  const posts = [...dropListed(heldPosts, servicePosts), ...joinPosts(parts, getWhole)];
  // Those without a date keep their order.
  return posts.sort(({ post: one }, { post: other }) =>
    one.scheduleDate || other.scheduleDate ? comparePosts(one, other) : 0,
  );
}

/** A post's id with its project's, because a service's ids may be unique only there. */
function toKey({ id: project }: Pick<Project, 'id'>, id: string | undefined): string | undefined {
  return id === undefined ? undefined : JSON.stringify([project, id]);
}

/** Whether the service may have the post. */
export function isHandedOver({ held }: { held: Pick<HeldInfo, 'state'> }): boolean {
  return held.state === 'handed-over' || held.state === 'delivered';
}

/**
 * Drops the posts that were handed over and that the service lists: those with its id, or else with the same content
 * and time. One post of the service replaces one held post.
 */
function dropListed(
  heldPosts: readonly ListedHeldPost[],
  servicePosts: readonly ServicePost[],
): ListedHeldPost[] {
  if (!heldPosts.some(isHandedOver)) return [...heldPosts];
  const ids = new Set(servicePosts.map(({ project, post }) => toKey(project, post.id)));
  const fingerprints = new Set(
    heldPosts.some(({ parts }) => parts) ? servicePosts.map(computeFingerprint) : [],
  );
  const knownIds = new Set(heldPosts.map(({ project, post }) => toKey(project, post.id)));
  const unmatched = new Map<string, number>();
  for (const servicePost of servicePosts) {
    const key = toKey(servicePost.project, servicePost.post.id);
    if (key !== undefined && knownIds.has(key)) continue;
    const fingerprint = computeFingerprint(servicePost);
    unmatched.set(fingerprint, (unmatched.get(fingerprint) ?? 0) + 1);
  }
  const isListed = ({ post, parts, ...heldPost }: ListedHeldPost) => {
    // While some parts are on their way, it stands for those that the service lists.
    if (parts && heldPost.held.state !== 'delivered') return false;
    if (parts)
      return (
        parts.ids.some((id) => ids.has(toKey(heldPost.project, id))) ||
        parts.fingerprints.some((one) => fingerprints.has(one))
      );
    if (post.id !== undefined) return ids.has(toKey(heldPost.project, post.id));
    const fingerprint = computeFingerprint({ ...heldPost, post });
    const count = unmatched.get(fingerprint) ?? 0;
    unmatched.set(fingerprint, count - 1);
    return count > 0;
  };
  return heldPosts.filter(
    (heldPost) => !isHandedOver(heldPost) || !(isListed(heldPost) || heldPost.isSettled),
  );
}

/** Computes what a post is recognised by without an id. */
export function computeFingerprint({ project, post }: ServicePost): string {
  return computePostFingerprint(project.id, post, hasStatus(post, 'DRAFT'));
}

/**
 * Whether a post that Upnext keeps is shown instead of a part of it that the service has: its state must speak of that
 * part too, and its time be the same.
 */
function standsFor(
  { post, parts, held: { state } }: ListedHeldPost,
  { scheduleDate = post.scheduleDate }: Post,
): boolean {
  const speaksOfParts = parts !== undefined && (state === 'handed-over' || state === 'needs-person');
  return speaksOfParts && post.scheduleDate?.getTime() === scheduleDate?.getTime();
}

/**
 * Shows the service's posts that are parts of one post as that post: it has one for each text. Parts that differ in
 * their status or time stay apart, because then one isn't true of all. `getWhole`: the key of the post that it is a
 * part of.
 */
export function joinPosts<Listed extends { post?: Post | undefined }>(
  posts: readonly Listed[],
  getWhole: (listed: Listed) => string | undefined,
): Listed[] {
  const getKey = (listed: Listed) => {
    const whole = getWhole(listed);
    const { status, scheduleDate } = listed.post ?? {};
    return whole && JSON.stringify([whole, status, scheduleDate?.getTime()]);
  };
  const groups = Map.groupBy(posts, getKey);
  return posts.flatMap((listed) => {
    const key = getKey(listed);
    const parts = key === undefined ? [listed] : (groups.get(key) ?? []);
    const post = joinTexts(parts.flatMap((part) => part.post ?? []));
    return parts[0] === listed ? [{ ...listed, ...(post && { post }) }] : [];
  });
}

/** The longest text counts as the main one, because texts for single platforms are usually shorter. */
function joinTexts(parts: readonly Post[]): Post | undefined {
  const getLength = ({ content = '' }: Post) => content.length;
  const [main, ...others] = parts.toSorted((one, other) => getLength(other) - getLength(one));
  if (!main || others.length === 0) return main;
  return {
    ...main,
    platforms: sortPlatforms(parts.flatMap(({ platforms }) => platforms)),
    ownTexts: others.map(({ platforms, content = '' }) => ({ platforms, text: content })),
  };
}
