import type { WebClient } from '@slack/web-api';
import { disableParsing, type Message } from '../../slack/message.ts';
import { isTransient } from '../../slack/slack-errors.ts';
import {
  computeNotificationKey,
  findNotification,
  NOTIFICATION_EVENT,
} from '../../submissions/find-notification.ts';
import { messageAddress } from '../../submissions/shown-message.ts';
import type { HeldPostContext } from '../held-post-context.ts';
import { isInternalChannel } from '../show.ts';
import type { HeldPostRow } from '../sql/held-posts.ts';
import { type HeldPostMessageRow, listHeldPostMessages, saveHeldPostMessage } from '../sql/messages.ts';
import { isInReview } from './decide.ts';
import { evaluateReview } from './evaluate-review.ts';
import { findEntryTime, findNudge, type Nudge } from './list-nudges.ts';
import { type LoadedReview, loadReview } from './load-review.ts';
import { renderNudge } from './nudge-text.ts';
import { renderReviewRequest } from './review-text.ts';
import { readShownReview } from './show-review.ts';

/** Maximum number of people who get a direct message about one post. */
const MAX_RECIPIENTS = 20;

/**
 * Updates the requests to review a post, and asks the people who still have to decide: in the channel of the project's
 * policy, or each in a direct message. Whoever was asked before is asked again in the thread of the request. Throws on
 * temporary failures of Slack.
 */
export async function notifyReviewers(
  context: HeldPostContext,
  client: WebClient,
  row: HeldPostRow,
): Promise<void> {
  if (!row.in_review) return;
  const messages = await listHeldPostMessages(context.db, row);
  const requests = messages.filter(({ purpose }) => purpose === 'review');
  if (requests.length === 0 && !isInReview(row)) return;
  const review = await loadReview(context, row, { listsEverybody: true });
  const call: NotifyCall = { context, client, review, messages, requests };
  await updateRequests(call);
  if (isInReview(row)) await askReviewers(call);
}

/** Updates the requests to review a post, after a press. */
export async function updateReviewRequests(
  context: HeldPostContext,
  client: WebClient,
  row: HeldPostRow,
): Promise<void> {
  const messages = await listHeldPostMessages(context.db, row);
  const requests = messages.filter(({ purpose }) => purpose === 'review');
  if (requests.length === 0) return;
  const review = await loadReview(context, row, { listsEverybody: true });
  await updateRequests({ context, client, review, messages, requests });
}

interface NotifyCall {
  context: HeldPostContext;
  client: WebClient;
  review: LoadedReview;
  messages: readonly HeldPostMessageRow[];
  requests: readonly HeldPostMessageRow[];
}

async function renderRequest({ context, client, review }: NotifyCall) {
  const shown = await readShownReview(context, client, review);
  return renderReviewRequest(shown, { viewers: 'everyone', now: context.now() });
}

async function updateRequests(call: NotifyCall): Promise<void> {
  const { context, client, review, requests } = call;
  if (requests.length === 0) return;
  const message = await renderRequest(call);
  for (const { channel, ts } of requests)
    await tryCall(context, review.post, () =>
      client.chat.update({ channel, ts, ...disableParsing(message) }),
    );
}

async function askReviewers(call: NotifyCall): Promise<void> {
  const { context, client, review } = call;
  const { post, policy } = review;
  const nudge = findNudge(review, {
    now: context.now(),
    enteredAt: findEntryTime(context, post),
    remindersMs: context.pace.remindersMs,
  });
  const asked = listAsked(call);
  const { workspace } = post;
  for (const user of asked.slice(0, MAX_RECIPIENTS))
    context.submissions.context.onAuthorNotified({ workspace, user });
  const { channel: policyChannel } = policy;
  const isInChannel =
    policyChannel !== undefined &&
    (await isInternalChannel(context, client, post, policyChannel)) &&
    (await ask(call, policyChannel, { nudge, people: nudge?.people ?? asked }));
  if (isInChannel) return;
  for (const user of [...new Set([...asked, ...(nudge?.people ?? [])])].slice(0, MAX_RECIPIENTS)) {
    const channel = await openDirectMessage(call, user);
    const wasAsked = call.requests.some((request) => request.channel === channel);
    // Somebody whose approval was voided, and who isn't asked now, has a request already.
    if (channel !== undefined && (wasAsked || asked.includes(user)))
      await ask(call, channel, { nudge: nudge?.people.includes(user) ? nudge : undefined, people: [] });
  }
}

function listAsked({ review }: NotifyCall): readonly string[] {
  const result = evaluateReview(review);
  return result.kind === 'pending' ? result.asked : [];
}

/** Finds the direct messages with a person. Undefined if Slack doesn't allow them. */
async function openDirectMessage(
  { context, client, review }: NotifyCall,
  user: string,
): Promise<string | undefined> {
  const response = await tryCall(context, review.post, () => client.conversations.open({ users: user }));
  return response?.channel?.id;
}

/** Sends the request, or a reply in its thread. Resolves with false if Slack refuses the message for good. */
async function ask(
  call: NotifyCall,
  channel: string,
  { nudge, people }: { nudge: Nudge | undefined; people: readonly string[] },
): Promise<boolean> {
  const request = call.requests.findLast((message) => message.channel === channel);
  if (!request) return sendRequest(call, channel);
  const toldAt = Math.max(
    ...call.messages.flatMap(({ channel: toldIn, purpose, sent_at }) =>
      toldIn === channel && (purpose === 'review' || purpose === 'reminder') ? [sent_at.getTime()] : [],
    ),
  );
  if (!nudge || nudge.at.getTime() <= toldAt) return true;
  const { post } = call.review;
  const message = renderNudge(nudge.cause, people, post.hand_over_at);
  return send(call, { channel, purpose: 'reminder', message, thread_ts: request.ts });
}

/** Sends the request, unless an earlier claim has sent it and couldn't record it. */
async function sendRequest(call: NotifyCall, channel: string): Promise<boolean> {
  const { context, client, review } = call;
  const { id, fence, state, notifying_since: startedAt, notify_at: claimedUntil } = review.post;
  const wasStartedBefore =
    startedAt !== null &&
    claimedUntil !== null &&
    claimedUntil.getTime() - startedAt.getTime() > context.pace.notifyLeaseMs;
  if (wasStartedBefore) {
    const notified = { id, fence, state: `${state} review`, author: channel, notifiedChannel: channel };
    const earlier = await findNotification(context, client, notified, startedAt);
    if (earlier) {
      await record(call, { ...earlier, purpose: 'review', sentAt: context.now() });
      return true;
    }
  }
  return send(call, { channel, purpose: 'review', message: await renderRequest(call) });
}

async function send(
  call: NotifyCall,
  {
    channel,
    purpose,
    message,
    thread_ts,
  }: { channel: string; purpose: 'review' | 'reminder'; message: Message; thread_ts?: string },
): Promise<boolean> {
  const { context, client, review } = call;
  const { id, fence, state } = review.post;
  const sentAt = context.now();
  await context.pace.onCrashPoint?.('before-message');
  const response = await tryCall(context, review.post, () =>
    client.chat.postMessage({
      channel,
      ...disableParsing(message),
      ...(thread_ts !== undefined && { thread_ts }),
      metadata: {
        event_type: NOTIFICATION_EVENT,
        event_payload: { notification: computeNotificationKey({ id, fence, state: `${state} ${purpose}` }) },
      },
    }),
  );
  await context.pace.onCrashPoint?.('after-message');
  if (!response) return false;
  await record(call, { ...messageAddress.parse(response), purpose, sentAt });
  return true;
}

function record(
  { context, review }: NotifyCall,
  { sentAt, ...message }: { channel: string; ts: string; purpose: 'review' | 'reminder'; sentAt: Date },
): Promise<void> {
  const { workspace, id } = review.post;
  return saveHeldPostMessage(context.db, { workspace, held_post: id, ...message, sent_at: sentAt });
}

/** Makes a call to Slack. Resolves with undefined after a permanent failure, and throws after a temporary one. */
async function tryCall<Result>(
  { log }: HeldPostContext,
  { id }: HeldPostRow,
  call: () => Promise<Result>,
): Promise<Result | undefined> {
  try {
    return await call();
  } catch (error) {
    if (isTransient(error)) throw error;
    log.warn({ id, err: error }, 'could not send or update a review request');
    return undefined;
  }
}
