import type { Role } from '../../access/access.ts';
import type { ActionCall, Call } from '../../app/call.ts';
import { fetchReader } from '../../forms/form-context.ts';
import type { ChangeResult } from '../../held-posts/change.ts';
import { readHeldContent } from '../../held-posts/held-post-context.ts';
import { readShownPost, updateHeldPostMessages } from '../../held-posts/show.ts';
import { findHeldPost, type HeldPostRow } from '../../held-posts/sql/held-posts.ts';
import { listHeldPostMessages } from '../../held-posts/sql/messages.ts';
import {
  type HeldPostPress,
  parseHeldPostValue,
  renderHeldPostCard,
} from '../../held-posts/text/held-post-card.ts';
import { getHeldPostCopy, type HeldPostButton } from '../../held-posts/text/held-post-copy.ts';
import type { Message } from '../../slack/message.ts';

export const NOT_VISIBLE: Message = { text: 'This button isn’t yours, or it’s too old.' };
export const OUTDATED = 'This post has changed since, so nothing was done. This is how it is now.';

/** A pressed post that the person may see. */
export interface PressedPost {
  row: HeldPostRow;
  press: HeldPostPress;
}

/** Finds the post of a button in the person's workspace. Undefined if they may not see it. */
export async function findPressedPost(
  call: Call,
  value: string | undefined,
): Promise<PressedPost | undefined> {
  const press = parseHeldPostValue(value);
  if (!press) return undefined;
  const row = await findHeldPost(call.context.db, { id: press.id, workspace: call.actor.workspace });
  if (!row || call.lacks('viewer', row.project)) return undefined;
  // Throws if the role couldn't be looked up.
  await call.permit('viewer', row.project, 'held-posts open');
  return { row, press };
}

/**
 * Returns the role that a change of the post requires. Authors may change their own drafts and posts in review. All other
 * posts are scheduled, and changing one needs the role that schedules.
 */
export function getEditRole(call: Call, row: HeldPostRow): Role {
  const { context } = call.context.heldPosts;
  const content = readHeldContent(context, row)?.content;
  const isUnscheduled = row.in_review || (content !== undefined && context.kind.holding.isDraft(content));
  return row.author === call.actor.user && isUnscheduled ? 'contributor' : 'publisher';
}

/** Throws NotAllowed if the person may not do this with the post. */
export function permitButton(call: Call, name: HeldPostButton, row: HeldPostRow): Promise<void> {
  const isEdit = ['edit', 'move', 'cancel', 'undo', 'send-for-review'].includes(name);
  const role = isEdit ? getEditRole(call, row) : 'publisher';
  return call.permit(role, row.project, `held-posts action held-posts.${name}`);
}

/** Whether the button is still valid: the post has it now, and its version is the one that the person saw. */
export function isCurrent({ row, press }: PressedPost, name: HeldPostButton): boolean {
  return row.version === press.version && row.content !== null && getHeldPostCopy(row).buttons.includes(name);
}

/** Shows the card of a post after a press. `note` describes the result (mrkdwn). */
export async function showPost(
  call: ActionCall,
  { row, press }: PressedPost,
  note?: string | undefined,
): Promise<void> {
  const { context } = call.context.heldPosts;
  const messages = call.message ? await listHeldPostMessages(context.db, row) : [];
  const isStored = messages.some(({ ts }) => ts === call.message?.ts);
  if (isStored) {
    // Everyone in the conversation reads this message, so it has the card for everyone.
    await updateHeldPostMessages(context, call.client, row);
    if (note !== undefined) await call.reply({ text: note });
    return;
  }
  await call.reply(await renderForActor(call, row, note), { replace: !press.isInList });
}

/** Renders the card for the person who acts. */
export async function renderForActor(call: Call, row: HeldPostRow, note?: string | undefined) {
  const [shown, viewers] = await Promise.all([
    readShownPost(call.context.heldPosts.context, row),
    fetchReader(call),
  ]);
  return renderHeldPostCard(
    shown,
    { viewers: { ...viewers, user: call.actor.user }, now: call.now() },
    { note },
  );
}

/** The row after a change, and what to say about a change that wasn't made (mrkdwn). */
export function describeResult(result: ChangeResult): { row: HeldPostRow; note?: string } | undefined {
  if (result.kind === 'not-found') return undefined;
  if (result.kind === 'changed') return { row: result.row };
  return { row: result.row, note: OUTDATED };
}
