import type { KnownBlock, ModalView } from '@slack/types';
import { MINUTE_MS } from '../../../durations.ts';
import { findSendingStop } from '../../../engine/sending-stop.ts';
import type { NamedRecord } from '../../../forms/field.ts';
import { fetchReader } from '../../../forms/form-context.ts';
import type { Call } from '../../../handlers/call.ts';
import type { HeldPostRow } from '../../../held-posts/held-post.ts';
import type { HeldPost } from '../../../held-posts/hold.ts';
import { readShownPost } from '../../../held-posts/show.ts';
import { renderHeldPostCard, renderHeldPostEntry } from '../../../held-posts/text/held-post-card.ts';
import { type PostDifference, renderPostDifference } from '../../../posts/post-changes.ts';
import { renderEditLimit, renderLead, renderPostText } from '../../../posts/post-text.ts';
import { context, escapeText, plain, section } from '../../../slack/blocks.ts';
import { LIMITS } from '../../../slack/limits.ts';
import { buildFallbackText, type Message } from '../../../slack/message.ts';
import { renderStop } from '../../../submissions/text/stop-text.ts';
import type { PostFormContext } from '../form/post-form-context.ts';
import { getSentText, type PostContent } from '../sent/post-content.ts';
import { listMoments, readWhen, type WhenState } from '../when/read-when.ts';

export const NOT_STORED_BANNER = ':warning: *Not saved.* Your text is still here. Try again.';
/** A form whose author has sent it again with another text, which is stored. */
export const SENT_LATE_BANNER =
  ':warning: *Not saved.* Another text from this form was saved after you sent this one. Submit again to replace it.';
export const SENT_MEANWHILE_BANNER =
  ':warning: *Not saved.* I’ve begun to send the post to the scheduling service meanwhile, so this form can’t change it any more.';
export const CHANGED_ELSEWHERE_BANNER =
  ':warning: *Not saved.* Somebody changed this post after you saved it. Your text is still here. To use it, copy it and edit the post in `/upnext outbox`.';
export const UNCERTAIN_BANNER =
  ':warning: *I’m not sure this was saved.* Press the button again: it’s saved only once.';

/** Maximum number of posts with buttons. A message holds 50 blocks, a form has up to 20 posts, and an entry needs five. */
const MAX_ENTRIES = 7;

/** The result of a form whose posts Upnext keeps. */
export async function renderHeldMessage(call: Call, posts: readonly HeldPost[]): Promise<Message> {
  // An equal post may have gone to the service before the stop, and a draft doesn't go out by itself.
  const waitingPost = posts.find(({ row: { state } }) => state === 'held' || state === 'awaiting-review');
  const [message, stop] = await Promise.all([
    renderCards(call, posts),
    waitingPost && findSendingStop(call.context.db, waitingPost.row),
  ]);
  if (!stop) return message;
  const note = context(`${renderStop(stop)} · It goes out only if that ends before its time.`);
  return { ...message, blocks: [...message.blocks, note] };
}

async function renderCards(
  call: Call,
  posts: readonly HeldPost[],
): Promise<Message & { blocks: KnownBlock[] }> {
  const { context: heldContext } = call.context.heldPosts;
  const readers = { viewers: await fetchReader(call), now: call.now() };
  const [firstPost] = posts;
  if (firstPost && posts.length === 1) {
    const note = renderSavedNote(firstPost, call.now());
    return renderHeldPostCard(await readShownPost(heldContext, firstPost.row), readers, { note });
  }
  const entries = posts
    .slice(0, MAX_ENTRIES)
    .map(async (post) => [
      ...(post.isEqual ? [section(renderSavedNote(post, call.now()))] : []),
      ...renderHeldPostEntry(await readShownPost(heldContext, post.row), readers),
    ]);
  const others = posts.slice(MAX_ENTRIES).map((post) => section(renderSavedNote(post, call.now())));
  const blocks = [section('*Saved.*'), ...(await Promise.all(entries)).flat(), ...others];
  return { text: buildFallbackText(blocks), blocks };
}

export async function renderHeldView(call: Call, posts: readonly HeldPost[]): Promise<ModalView> {
  return buildSavedView(await renderHeldMessage(call, posts));
}

export function buildSavedView({ blocks = [] }: Message): ModalView {
  return {
    type: 'modal',
    title: plain('Saved', LIMITS.viewTitle),
    close: plain('Close', LIMITS.viewTitle),
    clear_on_close: true,
    blocks,
  };
}

/** Says what was done with a post. Its card says until when it can be edited, and what happens then. */
function renderSavedNote({ row, isEqual }: HeldPost, now: Date): string {
  if (isEqual) return 'You’ve already saved this post.';
  const { state, hand_over_at: handOverAt } = row;
  if (state === 'draft') return ':pencil: *Saved as a draft.*';
  if (state === 'awaiting-review') return ':eyes: *Sent for review.*';
  if (!handOverAt || handOverAt <= now) return ':rocket: *Saved.* It’s due soon, so I’m scheduling it now.';
  return ':white_check_mark: *Saved.*';
}

/** The banner of an edit that another edit was faster than; mrkdwn. `reader`: the Slack id of its author. */
export function renderConflictBanner(
  editors: readonly string[],
  reader: string,
  differences: readonly PostDifference[],
): string {
  const others = editors.filter((id) => id !== reader).map((id) => `<@${id}>`);
  const names = [...(editors.includes(reader) ? ['You'] : []), ...others].join(' and ') || 'Somebody';
  const lines = differences.map((difference) => `• ${escapeText(renderPostDifference(difference))}`);
  return [
    `:warning: *${names} changed this post since you opened this form.* Your text is still here. Save again to replace that change.`,
    ...lines,
  ].join('\n');
}

/** The result of an edit that came too late. The typed text is shown, so that nothing is lost. */
export function renderTooLateView(row: HeldPostRow | undefined, content: PostContent | undefined): ModalView {
  const text = content ? getSentText(content) : '';
  return {
    type: 'modal',
    title: plain('Not saved', LIMITS.viewTitle),
    close: plain('Close', LIMITS.viewTitle),
    clear_on_close: true,
    blocks: [
      section(`:warning: *Not saved.* ${escapeText(findReason(row))}`),
      ...(text.trim() === ''
        ? []
        : [
            section('This is what you wrote:'),
            ...renderPostText({ post: { content: text, platforms: [] }, hasWholeText: true }),
          ]),
    ],
  };
}

function findReason(row: HeldPostRow | undefined): string {
  if (row?.state === 'cancelled') return 'Somebody has cancelled the post.';
  if (row?.state === 'handed-over')
    return 'I’m sending the post to the scheduling service, so this came too late.';
  if (row?.state === 'delivered')
    return 'The post has gone to the scheduling service, so it can no longer be edited.';
  return 'The post no longer exists.';
}

type HoldingState = WhenState & {
  values: WhenState['values'] & { project?: NamedRecord | undefined; status: string };
  formContext: WhenState['formContext'] &
    Pick<PostFormContext, 'holding' | 'heldPost' | 'series' | 'isDraftOnly' | 'stoppedProjects'>;
};

/** The label of the submit button, for one post or several. "Send" would suggest that the post goes out now. */
export function renderSubmitLabel(state: HoldingState, postCount = 1): string {
  const { values, formContext } = state;
  if (formContext.heldPost || formContext.series) return 'Save';
  const count = postCount > 1 ? ` ${postCount}` : '';
  if (values.status !== 'DRAFT' && readWhen(state)?.kind === 'series') return 'Start series';
  if (values.status === 'DRAFT') return postCount > 1 ? `Save${count} drafts` : 'Save draft';
  return findHolding({ values, formContext })?.isReviewRequired
    ? `Send${count} for review`
    : `Schedule${count}`;
}

/**
 * Renders as plain text what a press will do with the posts of a form or a preview, and until when they can be edited. The
 * messages after the press say the same.
 */
export function renderOutlook(state: HoldingState): string[] {
  const { values, formContext } = state;
  const { project, status } = values;
  const holding = findHolding(state);
  if (status === 'DRAFT') return [renderEditLimit(status, holding?.leadMinutes)];
  const isStopped = project !== undefined && formContext.stoppedProjects?.includes(project.id);
  const stopNotes = isStopped
    ? ['Sending is stopped for this project. I’ll save your post, and it waits until a Manager resumes it.']
    : [];
  const { isWithin, isBeyond } = compareWithLead(state);
  if (holding?.isReviewRequired)
    return [
      ...stopNotes,
      isWithin && !isBeyond
        ? 'It’s sent for review first, and goes out as soon as it’s approved.'
        : `It’s sent for review first. If nobody approves it by ${renderLead(holding.leadMinutes)} before its time, I won’t send it.`,
    ];
  return [...stopNotes, renderEditLimit(status, isWithin && !isBeyond ? undefined : holding?.leadMinutes)];
}

/** Says that an edit is reviewed again, and how people whose drafts have to be reviewed go on (plain text). */
export function renderReviewNote({ values, formContext }: HoldingState): string | undefined {
  if (formContext.heldPost?.isInReview)
    return 'This post is in review. After you save it, its reviewers are asked again.';
  if (!formContext.isDraftOnly || !findHolding({ values, formContext })?.isReviewRequired) return undefined;
  return 'You can only save drafts in this project. After you save it, you can send it for review.';
}

/** Renders a note for a time within the lead: the post is scheduled at once, and nobody can edit it. */
export function renderWithinLead(state: HoldingState): KnownBlock[] {
  const holding = findHolding(state);
  const isStopped = state.formContext.stoppedProjects?.includes(state.values.project?.id ?? '');
  if (!holding || holding.isReviewRequired || isStopped || state.values.status === 'DRAFT') return [];
  if (!compareWithLead(state).isWithin) return [];
  const lead = renderLead(holding.leadMinutes);
  return [
    context(`That’s less than ${lead} away, so I’ll schedule it at once. You can’t edit it after that.`),
  ];
}

/** Whether posts are due for their hand-over already, and whether others aren't yet. */
function compareWithLead(state: HoldingState): { isWithin: boolean; isBeyond: boolean } {
  const leadMs = (findHolding(state)?.leadMinutes ?? 0) * MINUTE_MS;
  const now = state.now.getTime();
  const instants = listMoments(readWhen(state))
    .map(({ moment }) => moment.instant.getTime())
    .filter((instant) => instant > now);
  return {
    isWithin: instants.some((instant) => instant - leadMs <= now),
    isBeyond: instants.some((instant) => instant - leadMs > now),
  };
}

function findHolding({
  values: { project },
  formContext: { holding = {} },
}: Pick<HoldingState, 'values' | 'formContext'>) {
  return project && holding[project.id];
}
