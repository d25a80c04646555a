import { setTimeout as delay } from 'node:timers/promises';
import type { ModalView } from '@slack/types';
import { updateOpenView } from '../../handlers/answer-when-ready.ts';
import type { ActionCall, SubmissionCall } from '../../handlers/call.ts';
import { handOverNow, waitForOutcome } from '../../held-posts/decisions.ts';
import type { HeldPostRow } from '../../held-posts/held-post.ts';
import { describePost, renderOutlook } from '../../posts/describe-post.ts';
import { context as contextBlock, plain, section } from '../../slack/blocks.ts';
import { LIMITS } from '../../slack/limits.ts';
import { buildMessageView } from '../../slack/message-view.ts';
import {
  describeResult,
  encodeFormTarget,
  findFormTarget,
  isCurrent,
  NOT_VISIBLE,
  OUTDATED,
  type PressedPost,
  permitButton,
  renderForActor,
  renderPostExcerpt,
  showPost,
} from './press.ts';

export const HAND_OVER_VIEW = 'held-posts.hand-over';

/** [Hand over now] makes the post due, and shows what the service says. From a menu, which has no dialog, it asks first. */
export async function handOver(call: ActionCall, post: PressedPost): Promise<void> {
  const { context } = call.context.heldPosts;
  if (call.action.isFromMenu)
    return void (await call.openView(renderHandOverView(call, post.row), { isForm: true }));
  const { workspace, user: actor } = call.actor;
  const { id, version } = post.press;
  const described = describeResult(await handOverNow(context, { id, workspace, actor, version }));
  if (!described) return call.reply(NOT_VISIBLE);
  if (described.note !== undefined) return showPost(call, { ...post, row: described.row }, described.note);
  context.verbs.wake();
  const row = await waitForOutcome(context, described.row);
  await showPost(call, { ...post, row });
}

function renderHandOverView(call: ActionCall, row: HeldPostRow): ModalView {
  const handedOver = describePost({ status: 'SCHEDULED' }, { viewers: 'everyone', now: call.now() });
  return {
    type: 'modal',
    callback_id: HAND_OVER_VIEW,
    private_metadata: encodeFormTarget(call, row),
    title: plain('Hand it over now?', LIMITS.viewTitle),
    submit: plain('Hand over', LIMITS.viewTitle),
    close: plain('Keep editable', LIMITS.viewTitle),
    blocks: [section(renderOutlook(handedOver)), contextBlock(plain(renderPostExcerpt(call, row)))],
  };
}

/** Hands the post over after the question of `handOver`. The form shows meanwhile that it is being sent. */
export async function handOverFromView(call: SubmissionCall): Promise<void> {
  const post = await findFormTarget(call);
  if (!post) return void (await call.answer({ view: buildMessageView(NOT_VISIBLE, 'Close') }));
  await permitButton(call, 'hand-over', post.row);
  const show = async (row: HeldPostRow, note?: string) =>
    buildMessageView(call.sealButtons(await renderForActor(call, row, note)), 'Close');
  if (!isCurrent(post, 'hand-over'))
    return void (await call.answer({ view: await show(post.row, OUTDATED) }));
  const { context } = call.context.heldPosts;
  const { workspace, user: actor } = call.actor;
  const press = { id: post.row.id, workspace, actor, version: post.press.version };
  const described = describeResult(await handOverNow(context, press));
  if (!described) return void (await call.answer({ view: buildMessageView(NOT_VISIBLE, 'Close') }));
  context.verbs.wake();
  await call.answer({ view: await show(described.row, described.note) });
  await delay(call.context.pace.afterAcknowledgementMs);
  const row = await waitForOutcome(context, described.row);
  await updateOpenView(call.client, call.view.id, await show(row, described.note));
}
