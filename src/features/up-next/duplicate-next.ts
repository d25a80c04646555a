import type { ActionCall, Call } from '../../app/call.ts';
import { readPostCopy, storePostCopies, toPostCopy } from '../../forms/post-copies.ts';
import type { NextPost } from './up-next-messages.ts';

const TOO_OLD = {
  text: 'This card isn’t yours, or it’s too old. Type `/upnext` for a new one.',
};

/** Stores a copy of the post for [Duplicate]. Resolves with its id, or with undefined unless there is just one post. */
export async function storeCopyOfOnlyPost(
  call: Call,
  nextPosts: readonly NextPost[],
): Promise<string | undefined> {
  const [nextPost] = nextPosts.length === 1 ? nextPosts : [];
  // A held post is edited, not copied.
  if (nextPost?.kind !== 'post' || nextPost.held) return undefined;
  const [id] = await storePostCopies(call, [
    toPostCopy(nextPost.project, { post: nextPost.post, author: nextPost.author?.id }),
  ]);
  return id;
}

/** Handles [Duplicate]. Opens the form for posts with the stored copy. */
export async function onDuplicate(call: ActionCall): Promise<void> {
  const id = call.action.value ?? '';
  const copy = await readPostCopy(call, id);
  await (copy ? call.openFeature('schedule-post', { copy: id }) : call.reply(TOO_OLD));
}
