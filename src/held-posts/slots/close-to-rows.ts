import { createCloseFinder, type PlatformPost } from '../../posts/close-posts.ts';
import { REPEAT_SEARCH_MS } from '../../posts/platform-rules/platform-rules.ts';
import { type HeldPostRow, splitPlatforms } from '../held-post.ts';
import { type HeldPostContext, readHeldPost } from '../held-post-context.ts';
import { describeTexts, findPlanSources, listNearbyPosts, toPlatformPosts } from './planned-near.ts';
import { findShared, isSamePost, type PostKey } from './slots.ts';

/** Which posts are too close to others, by their ids. */
interface CloseRows {
  /** Another post, or a draft, has their time on one of their platforms. */
  same: ReadonlySet<string>;
  /** Another post goes out shortly before or after on one of their platforms. */
  near: ReadonlySet<string>;
  /** Another post has the same text on these platforms, which may refuse it. */
  repeats: ReadonlyMap<string, readonly string[]>;
  /** False if there may be others, because not all could be found out. */
  isComplete: boolean;
}

const NONE: CloseRows = { same: new Set(), near: new Set(), repeats: new Map(), isComplete: true };

/**
 * Finds out which planned posts of these, of one project, are too close to a post that isn't one of them: after a move, and
 * after posts were restored.
 */
export async function findCloseToRows(
  context: HeldPostContext,
  rows: readonly HeldPostRow[],
): Promise<CloseRows> {
  const planned = rows.flatMap((row) =>
    row.publish_at && (row.state === 'held' || row.state === 'awaiting-review')
      ? [{ row, instant: row.publish_at, platforms: splitPlatforms(row.platforms) }]
      : [],
  );
  const [first] = rows;
  if (!first || planned.length === 0) return NONE;
  const { workspace, project } = first;
  const isOther = (post: PostKey) => !rows.some((row) => isSamePost(row, post));
  const sources = await findPlanSources(context, first);
  const [shared, nearby] = await Promise.all([
    findShared(context, first, planned, { isOther }),
    listNearbyPosts(sources, {
      ...{ workspace, project, times: planned.map(({ instant }) => instant), rangeMs: REPEAT_SEARCH_MS },
      maxWaitMs: context.submissions.context.pace.formReadMs,
    }),
  ]);
  const ids = new Set(rows.map(({ id }) => id));
  const findClose = createCloseFinder(
    nearby.posts.flatMap((post) => (ids.has(post.origin ?? '') ? [] : toPlatformPosts(post))),
  );
  const same = new Set(shared.map(({ row }) => row.id));
  const near = new Set<string>();
  const repeats = new Map<string, readonly string[]>();
  for (const { row, instant, platforms } of planned) {
    const post = readHeldPost(context, row);
    const own = toPlatformPosts({ instant, platforms, ...(post && describeTexts(post)) });
    const found = own.map((each) => ({ each, ...findClose(each) }));
    const isSame = ({ instant: other }: PlatformPost) => other.getTime() === instant.getTime();
    if (found.some((close) => close.near.some(isSame))) same.add(row.id);
    else if (found.some((close) => close.near.length > 0) && !same.has(row.id)) near.add(row.id);
    const repeated = found.flatMap(({ each, repeats: others }) => (others.length > 0 ? [each.platform] : []));
    if (repeated.length > 0) repeats.set(row.id, repeated);
  }
  return { same, near, repeats, isComplete: nearby.isComplete };
}
