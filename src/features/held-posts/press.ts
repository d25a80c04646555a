import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { MINUTE_MS } from '../../durations.ts';
import { fetchReader } from '../../forms/form-context.ts';
import type { ActionCall, Call, Handler, SubmissionCall } from '../../handlers/call.ts';
import { createEntryPreparer } from '../../handlers/prepare-entry.ts';
import type { ChangeResult } from '../../held-posts/change.ts';
import { getEventFacts, renderPersonDeed } from '../../held-posts/event-kinds.ts';
import { loadParts } from '../../held-posts/hand-over/parts.ts';
import type { HeldPostRow } from '../../held-posts/held-post.ts';
import { getEditRole, readHeldPost } from '../../held-posts/held-post-context.ts';
import { renderDeed } from '../../held-posts/notices/notice-text.ts';
import { getRefusalTexts, OUTDATED } from '../../held-posts/refusals.ts';
import type { SeenPress } from '../../held-posts/review/decide.ts';
import { CARD, type PostView, updatePostMessages } from '../../held-posts/show.ts';
import { type HeldPostEventRow, isChangedOnlyBy, listEvents } from '../../held-posts/sql/events.ts';
import { findHeldPost } from '../../held-posts/sql/held-posts.ts';
import {
  BUTTONS,
  buildReviewValue,
  listPostButtons,
  parseHeldPostValue,
} from '../../held-posts/text/held-post-buttons.ts';
import { renderExcerpt } from '../../posts/post-text.ts';
import { type HeldPostButton, isDecidedBySubmission } from '../../posts/state-copy.ts';
import { isDirectMessage } from '../../slack/audience.ts';
import { renderDateForReaders, renderTypedTexts } from '../../slack/blocks.ts';
import { decodeButtonState, getTextInput } from '../../slack/interaction-values.ts';
import { addBlocks, BUTTON_UNAVAILABLE, type Message } from '../../slack/message.ts';
import { buildMessageView } from '../../slack/message-view.ts';
import { isDatabaseFailure } from '../../store/database-unavailable.ts';
import type { SubmissionRow } from '../../submissions/submission.ts';

export interface PressedPost {
  row: HeldPostRow;
  /** What the person wants to change: the post, in the version that they saw. */
  press: SeenPress;
  isInList: boolean;
  /** The first entry of the outbox with the button, which then shows the result. Undefined anywhere else. */
  outboxFrom?: number | undefined;
  /** The submission that decides about the post. Undefined if the post decides itself. */
  sent?: SubmissionRow | undefined;
}

/** Finds the post of a button in the person's workspace. Undefined if they may not see it. */
export async function findPressedPost(
  call: Call,
  value: string | undefined,
): Promise<PressedPost | undefined> {
  const target = parseHeldPostValue(value);
  if (!target) return undefined;
  const { isInList, outboxFrom, ...seen } = target;
  const { workspace, user: actor } = call.actor;
  const row = await findHeldPost(call.context.db, { id: seen.id, workspace });
  if (!row || call.lacks('viewer', row.project)) return undefined;
  // Throws if the role couldn't be looked up.
  await call.permit('viewer', row.project, 'held-posts open');
  const { heldPosts } = call.context;
  const sent = isDecidedBySubmission(row.state) ? (await loadParts(heldPosts, row)).main?.sent : undefined;
  const press = { ...seen, workspace, actor, prepareEntry: createEntryPreparer(call) };
  return { row, press, isInList, outboxFrom, sent };
}

/**
 * Makes the button of a card current that only the person who presses it has changed since: they know what they did, and
 * Slack may still show the card as it was before.
 */
export async function acceptOwnChanges({ context }: Call, post: PressedPost): Promise<PressedPost> {
  const { row, press } = post;
  if (!(await isChangedOnlyBy(context.db, row, press))) return post;
  return { ...post, press: { ...press, version: row.version } };
}

/** The target of a form: a post and its version, and who opened the form. */
const formTarget = z.object({
  /** Random, because Slack's id of a view doesn't identify a form: another form may replace it in the same view. */
  formId: z.string(),
  post: z.string(),
  actor: z.string(),
  /** What the form does with its time. */
  does: z.enum(['move', 'schedule', 'approve']).default('move'),
  /** The decision for which the form asks a reason. */
  decision: z.enum(['changes-requested', 'rejected']).optional(),
});
type FormTarget = z.infer<typeof formTarget>;
export type TargetedPost = PressedPost & Omit<FormTarget, 'post' | 'actor'>;

export function encodeFormTarget(
  call: Call,
  row: HeldPostRow,
  purpose: Pick<Partial<FormTarget>, 'does' | 'decision'> = {},
): string {
  return JSON.stringify({
    ...{ formId: randomUUID(), post: buildReviewValue(row), actor: call.actor.user },
    ...purpose,
  });
}

/** Finds the post of a submitted form. Undefined if somebody else opened the form, or may not see the post any more. */
export async function findFormTarget(
  call: Call & Pick<SubmissionCall, 'view'>,
): Promise<TargetedPost | undefined> {
  const target = decodeButtonState(formTarget, call.view.metadata);
  if (target?.actor !== call.actor.user) return undefined;
  const post = await findPressedPost(call, target.post);
  return post && { ...target, ...post };
}

/** Creates the handler of a submitted form about a post that the person may see. */
export function onForm(
  run: (call: SubmissionCall, target: TargetedPost) => Promise<void>,
): Handler<SubmissionCall>['run'] {
  return async (call) => {
    const target = await findFormTarget(call);
    if (target) return run(call, target);
    call.recordOutcome?.('unchanged');
    await answerWithMessage(call, BUTTON_UNAVAILABLE, getTextInput(call.view.values, TEXT_BLOCK).trim());
  };
}

/** Throws NotAllowed if the person may not do this with the post. */
export function permitButton(call: Call, name: HeldPostButton, row: HeldPostRow): Promise<void> {
  const { role } = BUTTONS[name];
  return call.permit(
    role === 'edit' ? getEditRole(call.context.heldPosts, row, call.actor.user) : role,
    row.project,
    `held-posts action held-posts.${name}`,
  );
}

/** Whether the button is still valid: the post has it now, and its version is the one that the person saw. */
export function isCurrent({ row, press, sent }: PressedPost, name: HeldPostButton): boolean {
  return row.version === press.version && row.content !== null && listPostButtons(row, sent).includes(name);
}

/** Shows a post after a press, in the message that everyone reads or to the person. `note`: the result (mrkdwn). */
export async function showPost(
  call: ActionCall,
  { row, isInList, outboxFrom }: Pick<PressedPost, 'row' | 'isInList' | 'outboxFrom'>,
  note?: string | undefined,
  view: PostView = CARD,
): Promise<void> {
  if (outboxFrom !== undefined)
    return call.openFeature('outbox', { from: String(outboxFrom), post: row.id, note });
  const { message } = call;
  const isStored = message !== undefined && (await updateMessages(call, row, view, message.ts));
  // What everybody reads in a channel isn't replaced by what one person may read.
  const isForAll = message !== undefined && !isDirectMessage(message.channel);
  const replace = !isInList && !isForAll;
  if (!isStored) {
    return call.reply(await renderForActor(call, row, note, view), { replace });
  }
  if (note !== undefined) await call.reply({ text: note });
}

/** See `updatePostMessages`. If Slack fails now, the notification of the next change updates the messages. */
export async function updateMessages(
  call: Call,
  row: HeldPostRow,
  view: PostView,
  pressed?: string,
): Promise<boolean> {
  const context = call.context.heldPosts;
  return updatePostMessages(context, call.client, row, view, { pressed }).catch((error: unknown) => {
    if (isDatabaseFailure(error)) throw error;
    call.log.warn({ reference: call.reference, err: error }, 'could not update a message of a held post');
    return true;
  });
}

export async function renderForActor(
  call: Call,
  row: HeldPostRow,
  note?: string | undefined,
  view: PostView = CARD,
) {
  const viewers = await fetchReader(call);
  return view.render({ context: call.context.heldPosts, client: call.client, row }, viewers, note);
}

/** Creates the handler of a press on a post that the person may see. */
export function onPost(run: PostAction): Handler<ActionCall>['run'] {
  return async (call) => {
    const post = await findPressedPost(call, call.action.value);
    await (post ? run(call, post) : call.reply(BUTTON_UNAVAILABLE));
  };
}

export type PostAction = (call: ActionCall, post: PressedPost) => Promise<void>;

/** Renders the beginning of a post's text, with which forms say which post they are about. Plain text. */
export function renderPostExcerpt({ context }: Call, row: HeldPostRow): string {
  const post = readHeldPost(context.heldPosts, row);
  return post ? `“${renderExcerpt(post)}”` : 'A deleted post';
}

/** The field of a form whose text is shown if nothing came of it. */
export const TEXT_BLOCK = 'text';

/** `text`: what the person wrote, if it would be lost otherwise. */
export async function answerWithMessage(call: SubmissionCall, message: Message, text = ''): Promise<void> {
  const shown = addBlocks(message, ...renderTypedTexts(text));
  await call.answer({ view: buildMessageView(call.sealButtons(shown), 'Close') });
}

/** Says below a field of a submitted form what is wrong with it (plain text). */
export async function answerWithError(call: SubmissionCall, block: string, error: string): Promise<void> {
  await call.answer({ errors: { [block]: error } });
}

/** Shows what became of a press. `note`: what to say if it has changed the post (mrkdwn). */
export async function showResult(
  call: ActionCall,
  post: PressedPost,
  result: ChangeResult,
  note?: string | undefined,
  view: PostView = CARD,
): Promise<void> {
  const described = await describeResult(call, post, result);
  await showPost(call, { ...post, row: described.row }, described.note ?? note, view);
}

/** The row after a change. `note`: why nothing was done, or who had done it (mrkdwn). The audit log then says so too. */
export async function describeResult(
  call: Call,
  { press, ...post }: Pick<PressedPost, 'row' | 'press'>,
  result: ChangeResult,
): Promise<{ row: HeldPostRow; note?: string }> {
  const { row } = 'row' in result ? result : post;
  if (result.kind === 'changed') return { row };
  call.recordOutcome?.('unchanged', row.project);
  const { note } = getRefusalTexts(result.kind);
  // A post may have begun to need a person without an event.
  const isNamed = note === OUTDATED && result.kind !== 'kept-changing' && row.state !== 'needs-person';
  if (!isNamed) return { row, note };
  const last = (await listEvents(call.context.db, row)).findLast(isChange);
  const isOwnDeed = last?.actor === press.actor;
  const isDoubleClick = isOwnDeed && call.now().getTime() - last.at.getTime() < MINUTE_MS;
  if (!last || !(isDoubleClick || isReason(last, row, press))) return { row, note };
  const time = renderDateForReaders(last.at, '{date_short_pretty} at {time}');
  const deed = isOwnDeed ? `You ${renderPersonDeed(last.kind)}` : renderDeed(last);
  // This may be a copy of the press that did it, or that made the post due.
  const done = isOwnDeed || last.actor === '' ? 'nothing more' : 'nothing';
  return { row, note: `This post has changed since, so ${done} was done. ${deed}, ${time}.` };
}

/** Whether a press came too late because of the last change. A post may also be due, or be held back by a stop. */
function isReason({ kind, version }: HeldPostEventRow, { reason }: HeldPostRow, press: SeenPress): boolean {
  // All others take buttons away, such as a cancellation.
  const { storesVersion = false, continues = false } = getEventFacts(kind);
  const endsReview = kind === 'approved' && press.hash !== '' && reason === null;
  return version > press.version || endsReview || !(storesVersion || continues);
}

/** Whether an event has changed a post, and not only followed from the one before. */
function isChange({ kind, actor }: HeldPostEventRow): boolean {
  const isFollowing = actor === '' && (kind === 'approval-voided' || kind === 'scheduled');
  return kind !== 'created' && kind !== 'commented' && !isFollowing;
}
