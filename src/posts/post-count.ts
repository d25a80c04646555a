/** Renders a number with its noun: "1 post", "5 posts", "1,000 posts". `noun`: singular. */
export function renderCount(count: number, noun: string): string {
  return `${count.toLocaleString('en-GB')} ${noun}${count === 1 ? '' : 's'}`;
}

/** Renders the numbers of posts and drafts: "5 posts, 1 draft". A number is left out if it is 0, but not both. */
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
  return [...(posts > 0 ? [renderCount(posts, noun)] : []), renderCount(drafts, 'draft')].join(', ');
}
