import { isNear } from '../../posts/close-posts.ts';
import { MIN_POST_GAP_MS } from '../../posts/platform-rules/platform-rules.ts';
import { type HeldPostRow, splitPlatforms } from '../held-post.ts';
import type { HeldPostContext } from '../held-post-context.ts';
import { listNearbyPosts } from '../slots/planned-near.ts';
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
  const { kind, reads, submissions } = context;
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
  const api = await submissions.context.findApiClient(workspace, project).catch(() => undefined);
  const [shared, nearby] = await Promise.all([
    findShared(context, row, slots, { ignoresDrafts: true, isOther }),
    listNearbyPosts(
      { reads, api, heldPosts: context },
      {
        ...{ workspace, project, times: slots.map(({ instant }) => instant), rangeMs: MIN_POST_GAP_MS },
        maxWaitMs: submissions.context.pace.formReadMs,
      },
    ),
  ]);
  const own = new Set(planned.map(({ row: post }) => post?.id));
  const others = nearby.posts.filter(({ origin }) => origin === undefined || !own.has(origin));
  const same = new Set(shared.map(({ instant }) => instant.getTime()));
  const near = new Set<number>();
  // What the service has of the series itself isn't another post.
  for (const { instant, platforms } of slots.filter((slot) => !slot.post || isEditable(slot.post)))
    for (const other of others) {
      const isShared = other.platforms.some((platform) => platforms.includes(platform));
      if (!isShared || !isNear(other, { instant })) continue;
      if (other.instant.getTime() === instant.getTime()) same.add(instant.getTime());
      else near.add(instant.getTime());
    }
  const sort = (times: Iterable<number>) =>
    [...times].toSorted((one, other) => one - other).map((time) => new Date(time));
  return {
    same: sort(same),
    near: sort([...near].filter((time) => !same.has(time))),
    isComplete: nearby.isComplete,
  };
}
