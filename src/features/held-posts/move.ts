import { setTimeout as delay } from 'node:timers/promises';
import type { ModalView } from '@slack/types';
import { fetchReader } from '../../forms/form-context.ts';
import { updateOpenView } from '../../handlers/answer-when-ready.ts';
import type { ActionCall, Call, SubmissionCall } from '../../handlers/call.ts';
import type { ChangeResult } from '../../held-posts/change.ts';
import { makeHandOverDue, moveHeldPost, waitForOutcome } from '../../held-posts/decisions.ts';
import type { HeldPostRow } from '../../held-posts/held-post.ts';
import { getEditRole, readHeldPost } from '../../held-posts/held-post-context.ts';
import { buildHeldPostValue, splitTypedTime } from '../../held-posts/text/held-post-buttons.ts';
import { describePost, renderOutlook } from '../../posts/describe-post.ts';
import { renderMoment, renderPostTime } from '../../posts/post-time.ts';
import { actions, button, context, escapeText, plain, section } from '../../slack/blocks.ts';
import { getTextInput } from '../../slack/interaction-values.ts';
import { BUTTON_UNAVAILABLE } from '../../slack/message.ts';
import { buildMessageView, buildSubmitModal, buildTextInput } from '../../slack/message-view.ts';
import { formatMoment } from '../../when/format-moment.ts';
import {
  acceptOwnChanges,
  answerWithError,
  answerWithMessage,
  describeResult,
  encodeFormTarget,
  findFormTarget,
  findPressedPost,
  isCurrent,
  type PressedPost,
  permitButton,
  renderForActor,
  renderPostExcerpt,
  showPost,
  showResult,
  type TargetedPost,
} from './press.ts';
import {
  changeToTyped,
  findBlackoutWarning,
  findCloseWarnings,
  readTypedTime,
  renderTimeWarnings,
} from './typed-time.ts';

export const MOVE_VIEW = 'held-posts.move';
export const APPROVE_LATER_VIEW = 'review.approve-later';

const TIME_FORMS = {
  move: { id: MOVE_VIEW, title: 'Move to…', submit: 'Move' },
  schedule: { id: MOVE_VIEW, title: 'Schedule', submit: 'Schedule' },
  approve: { id: APPROVE_LATER_VIEW, title: 'Approve for…', submit: 'Approve' },
} as const;
/** The action id of the field, which reports every pause in typing. */
export const MOVE_TYPED_ACTION = 'held-posts.move-typed';
/** The action id of [Undo move]. Its value is that of the post's buttons, and the time and the zone before. */
export const UNDO_MOVE_ACTION = 'held-posts.undo-move';
export const WHEN_BLOCK = 'when';
const MAX_WHEN_LENGTH = 200;

/** Asks for a time, or for a duration by which the post is moved. Begins with the time that the button has. */
export async function openTimeForm(
  call: ActionCall,
  { row }: PressedPost,
  does: TargetedPost['does'],
): Promise<void> {
  call.recordOutcome?.('unchanged', row.project);
  const metadata = encodeFormTarget(call, row, { does });
  const { when } = splitTypedTime(call.action.value ?? '');
  const typed = when === undefined ? {} : { when, understood: await describeTyped(call, row, when) };
  await call.openView(await createTimeForm(call, row, { metadata, does, ...typed }), { isForm: true });
}

/** `when`: the text with which the field begins. `understood`: how its text is understood (plain text). */
async function createTimeForm(
  call: Call,
  row: HeldPostRow,
  form: Pick<TargetedPost, 'does'> & { metadata: string; when?: string; understood?: string },
): Promise<ModalView> {
  const { metadata, does, when, understood } = form;
  const post = readHeldPost(call.context.heldPosts, row);
  const viewers = await fetchReader(call);
  const { publish_at: instant } = row;
  const time = instant && renderPostTime({ instant, zone: post?.timezone }, viewers, call.now()).plain;
  const excerpt = renderPostExcerpt(call, row);
  const input = buildTextInput(WHEN_BLOCK, 'When', {
    hint: `A time, such as “tomorrow 9am”, ${time ? 'a shift, such as “+1 day” or “-2h”, ' : ''}or “next slot”.`,
    ...{ max_length: MAX_WHEN_LENGTH, focus_on_load: true, action_id: MOVE_TYPED_ACTION },
    dispatch_action_config: { trigger_actions_on: ['on_character_entered'] },
    ...(when !== undefined && { initial_value: when }),
  });
  return buildSubmitModal({ ...TIME_FORMS[does], metadata }, [
    context(plain(time ? `${excerpt} · Now ${time}` : excerpt)),
    { ...input, dispatch_action: true },
    ...(understood === undefined ? [] : [context(plain(understood))]),
  ]);
}

/** Shows while somebody types how the time is understood. The field keeps its text, because its ids stay the same. */
export async function showTypedTime(call: ActionCall): Promise<void> {
  const { view } = call;
  if (!view) return;
  const target = await findFormTarget({ ...call, view });
  const typed = getTextInput(view.values, WHEN_BLOCK);
  if (!target || typed.trim() === '') return;
  const { row, does } = target;
  const understood = await describeTyped(call, row, typed);
  const shown = await createTimeForm(call, row, { metadata: view.metadata, does, understood });
  await call.client.views.update({ view_id: view.id, hash: view.hash, view: shown }).catch((error: unknown) =>
    // A later keystroke has updated the form already.
    call.log.debug({ reference: call.reference, err: error }, 'could not show the typed time'),
  );
}

/** Says how the typed time is understood, and warns of a blackout day (plain text). */
async function describeTyped(call: Call, row: HeldPostRow, typed: string): Promise<string> {
  const time = await readTypedTime(call, row, typed);
  if (typeof time === 'string') return `⚠️ ${time}`;
  if ('preview' in time) return `📅 ${time.preview}`;
  const { locale } = await fetchReader(call);
  const warning = await findBlackoutWarning(call, row, time);
  const text = `📅 ${formatMoment(time, { now: call.now(), locale })}`;
  return warning === undefined ? text : `${text}\n⚠️ ${warning}`;
}

/** Moves the post. Whatever is wrong is said under the field, and the typed text stays. */
export async function moveFromView(call: SubmissionCall, post: TargetedPost): Promise<void> {
  const { row, does, press } = post;
  const isScheduled = does === 'schedule';
  const role = isScheduled ? 'publisher' : getEditRole(call.context.heldPosts, row, call.actor.user);
  await call.permit(role, row.project, 'held-posts view held-posts.move');
  const text = getTextInput(call.view.values, WHEN_BLOCK);
  const time = await readTypedTime(call, row, text);
  if (typeof time === 'string') return answerWithError(call, WHEN_BLOCK, time);
  const result = await changeToTyped(call, row, time, (newTime) =>
    moveHeldPost(call.context.heldPosts, press, { ...newTime, isScheduled }),
  );
  if (typeof result === 'string') return answerWithError(call, WHEN_BLOCK, result);
  const described = await describeResult(call, post, result);
  const note =
    described.note ??
    (await describeMove(call, described.row, {
      verb: isScheduled ? 'Saved' : 'Moved',
      namesTime: 'slotFrom' in time,
    }));
  const card = await renderForActor(call, described.row, note);
  if (result.kind !== 'changed') return answerWithMessage(call, card, text);
  const moved = await acceptOwnChanges(call, { ...post, row: result.row });
  const canUndo = moved.press.version > press.version && isCurrent(moved, 'move') && !isScheduled;
  const { timezone: zone = '' } = readHeldPost(call.context.heldPosts, row) ?? {};
  const value = `${buildHeldPostValue(result.row)} ${row.publish_at?.toISOString()} ${zone}`.trim();
  const undo = canUndo && row.publish_at ? [actions(button('Undo move', UNDO_MOVE_ACTION, value))] : [];
  await answerWithMessage(call, { ...card, blocks: [...card.blocks, ...undo] });
}

/** [Undo move] moves the post back, unless it has changed since. */
export async function undoMove(call: ActionCall): Promise<void> {
  const [value, before = '', zone] = (call.action.value ?? '').split(' ');
  const post = await findPressedPost(call, value);
  const instant = new Date(before);
  if (!post || Number.isNaN(instant.getTime())) return call.reply(BUTTON_UNAVAILABLE);
  await permitButton(call, 'move', post.row);
  const time = { instant, ...(zone !== undefined && { zone }) };
  const moveBack = (): ChangeResult | Promise<ChangeResult> => {
    if (!isCurrent(post, 'move')) return { kind: 'outdated', row: post.row };
    if (instant <= call.now()) return { kind: 'past', row: post.row };
    return moveHeldPost(call.context.heldPosts, post.press, { ...time, isScheduled: false });
  };
  const { row, note } = await describeResult(call, post, await moveBack());
  const moved = ['Moved back.', ...(await findCloseWarnings(call, row))].join(' ');
  await call.reply(await renderForActor(call, row, note ?? moved), { replace: true });
}

/** Says what was done, and warns of the new time. The card says what follows. */
export async function describeMove(
  call: SubmissionCall,
  row: HeldPostRow,
  { verb, namesTime }: { verb: 'Moved' | 'Saved' | 'Approved'; namesTime: boolean },
): Promise<string> {
  if (row.publish_at === null) return `${verb}.`;
  const post = readHeldPost(call.context.heldPosts, row);
  const { locale, zone: viewerZone } = await fetchReader(call);
  const time = { instant: row.publish_at, zone: post?.timezone ?? viewerZone };
  const warnings = await renderTimeWarnings(call, row, time);
  const preposition = verb === 'Moved' ? 'to the slot' : 'for';
  const moved = namesTime
    ? `${verb} ${preposition} *${escapeText(renderMoment(time.instant, time.zone, call.now(), locale))}*.`
    : `${verb}.`;
  return [moved, ...warnings].join(' ');
}

export const HAND_OVER_VIEW = 'held-posts.hand-over';

/** [Hand over now] makes the post due, and shows what the service says. From a menu, which has no dialog, it asks first. */
export async function handOver(call: ActionCall, post: PressedPost): Promise<void> {
  const heldContext = call.context.heldPosts;
  if (call.action.isFromMenu) return openHandOverView(call, post.row);
  const result = await makeHandOverDue(heldContext, post.press);
  if (result.kind !== 'changed') return showResult(call, post, result);
  heldContext.verbs.wake();
  await showPost(call, { ...post, row: await waitForOutcome(heldContext, result.row) });
}

async function openHandOverView(call: ActionCall, row: HeldPostRow): Promise<void> {
  call.recordOutcome?.('unchanged', row.project);
  const handedOver = describePost({ status: 'SCHEDULED' }, { viewers: 'everyone', now: call.now() });
  const view = buildSubmitModal(
    {
      ...{ id: HAND_OVER_VIEW, metadata: encodeFormTarget(call, row) },
      ...{ title: 'Hand it over now?', submit: 'Hand over', close: 'Keep editable' },
    },
    [section(renderOutlook(handedOver)), context(plain(renderPostExcerpt(call, row)))],
  );
  await call.openView(view, { isForm: true });
}

/** Hands the post over after the question of `handOver`. The form shows meanwhile that it is being sent. */
export async function handOverFromView(call: SubmissionCall, post: TargetedPost): Promise<void> {
  await permitButton(call, 'hand-over', post.row);
  const heldContext = call.context.heldPosts;
  const result = isCurrent(post, 'hand-over')
    ? await makeHandOverDue(heldContext, post.press)
    : ({ kind: 'outdated', row: post.row } as const);
  const described = await describeResult(call, post, result);
  heldContext.verbs.wake();
  await answerWithMessage(call, await renderForActor(call, described.row, described.note));
  await delay(call.context.pace.afterAcknowledgementMs);
  const row = await waitForOutcome(heldContext, described.row);
  const card = call.sealButtons(await renderForActor(call, row, described.note));
  await updateOpenView(call.client, call.view.id, buildMessageView(card, 'Close'));
}
