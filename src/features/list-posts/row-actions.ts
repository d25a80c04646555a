import type { ActionCall } from '../../app/call.ts';
import { fetchReader } from '../../forms/form-context.ts';
import { readPostCopy } from '../../forms/post-copies.ts';
import { findScheduledDrafts } from '../../submissions/sql/scheduled-drafts.ts';
import { COPY_OPTION, OPEN_OPTION } from './page/post-row.ts';
import { renderPostView } from './page/post-view.ts';

const LIST_EXPIRED = {
  text: 'This list isn’t yours, or it’s too old. Get a new one with `/upnext posts`.',
};

/** Handles the menu of a post in the list. */
export async function handleRowMenu(call: ActionCall): Promise<void> {
  const [, option, id] = /^(\w+):(.+)$/.exec(call.action.selectedValue ?? '') ?? [];
  if (option === OPEN_OPTION && id !== undefined) return openPost(call, id);
  if (option === COPY_OPTION && id !== undefined) return scheduleAgain(call, id);
}

/** [Schedule again] opens the form for a post, with the values of the stored post. */
export async function scheduleAgain(call: ActionCall, id: string): Promise<void> {
  const copy = await readPostCopy(call, id);
  if (!copy) return call.reply(LIST_EXPIRED);
  await call.openFeature('schedule-post', { copy: id });
}

/** [Open] shows the stored post, without a request to the service. */
async function openPost(call: ActionCall, id: string): Promise<void> {
  const [post, reader] = await Promise.all([readPostCopy(call, id), fetchReader(call)]);
  if (!post) return call.reply(LIST_EXPIRED);
  const { context, actor } = call;
  const draftCopies = await findScheduledDrafts(context.db, {
    workspace: actor.workspace,
    project: post.project.id,
    drafts: post.id === undefined ? [] : [post.id],
  });
  const view = renderPostView({
    id,
    post,
    draftCopy: draftCopies.get(post.id ?? ''),
    reader,
    isEmulated: context.isEmulated,
  });
  // If the list is in a modal, the post is on top of it, so that closing the post returns to the list.
  await call.openView(view);
}
