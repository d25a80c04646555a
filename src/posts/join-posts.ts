import type { Post } from '../api/posts.ts';
import { sortPlatforms } from './platforms.ts';

/**
 * Shows the service's posts that are parts of one post as that post: it has one for each text. Parts that differ in their
 * status stay apart, because then one state isn't true of all. `getWhole`: the key of the post that it is a part of.
 */
export function joinPosts<Listed extends { post?: Post | undefined }>(
  posts: readonly Listed[],
  getWhole: (listed: Listed) => string | undefined,
): Listed[] {
  const groups = Map.groupBy(posts, getWhole);
  return posts.flatMap((listed) => {
    const whole = getWhole(listed);
    const parts = whole === undefined ? [listed] : (groups.get(whole) ?? []);
    if (new Set(parts.map(({ post }) => post?.status?.toUpperCase())).size > 1) return [listed];
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
