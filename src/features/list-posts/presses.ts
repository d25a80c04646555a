import type { ActionCall } from '../../app/call.ts';
import { readPostCopy } from '../../forms/post-copies.ts';
import { fetchReader } from '../../forms/reader.ts';
import { draftCopiesOf } from '../../submissions/sql/draft-copies.ts';
import { AGAIN, OPEN } from './page/post-row.ts';
import { postView } from './page/post-view.ts';

type Press = ActionCall;

const TOO_OLD = {
  text: 'This list is too old, or somebody else’s. Type `/upnext posts` for a new one.',
};

/** The menu of a row. */
export async function pressRow(call: Press): Promise<void> {
  const [, what, id] = /^(\w+):(.+)$/.exec(call.action.chosen ?? '') ?? [];
  if (what === OPEN && id !== undefined) return open(call, id);
  if (what === AGAIN && id !== undefined) return scheduleAgain(call, id);
}

/** Another post like it, in the form for posts. */
export async function scheduleAgain(call: Press, id: string): Promise<void> {
  const copy = await readPostCopy(call, id);
  if (!copy) return call.reply(TOO_OLD);
  await call.open('schedule-post', { copy: id });
}

/** The post with its whole text: as it stood in the list, so that it is there at once. */
async function open(call: Press, id: string): Promise<void> {
  const [post, reader] = await Promise.all([readPostCopy(call, id), fetchReader(call)]);
  if (!post) return call.reply(TOO_OLD);
  const { context, who, client, trigger = '' } = call;
  const copies = await draftCopiesOf(context.db, {
    workspace: who.workspace,
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
  // The list may stand in a view of its own, which comes back when this one is closed.
  await (call.view
    ? client.views.push({ trigger_id: trigger, view })
    : client.views.open({ trigger_id: trigger, view }));
}
