import type { Post } from '../api/posts.ts';
import { MINUTE_MS } from '../durations.ts';

type OrderedPost = Pick<Post, 'id' | 'scheduleDate'>;

/**
 * Compares posts by time, and posts of the same time by id, so that every view shows the same post first. Posts without
 * a date come last.
 */
export function comparePosts(first: OrderedPost, second: OrderedPost): number {
  const [firstTime, secondTime] = [first, second].map(
    ({ scheduleDate }) => scheduleDate?.getTime() ?? Number.POSITIVE_INFINITY,
  );
  if (firstTime !== secondTime) return Number(firstTime) - Number(secondTime);
  const [firstId = '', secondId = ''] = [first.id, second.id];
  if (firstId === secondId) return 0;
  return firstId < secondId ? -1 : 1;
}

/** Counts the other posts in the same minute as a post. */
export function countAtSameTime<Item extends OrderedPost>(post: Item, posts: readonly Item[]): number {
  const minute = getMinute(post);
  if (minute === undefined) return 0;
  return posts.filter((other) => other !== post && getMinute(other) === minute).length;
}

function getMinute({ scheduleDate }: OrderedPost): number | undefined {
  return scheduleDate && Math.floor(scheduleDate.getTime() / MINUTE_MS);
}

/** Renders the note on the first of several posts in the same minute. No note if there is only this post. */
export function renderSameTimeNote(otherCount: number): string[] {
  return otherCount === 0 ? [] : [`+${otherCount} at the same time`];
}
