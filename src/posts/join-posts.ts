import type { Post } from '../api/posts.ts';
import type { PostFacts } from './describe-post.ts';
import { sortPlatforms } from './platforms.ts';

/**
 * Shows the service's posts that are parts of one post as that post: it has one for each text. Parts that differ in their
 * status or time stay apart, because then one isn't true of all. `getWhole`: the key of the post that it is a part of.
 */
export function joinPosts<Listed extends { post?: Post | undefined }>(
  posts: readonly Listed[],
  getWhole: (listed: Listed) => string | undefined,
): Listed[] {
  const getKey = (listed: Listed) => {
    const whole = getWhole(listed);
    const { status, scheduleDate } = listed.post ?? {};
    return whole && JSON.stringify([whole, status?.toUpperCase(), scheduleDate?.getTime()]);
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

/**
 * Whether a post that Upnext keeps is shown instead of a part of it that the service has: its state must speak of that
 * part too, and its time be the same.
 */
export function standsFor(
  held: { post: Post; facts: PostFacts },
  { scheduleDate = held.post.scheduleDate }: Post,
) {
  const state = held.facts.held?.state;
  const speaksOfParts = state === 'handed-over' || state === 'needs-person';
  return speaksOfParts && held.post.scheduleDate?.getTime() === scheduleDate?.getTime();
}
