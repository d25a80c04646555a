import type { ActionCall } from '../../app/call.ts';
import { fetchReader } from '../../forms/form-context.ts';
import { readPostCopy } from '../../forms/post-copies.ts';
import { findDraftCopies } from '../../submissions/sql/draft-copies.ts';
import { AGAIN, OPEN } from './page/post-row.ts';
import { postView } from './page/post-view.ts';

const TOO_OLD = {
  text: 'This list is too old, or somebody else’s. Type `/upnext posts` for a new one.',
};

/** Handles the menu of a row. */
export async function pressRow(call: ActionCall): Promise<void> {
  const [, what, id] = /^(\w+):(.+)$/.exec(call.action.chosen ?? '') ?? [];
  if (what === OPEN && id !== undefined) return openPost(call, id);
  if (what === AGAIN && id !== undefined) return scheduleAgain(call, id);
}

/** Opens the form for posts with a copy of the post. */
export async function scheduleAgain(call: ActionCall, id: string): Promise<void> {
  const copy = await readPostCopy(call, id);
  if (!copy) return call.reply(TOO_OLD);
  await call.open('schedule-post', { copy: id });
}

/** Opens the stored copy of the post, which needs no request to the service. */
async function openPost(call: ActionCall, id: string): Promise<void> {
  const [post, reader] = await Promise.all([readPostCopy(call, id), fetchReader(call)]);
  if (!post) return call.reply(TOO_OLD);
  const { context, actor, client, trigger = '' } = call;
  const copies = await findDraftCopies(context.db, {
    workspace: actor.workspace,
    project: post.project.id,
    drafts: post.id === undefined ? [] : [post.id],
  });
  const view = postView({
    id,
    post,
    copied: copies.get(post.id ?? ''),
    reader,
    practice: context.practice,
  });
  // If the list is itself a modal, push the post on top, so that closing it returns to the list.
  await (call.view
    ? client.views.push({ trigger_id: trigger, view })
    : client.views.open({ trigger_id: trigger, view }));
}
