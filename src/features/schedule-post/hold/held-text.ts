import type { KnownBlock, ModalView } from '@slack/types';
import { MINUTE_MS } from '../../../durations.ts';
import { fetchReader } from '../../../forms/form-context.ts';
import type { Call } from '../../../handlers/call.ts';
import type { HeldPostRow } from '../../../held-posts/held-post.ts';
import type { HeldPost, NotHeldReason } from '../../../held-posts/hold.ts';
import { explainUnasked } from '../../../held-posts/review/decide.ts';
import { readShownPost } from '../../../held-posts/show.ts';
import { SLOT_UNSURE } from '../../../held-posts/slots/slot-text.ts';
import type { ShownHeldPost } from '../../../held-posts/text/held-post-buttons.ts';
import {
  type CardReaders,
  renderHeldPostCard,
  renderTimeLine,
  renderTimesCard,
} from '../../../held-posts/text/held-post-card.ts';
import { describePost, type PostFacts, renderOutlook } from '../../../posts/describe-post.ts';
import { type PostDifference, renderPostDifference } from '../../../posts/post-changes.ts';
import { renderPostText } from '../../../posts/post-text.ts';
import { renderMoment } from '../../../posts/post-time.ts';
import { holdsPosts, requiresReview } from '../../../preferences/project-policy.ts';
import { escapeFormatting, escapeText, section } from '../../../slack/blocks.ts';
import { buildFallbackText, type Message } from '../../../slack/message.ts';
import { buildModal } from '../../../slack/message-view.ts';
import { getEffectiveStatus, type PostState } from '../form/fields.ts';
import { findFormPolicy } from '../form/post-form-context.ts';
import { getSentText, listOwnTexts, type PostContent } from '../sent/post-content.ts';
import { listMoments, readWhen } from '../when/read-when.ts';

export const NOT_STORED_BANNER = ':warning: *Not saved.* Your text is still here. Try again.';
export const NOT_HELD_BANNERS: Readonly<Record<NotHeldReason, string>> = {
  'sent-late':
    ':warning: *Not saved.* Another text from this form was saved after you sent this one. Submit again to replace it.',
  'sent-meanwhile':
    ':warning: *Not saved.* I’ve begun to send the post to the scheduling service meanwhile, so this form can’t change it any more.',
  'changed-elsewhere':
    ':warning: *Not saved.* Somebody changed this post after you saved it. Your text is still here. To use it, copy it and edit the post in `/upnext posts mine`.',
};
export const UNCERTAIN_BANNER =
  ':warning: *I’m not sure this was saved.* Press the button again: it’s saved only once.';

/** The result of a form whose posts Upnext keeps. */
export async function renderHeldMessage(
  call: Call,
  posts: readonly HeldPost[],
): Promise<Message & { blocks: KnownBlock[] }> {
  const heldContext = call.context.heldPosts;
  const readers = { viewers: await fetchReader(call), now: call.now() };
  const [firstPost] = posts;
  if (firstPost && posts.length === 1) {
    const { row, wasSavedBefore } = firstPost;
    const unasked = await explainUnasked(heldContext, row);
    const notes = [
      ...(wasSavedBefore ? ['You’ve already saved this post.'] : []),
      ...renderTakenSlot(firstPost, readers),
      ...unasked,
    ];
    const shown = await readShownPost(heldContext, row);
    const isJustSaved = !wasSavedBefore && unasked.length === 0;
    const saved = { ...shown, facts: { ...shown.facts, isJustSaved } };
    return renderHeldPostCard(saved, readers, notes.length > 0 ? notes.join(' ') : undefined);
  }
  const blocks = renderSummary(
    posts,
    await Promise.all(posts.map(({ row }) => readShownPost(heldContext, row))),
    readers,
  );
  return { text: buildFallbackText(blocks), blocks };
}

/** Renders several posts with the same content as one card. */
function renderSummary(
  posts: readonly HeldPost[],
  shown: readonly ShownHeldPost[],
  readers: CardReaders,
): KnownBlock[] {
  const [first] = shown;
  if (!first) return [];
  const { row } = first;
  const leadMinutes =
    row.publish_at && first.facts.held?.hand_over_at
      ? (row.publish_at.getTime() - first.facts.held.hand_over_at.getTime()) / MINUTE_MS
      : undefined;
  const { name } = describePost(first.facts, readers);
  const lines = shown.map((one, index) =>
    renderTimeLine(one, readers, [
      describePost(one.facts, readers).status,
      ...(posts[index]?.wasSavedBefore ? ['you’ve already saved this'] : []),
    ]),
  );
  const together = { ...first, facts: { ...first.facts, leadMinutes } };
  const isSame = shown.every((other) => describePost(other.facts, readers).name === name);
  return renderTimesCard(together, lines, readers, { isSame });
}

export async function renderHeldView(call: Call, posts: readonly HeldPost[]): Promise<ModalView> {
  return buildSavedView(await renderHeldMessage(call, posts));
}

export function buildSavedView({ blocks = [] }: Message): ModalView {
  return { ...buildModal('Saved', blocks), clear_on_close: true };
}

/** The result of an edit that changes nothing. */
export async function renderUnchangedView(call: Call, row: HeldPostRow): Promise<ModalView> {
  const readers = { viewers: await fetchReader(call), now: call.now() };
  const shown = await readShownPost(call.context.heldPosts, row);
  const { blocks } = renderHeldPostCard(shown, readers, 'You changed nothing.');
  return { ...buildModal('Nothing changed', blocks), clear_on_close: true };
}

/** Says which slot a post has taken, if any (mrkdwn). */
function renderTakenSlot({ slot }: HeldPost, { viewers, now }: CardReaders): string[] {
  if (!slot) return [];
  const locale = viewers === 'everyone' ? undefined : viewers.locale;
  const time = escapeText(renderMoment(slot.instant, slot.zone, now, locale));
  return [
    slot.isOther
      ? `The slot you saw isn’t free, so it has the next one: *${time}*.`
      : `It has the slot *${time}*.`,
    ...(slot.isUnsure ? [SLOT_UNSURE] : []),
  ];
}

/** The banner of an edit that another edit was faster than; mrkdwn. `reader`: the Slack id of its author. */
export function renderConflictBanner(
  editors: readonly string[],
  reader: string,
  differences: readonly PostDifference[],
): string {
  const others = editors.filter((id) => id !== reader).map((id) => `<@${id}>`);
  const names = [...(editors.includes(reader) ? ['You'] : []), ...others].join(' and ') || 'Somebody';
  const lines = differences.map((difference) => `• ${escapeFormatting(renderPostDifference(difference))}`);
  return [
    `:warning: *${names} changed this post since you opened this form.* Your text is still here. Save again to replace that change.`,
    ...lines,
  ].join('\n');
}

/** The result of an edit that came too late. The typed text is shown, so that nothing is lost. */
export function renderTooLateView(row: HeldPostRow | undefined, content: PostContent | undefined): ModalView {
  const text = content ? getSentText(content) : '';
  const ownTexts = content && listOwnTexts(content);
  const blocks = [
    section(`:warning: *Not saved.* ${escapeText(findReason(row))}`),
    ...(text.trim() === ''
      ? []
      : [
          section('This is what you wrote:'),
          ...renderPostText({ post: { content: text, platforms: [], ownTexts }, hasWholeText: true }),
        ]),
  ];
  return { ...buildModal('Not saved', blocks), clear_on_close: true };
}

function findReason(row: HeldPostRow | undefined): string {
  if (row?.state === 'cancelled') return 'Somebody has cancelled the post.';
  if (row?.state === 'handed-over')
    return 'I’m sending the post to the scheduling service, so this came too late.';
  if (row?.state === 'delivered')
    return 'The post has gone to the scheduling service, so it can no longer be edited.';
  return 'The post no longer exists.';
}

/** The label of the submit button, for one post or several. "Send" would suggest that the post goes out now. */
export function renderSubmitLabel(state: PostState, postCount = 1): string {
  const { values, formContext } = state;
  const { heldPost, series, asksForReview } = formContext;
  const isScheduled = values.status !== 'DRAFT';
  if (isScheduled && heldPost && (heldPost.isReturned || asksForReview)) return 'Send for review';
  if (heldPost || series) return 'Save';
  const count = postCount > 1 ? ` ${postCount}` : '';
  if (isScheduled && readWhen(state)?.kind === 'series') return 'Start series';
  if (!isScheduled) return postCount > 1 ? `Save${count} drafts` : 'Save draft';
  return asksForReview || requiresReview(findFormPolicy(state))
    ? `Send${count} for review`
    : `Schedule${count}`;
}

/** Describes the posts of a form as they will be after the press, and what can't be done then (mrkdwn). */
export function renderFormOutlook(state: PostState): string {
  const { actorZone: zone, actorLocale: locale, policies = {}, heldPost } = state.formContext;
  if (!state.values.project && Object.values(policies).some(holdsPosts))
    return 'Choose a project to see until when the post can be edited.';
  const readers = { viewers: { zone, locale }, now: state.now };
  const outlook = renderOutlook(describePost(findOutlook(state), readers));
  return heldPost?.isReviewer ? `${outlook} You can’t approve a version that you’ve edited.` : outlook;
}

/** What the posts of a form will be after the press. */
function findOutlook(state: PostState): PostFacts {
  const { values, formContext } = state;
  const policy = findFormPolicy(state);
  const isHeld = holdsPosts(policy);
  const isStopped = formContext.stoppedProjects?.includes(values.project?.id ?? '') ?? false;
  if (formContext.heldPost?.isForOtherService)
    return { held: { state: 'needs-person', reason: 'other-service' } };
  if (getEffectiveStatus(state) === 'DRAFT')
    // A post with different texts is several posts for the service, so Upnext keeps its draft.
    return isHeld || values.differs.length > 0
      ? { held: { state: 'draft', reason: null } }
      : { status: 'DRAFT' };
  const isAskedAgain = formContext.heldPost?.isReviewedAgain || formContext.heldPost?.isReturned;
  const isInReview = isAskedAgain || formContext.asksForReview || requiresReview(policy);
  const times = listHandOverTimes(state);
  const [publishAt, ...otherTimes] = listMoments(readWhen(state));
  const dueCount = times.filter((time) => time <= state.now).length;
  const due = dueCount === 0 ? undefined : dueCount === times.length ? 'all' : 'some';
  // A post stays in review even if its project no longer holds posts.
  if (!isInReview && (!isHeld || due === 'all')) {
    if (isStopped) return { sent: { state: 'retryable', reason: 'sending-stopped' } };
    // An edit of a post that came back is sent again at once, whatever its time is.
    const isInLead = isHeld && formContext.heldPost?.sentAgainFor === undefined;
    return { status: 'SCHEDULED', ...(isInLead && { leadMinutes: policy.leadMinutes, due }) };
  }
  const [time] = times.length === 1 ? times : [];
  return {
    isAskedAgain,
    due,
    held: {
      state: isInReview ? 'awaiting-review' : 'held',
      reason: null,
      // Without a lead, the post is handed over as soon as it's approved.
      ...(isHeld && time && { hand_over_at: time }),
    },
    ...(otherTimes.length === 0 && { at: publishAt?.moment.instant }),
    leadMinutes: policy.leadMinutes,
    isStopped,
  };
}

/** Lists when the posts of a form are handed over, as far as their times are known. */
function listHandOverTimes(state: PostState): Date[] {
  const leadMs = (findFormPolicy(state).leadMinutes ?? 0) * MINUTE_MS;
  const { sentAgainFor } = state.formContext.heldPost ?? {};
  return listMoments(readWhen(state)).flatMap(({ moment: { instant } }) => {
    if (instant <= state.now) return [];
    return [instant.toISOString() === sentAgainFor ? state.now : new Date(instant.getTime() - leadMs)];
  });
}
