import type { WebClient } from '@slack/web-api';
import { disableParsing } from '../../slack/message.ts';
import type { HeldPostContext } from '../held-post-context.ts';
import { isInternalChannel } from '../show.ts';
import type { HeldPostRow } from '../sql/held-posts.ts';
import { listHeldPostMessages } from '../sql/messages.ts';
import { isInReview } from './decide.ts';
import { evaluateReview, isNobodyLeft } from './evaluate-review.ts';
import { findEntryTime, findNudge, type Nudge } from './list-nudges.ts';
import { loadReview } from './load-review.ts';
import { renderNudge } from './nudge-text.ts';
import { type NotifyCall, renderRequest, sendMessage, sendRequest, tryCall } from './send-request.ts';

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
  // The author has to know if nobody is left to ask.
  const recipients = isNobodyLeft(review) ? [post.author] : asked;
  for (const user of [...new Set([...recipients, ...(nudge?.people ?? [])])].slice(0, MAX_RECIPIENTS)) {
    const channel = await openDirectMessage(call, user);
    const wasAsked = call.requests.some((request) => request.channel === channel);
    // Somebody whose approval was voided, and who isn't asked now, has a request already.
    if (channel !== undefined && (wasAsked || recipients.includes(user)))
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
  return sendMessage(call, { channel, purpose: 'reminder', message, thread_ts: request.ts });
}
