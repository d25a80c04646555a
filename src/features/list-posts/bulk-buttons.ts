import type { KnownBlock } from '@slack/types';
import type { Project } from '../../api/projects.ts';
import type { Call } from '../../app/call.ts';
import { storeSealedValue } from '../../forms/sealed-store.ts';
import { type HeldSelection, SELECTION_KIND } from '../../held-posts/bulk.ts';
import { EDITABLE_STATES } from '../../held-posts/held-post.ts';
import { renderBulkButtons } from '../../held-posts/text/bulk-text.ts';
import type { ListedPost } from './page/listed-post.ts';

/** With fewer posts, the buttons of each post are enough. */
const MIN_POSTS = 2;

/** Stores the held posts of a list, on all pages, and renders the buttons that change all of them. */
export async function createBulkButtons(
  call: Call,
  { id: project }: Project,
  listedPosts: readonly ListedPost[],
): Promise<readonly KnownBlock[]> {
  const heldPosts = listedPosts.flatMap(({ held }) =>
    held && EDITABLE_STATES.some((state) => state === held.state) ? [held] : [],
  );
  if (heldPosts.length < MIN_POSTS) return [];
  const selection: HeldSelection = {
    project,
    posts: heldPosts.map(({ id, version, hash }) => ({ id, version, hash })),
  };
  return renderBulkButtons(await storeSealedValue(call, SELECTION_KIND, selection), {
    count: heldPosts.length,
    reviewCount: heldPosts.filter(({ state }) => state === 'awaiting-review').length,
    mayChange: call.may('publisher', project),
  });
}
