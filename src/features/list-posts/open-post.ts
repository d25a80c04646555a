import type { KnownBlock, ModalView } from '@slack/types';
import { fetchReader } from '../../forms/form-context.ts';
import { type PostCopy, readPostCopy, storePostCopies, toPostCopy } from '../../forms/post-copies.ts';
import type { ActionCall, Call } from '../../handlers/call.ts';
import { describePost } from '../../posts/describe-post.ts';
import { renderPostCard } from '../../posts/post-card.ts';

import { readPostList } from '../../posts/read-post-list.ts';
import { actions, button, context } from '../../slack/blocks.ts';
import { buildModal } from '../../slack/message-view.ts';
import { renderServiceFailure } from '../../slack/service-failure.ts';
import { findAuthor } from '../../submissions/sql/lists.ts';
import { findScheduledDrafts } from '../../submissions/sql/scheduled-drafts.ts';
import type { ListViewer } from './page/arrange.ts';
import type { ListedPost } from './page/listed-post.ts';
import { toShownPost } from './page/post-row.ts';

/** The action id of [Duplicate]. The button's value is the opaque id of the stored post. */
export const DUPLICATE_ACTION = 'list-posts.again';

/** Renders the whole card of a post, in a modal. `id` is the opaque id of the stored post. */
function renderPostView({
  id,
  copy,
  duplicate,
  viewer,
}: {
  id: string;
  copy: PostCopy;
  duplicate: ListedPost['duplicate'];
  viewer: ListViewer;
}): ModalView {
  const { scheduleDate, readAt, author, project, held: _, ...fields } = copy;
  const post = { ...fields, ...(scheduleDate !== undefined && { scheduleDate: new Date(scheduleDate) }) };
  const facts = { status: copy.status, at: post.scheduleDate, readAt: readAt ? new Date(readAt) : undefined };
  const { title, sentence } = describePost(facts, { viewers: viewer, now: viewer.now });
  const card = renderPostCard({
    ...toShownPost({ post, author, duplicate }, viewer),
    title,
    isStateAbove: true,
    project: project.name,
    hasWholeText: true,
  });
  const blocks: KnownBlock[] = [
    ...card.blocks,
    context(sentence),
    actions(button('Duplicate', DUPLICATE_ACTION, id, 'primary')),
  ];
  return buildModal('Post', blocks);
}

const LIST_EXPIRED = {
  text: 'This list isn’t yours, or it’s too old. Get a new one with `/upnext posts`.',
};

/** [Duplicate] opens the form for a post, with the values of the stored post. */
export async function duplicatePost(call: ActionCall, id: string): Promise<void> {
  const copy = await readPostCopy(call, id);
  if (!copy) return call.reply(LIST_EXPIRED);
  const { channel } = copy;
  await call.openFeature('schedule-post', { copy: id, ...(channel !== undefined && { channel }) });
}

/** [Open] shows the stored post, without a request to the service. A held post is shown as it is now. */
export async function openPost(call: Call, id: string): Promise<void> {
  const [copy, viewer] = await Promise.all([readPostCopy(call, id), fetchReader(call)]);
  if (!copy) return call.reply(LIST_EXPIRED);
  if (copy.held !== undefined) return call.openFeature('held-posts', { id: copy.held });
  const { context, actor } = call;
  const duplicatesByDraft = await findScheduledDrafts(context.db, {
    workspace: actor.workspace,
    project: copy.project.id,
    drafts: copy.id === undefined ? [] : [copy.id],
  });
  const view = renderPostView({
    id,
    copy,
    duplicate: duplicatesByDraft.get(copy.id ?? ''),
    viewer,
  });
  // If the list is in a modal, the post is on top of it, so that closing the post returns to the list.
  await call.openView(view);
}

const POST_GONE = { text: 'This post is no longer there. Refresh to see the current ones.' };

/**
 * Opens a post by its service id. Lists the posts at its publishing time and picks the one with the id, because the service
 * has no operation for a single post.
 */
export async function openPostOfService(
  call: Call,
  { project: id, post: postId, time }: { project: string; post: string; time: string },
): Promise<void> {
  const { context } = call;
  await call.permit('viewer', id, 'post copy');
  const instant = new Date(time);
  if (Number.isNaN(instant.getTime())) return call.reply(POST_GONE);
  const [projects, posts] = await Promise.all([
    context.reads.fetchProjects(context.api),
    readPostList(context.api, { projectId: id, from: instant, to: instant, platforms: [], statuses: [] }),
  ]);
  if (posts.kind === 'failed') {
    const message =
      posts.failure === 'unreadable'
        ? 'I can’t read the service’s answer.'
        : renderServiceFailure(posts.failure);
    return call.reply({ text: message });
  }
  const post = posts.posts.find((candidate) => candidate.id === postId);
  if (!post) return call.reply(POST_GONE);
  const project = projects.kind === 'done' ? projects.data.items.find((item) => item.id === id) : undefined;
  const { workspace } = call.actor;
  const author = await findAuthor(context.db, { workspace, kind: 'post', serviceId: postId });
  const [copyId = ''] = await storePostCopies(call, [
    toPostCopy(project ?? { id, name: id }, { post, author, facts: { readAt: call.now() } }),
  ]);
  await openPost(call, copyId);
}
