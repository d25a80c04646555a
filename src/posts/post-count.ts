/** Renders a number with its noun: "1 post", "5 posts". `noun`: singular. */
export function renderCount(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** Renders the numbers of posts and drafts: "5 posts and 1 draft". A number is left out if it is 0, but not both. */
export function renderPostCount({
  posts,
  drafts,
  noun = 'post',
}: {
  posts: number;
  drafts: number;
  /** What the posts are called, in the singular. */
  noun?: string;
}): string {
  if (drafts === 0) return renderCount(posts, noun);
  const draftCount = renderCount(drafts, 'draft');
  return posts === 0 ? draftCount : `${renderCount(posts, noun)} and ${draftCount}`;
}
