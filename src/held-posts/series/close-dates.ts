import { createCloseFinder } from '../../posts/close-posts.ts';
import { MIN_POST_GAP_MS } from '../../posts/platform-rules/platform-rules.ts';
import { type HeldPostRow, splitPlatforms } from '../held-post.ts';
import type { HeldPostContext } from '../held-post-context.ts';
import { findPlanSources, listNearbyPosts, toPlatformPosts } from '../slots/planned-near.ts';
import { findShared } from '../slots/slots.ts';
import { isEditable, isEdited, type PlannedPost } from './occurrences.ts';
import type { SeriesContent } from './rule.ts';
import type { SeriesRow } from './series.ts';

/** The times of a series that are too close to others of the project's posts, in order. */
export interface CloseDates {
  /** Another post goes out on its platforms at that time. */
  same: readonly Date[];
  /** Another post goes out on its platforms shortly before or after. */
  near: readonly Date[];
  /** False if there may be others, because not all could be found out. */
  isComplete: boolean;
}

const NONE: CloseDates = { same: [], near: [], isComplete: true };

/** Lists the times of a running series at which others of the project's posts are close on its platforms. */
export async function listCloseDates(
  context: HeldPostContext,
  {
    row,
    content,
    planned,
  }: { row: SeriesRow; content: SeriesContent | undefined; planned: readonly PlannedPost[] },
): Promise<CloseDates> {
  if (!content || row.state !== 'running' || planned.length === 0) return NONE;
  const { kind } = context;
  // A post that isn't made yet, or is changed soon, may get any of the texts.
  const anyPlatforms = content.contents.flatMap(
    (each) => kind.post.toPost(kind.content.parse(each)).platforms,
  );
  const changesSoon = (post: HeldPostRow) =>
    row.is_changed && post.item >= row.changed_from && !isEdited(post);
  const slots = planned.map(({ instant, row: post }) => ({
    instant,
    post,
    platforms: post && !changesSoon(post) ? splitPlatforms(post.platforms) : anyPlatforms,
  }));
  const { workspace, project } = row;
  const isOther = ({ origin }: { origin: string }) => origin !== row.id;
  const sources = await findPlanSources(context, row);
  const [shared, nearby] = await Promise.all([
    findShared(context, row, slots, { ignoresDrafts: true, isOther }),
    listNearbyPosts(sources, {
      ...{ workspace, project, times: slots.map(({ instant }) => instant), rangeMs: MIN_POST_GAP_MS },
      maxWaitMs: context.submissions.context.pace.formReadMs,
    }),
  ]);
  const own = new Set(planned.map(({ row: post }) => post?.id));
  const findClose = createCloseFinder(
    nearby.posts.flatMap((post) =>
      post.origin === undefined || !own.has(post.origin) ? toPlatformPosts(post) : [],
    ),
  );
  const same = new Set(shared.map(({ instant }) => instant.getTime()));
  const near = new Set<number>();
  // What the service has of the series itself isn't another post.
  for (const { instant, platforms } of slots.filter((slot) => !slot.post || isEditable(slot.post)))
    for (const platform of new Set(platforms))
      for (const other of findClose({ instant, platform, textKey: undefined }).near)
        (other.instant.getTime() === instant.getTime() ? same : near).add(instant.getTime());
  const sort = (times: Iterable<number>) =>
    [...times].toSorted((one, other) => one - other).map((time) => new Date(time));
  return {
    same: sort(same),
    near: sort([...near].filter((time) => !same.has(time))),
    isComplete: nearby.isComplete,
  };
}
