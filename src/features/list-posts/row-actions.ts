import type { ActionCall } from '../../app/call.ts';
import { fetchReader } from '../../forms/form-context.ts';
import { readPostCopy } from '../../forms/post-copies.ts';
import { findScheduledDrafts } from '../../submissions/sql/scheduled-drafts.ts';
import { renderPostView } from './page/post-view.ts';

const LIST_EXPIRED = {
  text: 'This list isn’t yours, or it’s too old. Get a new one with `/upnext posts`.',
};

/** [Duplicate] opens the form for a post, with the values of the stored post. */
export async function scheduleAgain(call: ActionCall, id: string): Promise<void> {
  const copy = await readPostCopy(call, id);
  if (!copy) return call.reply(LIST_EXPIRED);
  await call.openFeature('schedule-post', { copy: id });
}

/** [Open] shows the stored post, without a request to the service. */
export async function openPost(call: ActionCall, id: string): Promise<void> {
  const [copy, viewer] = await Promise.all([readPostCopy(call, id), fetchReader(call)]);
  if (!copy) return call.reply(LIST_EXPIRED);
  const { context, actor } = call;
  const draftCopies = await findScheduledDrafts(context.db, {
    workspace: actor.workspace,
    project: copy.project.id,
    drafts: copy.id === undefined ? [] : [copy.id],
  });
  const view = renderPostView({
    id,
    copy,
    draftCopy: draftCopies.get(copy.id ?? ''),
    viewer,
    isEmulated: context.isEmulated,
  });
  // If the list is in a modal, the post is on top of it, so that closing the post returns to the list.
  await call.openView(view);
}
