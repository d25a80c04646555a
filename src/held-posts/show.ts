import type { KnownBlock } from '@slack/types';
import type { WebClient } from '@slack/web-api';
import { findSendingStop, type SendingStop } from '../engine/sending-stop.ts';
import { describePost, type PostFacts } from '../posts/describe-post.ts';
import { newPostButton } from '../posts/new-post-button.ts';
import { renderPlatformNames } from '../posts/platforms.ts';
import type { CardPost } from '../posts/post-text.ts';
import type { Viewer, Viewers } from '../posts/post-time.ts';
import { isDecidedBySubmission, type PublicationState } from '../posts/state-copy.ts';
import { DEFAULT_POLICY, findPolicy, type ProjectPolicy } from '../preferences/project-policy.ts';
import { isDirectMessage } from '../slack/audience.ts';
import { button } from '../slack/blocks.ts';
import { fetchDisplayName } from '../slack/fetch-people.ts';
import { disableParsing, type Message } from '../slack/message.ts';
import { type ReaderCheck, renderNoLongerShown } from '../slack/readers.ts';
import { renderServiceFailure } from '../slack/service-failure.ts';
import { getSlackErrorCode, isTransient } from '../slack/slack-errors.ts';
import { createReaders } from '../submissions/shown.ts';
import type { PostKey } from '../submissions/sql/submissions.ts';
import type { SubmissionRow } from '../submissions/submission.ts';
import type { KnownOfPost, ShownPost } from '../submissions/submission-context.ts';
import { findRetries, renderReason } from '../submissions/text/render-submission.ts';
import { ALL_PREFIX } from '../submissions/text/state-blocks.ts';
import { listApprovals } from './event-kinds.ts';
import {
  addEarlierFields,
  loadParts,
  type Part,
  readPostFacts,
  readSentPosts,
  showSentTexts,
} from './hand-over/parts.ts';
import type { HeldPostRow } from './held-post.ts';
import {
  describeContent,
  findProjectName,
  type HeldPostContext,
  readHeldContent,
} from './held-post-context.ts';
import { type HeldPostEventRow, listEvents } from './sql/events.ts';
import { findPostOfSubmission } from './sql/held-posts.ts';
import { deleteHeldPostMessage, type HeldPostMessageRow, listHeldPostMessages } from './sql/messages.ts';
import { BUTTONS, type ShownHeldPost } from './text/held-post-buttons.ts';
import {
  type CardReaders,
  renderHeldPostCard,
  renderHeldPostEntry,
  renderTimeLine,
  renderTimesCard,
} from './text/held-post-card.ts';

/** What a caller has read of a post just before. */
interface KnownFacts {
  policy: ProjectPolicy;
  events: readonly HeldPostEventRow[];
  /** Its submission. */
  sent: SubmissionRow;
}

/** Reads what the card of a held post shows, as it is now if it has several parts. */
export async function readShownPost(
  context: HeldPostContext,
  known: HeldPostRow,
  { policy, events, sent }: Partial<KnownFacts> = {},
): Promise<ShownHeldPost> {
  const { row, main, parts, refused, publications } = await loadParts(context, known, sent);
  const { post, project } = describeContent(context, readHeldContent(context, row));
  const [{ review }, stop, approvers, projectName = project] = await Promise.all([
    policy ?? (isReviewable(row) ? findPolicy(context.db, row) : DEFAULT_POLICY),
    findSendingStop(context.db, row),
    listApprovers(context, row, events),
    findProjectName(context, row).catch(() => undefined),
  ]);
  const sentPosts = readSentPosts(
    context,
    row,
    parts.map(({ sent }) => sent),
  );
  const onItsWay = isDecidedBySubmission(row.state) ? main : undefined;
  const isStopped = stop !== undefined;
  const facts = readPostFacts(row, { platforms: post?.platforms, parts, publications, isStopped });
  return {
    ...{ row, project: projectName, review, stop, approvers },
    post: post && showSentTexts(post, sentPosts),
    ...(row.reason === 'refused' && { refusal: main?.refusal }),
    ...(onItsWay && { waiting: describeWaiting(context, onItsWay, stop) }),
    facts: {
      ...addEarlierFields(facts, post, sentPosts),
      ...describeDelivered(row, post),
      zone: post?.timezone,
      because: onItsWay ? renderReason(onItsWay.sent.state, onItsWay.refusal) : explainRefusals(refused),
    },
  };
}

/** Whether a review is among what can be done with the post. */
const isReviewable = ({ state }: HeldPostRow) => state !== 'delivered' && !isDecidedBySubmission(state);

/** The service has a draft, or publishes the post at its time. */
function describeDelivered({ state }: Pick<HeldPostRow, 'state'>, post: CardPost | undefined): PostFacts {
  return state === 'delivered' && post?.status === 'DRAFT' ? { held: undefined, status: 'DRAFT' } : {};
}

/** Lists who approved the version that is scheduled. The last one is in the row, and whose role it has if it wasn't reviewed. */
async function listApprovers(
  { db }: HeldPostContext,
  row: HeldPostRow,
  known: KnownFacts['events'] | undefined,
): Promise<string[]> {
  if (row.approver === null) return [];
  const events = row.in_review ? (known ?? (await listEvents(db, row))) : [];
  return [...new Set([...listApprovals(events, row).map(({ actor }) => actor), row.approver])];
}

/** Until when Upnext tries to send a submission, and the stop that it waits for. */
function describeWaiting(
  { submissions }: HeldPostContext,
  { sent, refusal }: Part,
  stop: SendingStop | undefined,
): ShownHeldPost['waiting'] {
  const isStopped = stop && sent.state === 'retryable' && sent.reason === 'sending-stopped';
  return {
    retries: findRetries(submissions.context, sent),
    stop: isStopped ? { ...stop, publishAt: sent.publish_at } : undefined,
    // The texts of other states say it.
    ...(sent.state === 'unsure' && refusal?.kind === 'refused' && { failure: renderServiceFailure(refusal) }),
  };
}

/** Renders why the service refused a post, or each of several parts. */
function explainRefusals(refused: readonly Part[]): string | undefined {
  const reasons = refused.map(({ platforms, refusal }) => ({
    names: renderPlatformNames(platforms),
    reason: renderReason('refused', refusal),
  }));
  const [first, ...others] = reasons;
  if (others.every(({ reason }) => reason === first?.reason)) return first?.reason;
  return reasons
    .flatMap(({ names, reason }) => (reason === undefined ? [] : `${names}: ${reason}`))
    .join(' ');
}

/** A way in which messages show a post: its card, or the request to review it. */
export interface PostView {
  /** What the messages are for that show a post in this way. */
  purposes: readonly HeldPostMessageRow['purpose'][];
  /** Loads and renders the message about a post. `note`: the result of a press (mrkdwn). */
  render(
    place: { context: HeldPostContext; client: WebClient; row: HeldPostRow },
    viewers: Viewers,
    note?: string,
  ): Promise<Message & { blocks: KnownBlock[] }>;
}

export const CARD: PostView = {
  purposes: ['card', 'shared'],
  async render({ context, client, row }, viewers, note) {
    const shown = await readShownPost(context, row);
    const readers =
      viewers === 'everyone'
        ? await findCardReaders(context, client, shown)
        : { viewers, now: context.clock.now() };
    return renderHeldPostCard(shown, readers, note);
  },
};

/**
 * Reads what is shown of the post of a submission. Undefined if it was deleted, or can't be read, and for one of several parts of
 * a post: people are told of each part by itself, and its post would be the same for all.
 */
export async function readPostOfSubmission(
  context: HeldPostContext,
  submission: SubmissionRow,
  viewer: Viewer,
  { known, publication }: KnownOfPost,
): Promise<ShownPost | undefined> {
  const isDone = submission.state === 'confirmed';
  const shown =
    known && isDone
      ? describeSentPost(context, submission, { known, publication })
      : await readByWay(context, submission);
  const { post } = shown ?? {};
  if (!shown || !post) return undefined;
  const receipt = isDone ? createReceipt(context, submission) : undefined;
  const readers = { viewers: viewer, now: context.clock.now() };
  const own = { ...shown, receipt, facts: { ...shown.facts, isJustSaved: isDone && known !== undefined } };
  const { scheduleDate: _time, timezone: _zone, ...sameness } = post;
  return {
    renderCard: (note) => renderHeldPostCard(own, readers, note),
    renderEntry: (how) => renderHeldPostEntry(shown, readers, how),
    line: renderTimeLine(shown, readers),
    renderTimes: (lines) => renderTimesCard(own, lines, readers),
    sameness: JSON.stringify([sameness, describePost(shown.facts, readers).name]),
    isShareable: receipt?.shareAll !== undefined,
  };
}

async function readByWay(context: HeldPostContext, sent: SubmissionRow): Promise<ShownHeldPost | undefined> {
  const row = await findPostOfSubmission(context.db, sent);
  return row?.sent_to === null ? readShownPost(context, row, { sent }) : undefined;
}

/** Describes a post that was sent at once, and that the service has, from its submission. */
function describeSentPost(
  context: HeldPostContext,
  sent: SubmissionRow,
  { known, publication }: { known: PostKey; publication: PublicationState | undefined },
): ShownHeldPost {
  const { post, project } = describeContent(context, readHeldContent(context, sent));
  const row = {
    ...{ ...known, author: sent.author, publish_at: sent.publish_at },
    ...({ state: 'delivered', reason: null, in_review: false, series: null, sent_to: null } as const),
  };
  const facts = { held: { state: row.state, reason: null }, at: row.publish_at, zone: post?.timezone };
  return {
    ...{ row, post, project, review: 'off', approvers: [] },
    facts: { ...facts, publication, ...describeDelivered(row, post) },
  };
}

/** What only the author reads who has just sent a post to the service. */
function createReceipt(
  context: HeldPostContext,
  { id, project, channel, shared_at: sharedAt, ...sent }: SubmissionRow,
): ShownHeldPost['receipt'] {
  const content = readHeldContent(context, { id, ...sent })?.content;
  const isShareable = channel !== null && !isDirectMessage(channel) && sharedAt === null;
  const { post } = context.kind;
  return {
    notes: content === undefined ? [] : post.renderNotes(content),
    newPost: newPostButton('New post', { project: project ?? undefined }),
    ...(isShareable && { shareAll: button(BUTTONS.share.label, post.shareAllAction, `${ALL_PREFIX}${id}`) }),
  };
}

/** Everyone reads the cards of stored messages, so they name people instead of mentioning them. */
export async function findCardReaders(
  context: HeldPostContext,
  client: WebClient,
  { row, approvers }: { row: Pick<HeldPostRow, 'id' | 'author'>; approvers: readonly string[] },
): Promise<CardReaders> {
  const names = new Map<string, string>();
  for (const user of new Set([row.author, ...approvers])) {
    const name = await fetchDisplayName({ client, log: context.log, reference: row.id }, user);
    if (name !== undefined) names.set(user, name);
  }
  return { viewers: 'everyone', now: context.clock.now(), names };
}

/** Slack's errors for a message that can't be changed any more. */
const LOST_MESSAGE_ERRORS = [
  'message_not_found',
  'channel_not_found',
  'cant_update_message',
  'not_in_channel',
];

/**
 * Updates the messages that show a post in one way. `pressed`: the `ts` of a message; if it isn't one of them, nothing is
 * updated. Resolves with true if there are any, unless the pressed one no longer shows the post.
 */
export async function updatePostMessages(
  context: HeldPostContext,
  client: WebClient,
  row: HeldPostRow,
  { purposes, render }: PostView,
  { pressed, readers }: { pressed?: string | undefined; readers?: ReaderCheck } = {},
): Promise<boolean> {
  const all = await listHeldPostMessages(context.db, row);
  const messages = all.filter(({ purpose }) => purposes.includes(purpose));
  const isShown = pressed === undefined ? messages.length > 0 : messages.some(({ ts }) => ts === pressed);
  if (isShown) {
    const content = await render({ context, client, row }, 'everyone');
    const hidden = await updateMessages(context, client, row, { messages, content, readers });
    if (hidden.some(({ ts }) => ts === pressed)) return false;
  }
  return isShown;
}

interface PostUpdate {
  messages: readonly HeldPostMessageRow[];
  content: Message;
  readers?: ReaderCheck | undefined;
}

/**
 * Updates messages about a post. Those whose readers may not read of it any more become one line. A shared one that was
 * deleted is forgotten; the others also record what people were told. Throws on temporary failures of Slack, after it has
 * tried all messages. Resolves with the messages that don't show the post any more.
 */
export async function updateMessages(
  context: HeldPostContext,
  client: WebClient,
  row: HeldPostRow,
  { messages, content, readers = createReaders(context.submissions.context, client, row) }: PostUpdate,
): Promise<HeldPostMessageRow[]> {
  const hidden: HeldPostMessageRow[] = [];
  let failure: unknown;
  for (const message of messages) {
    const { held_post: id, workspace, channel, ts, purpose } = message;
    const { recipient: person, shared_with: sharedWith } = message;
    try {
      const mayRead = await readers.mayRead({ channel, person, sharedWith }, row.project);
      const shown = mayRead ? content : renderNoLongerShown({ channel });
      if (!mayRead) hidden.push(message);
      // Their Home may show the post too.
      if (!mayRead && person) context.submissions.context.onAuthorNotified({ workspace, user: person });
      await client.chat.update({ channel, ts, ...disableParsing(shown) });
    } catch (error) {
      const isLost = LOST_MESSAGE_ERRORS.includes(getSlackErrorCode(error) ?? '');
      if (isTransient(error)) failure = error;
      else if (isLost && purpose === 'shared') await deleteHeldPostMessage(context.db, message);
      else if (!isLost || purpose === 'review')
        context.log.warn({ id, err: error }, 'could not update a message of a held post');
    }
  }
  if (failure !== undefined) throw failure;
  return hidden;
}
