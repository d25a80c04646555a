import type { WebClient } from '@slack/web-api';
import { MAX_ASKED_PEOPLE } from '../../preferences/project-policy.ts';
import { disableParsing, type Message } from '../../slack/message.ts';
import type { HeldPostRow } from '../held-post.ts';
import type { HeldPostContext } from '../held-post-context.ts';
import { isInternalChannel } from '../show.ts';
import { type HeldPostMessageRow, listHeldPostMessages } from '../sql/messages.ts';
import { NotYet, type PostNotification, tellOfPost, tryCall } from '../tell.ts';
import { isInReview } from './decide.ts';
import { evaluateReview, isNobodyLeft } from './evaluate-review.ts';
import { listNudges, type Nudge } from './list-nudges.ts';
import { type LoadedReview, loadReview } from './load-review.ts';
import { renderNudge } from './nudge-text.ts';
import { renderReviewRequest } from './review-text.ts';
import { readShownReview } from './show-review.ts';

/** A notification of a post's reviewers. `requests`: the messages that ask them. */
interface ReviewNotification extends PostNotification {
  review: LoadedReview;
  messages: readonly HeldPostMessageRow[];
  requests: readonly HeldPostMessageRow[];
}

async function renderRequest({
  context,
  client,
  review,
}: Pick<ReviewNotification, 'context' | 'client' | 'review'>): Promise<Message> {
  const shown = await readShownReview(context, client, review);
  return renderReviewRequest(shown, { viewers: 'everyone', now: context.clock.now() });
}

/**
 * Updates the requests to review a post, and asks the people who still have to decide: in the channel of the project's
 * policy, or each in a direct message. Whoever was asked before is asked again in the thread of the request. Throws on
 * temporary failures of Slack, and `NotYet` if somebody couldn't be asked for that reason.
 */
export async function notifyReviewers(notification: PostNotification): Promise<void> {
  const { context, row } = notification;
  if (!row.in_review) return;
  const messages = await listHeldPostMessages(context.db, row);
  const requests = messages.filter(({ purpose }) => purpose === 'review');
  if (requests.length === 0 && !isInReview(row)) return;
  const review = await loadReview(context, row, { listsEverybody: true });
  const call: ReviewNotification = { ...notification, review, messages, requests };
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
  await updateRequests({ context, client, review, requests });
}

async function updateRequests(
  call: Pick<ReviewNotification, 'context' | 'client' | 'review' | 'requests'>,
): Promise<void> {
  const { context, client, review, requests } = call;
  if (requests.length === 0) return;
  const message = await renderRequest(call);
  for (const { channel, ts } of requests)
    await tryCall(context, review.post, () =>
      client.chat.update({ channel, ts, ...disableParsing(message) }),
    );
}

async function askReviewers(call: ReviewNotification): Promise<void> {
  const { context, client, review } = call;
  const { post, policy } = review;
  const nudges = listNudges(review, { now: context.clock.now(), remindersMs: context.pace.remindersMs });
  const result = evaluateReview(review);
  if (result.kind === 'unknown') throw new NotYet('could not find out whether approvals count');
  const asked = result.kind === 'pending' ? result.asked : [];
  const { workspace } = post;
  for (const user of asked.slice(0, MAX_ASKED_PEOPLE))
    context.submissions.context.onAuthorNotified({ workspace, user });
  const { channel: policyChannel } = policy;
  const isInChannel =
    policyChannel !== undefined &&
    (await isInternalChannel(context, client, post, policyChannel)) &&
    (await ask(call, policyChannel, nudges));
  if (isInChannel) return;
  // The author has to know if nobody is left to ask.
  const recipients = isNobodyLeft(review) ? [post.author] : asked;
  const people = new Set([...recipients, ...nudges.flatMap((nudge) => nudge.people)]);
  for (const user of [...people].slice(0, MAX_ASKED_PEOPLE)) {
    const channel = await openDirectMessage(call, user);
    const wasAsked = call.requests.some((request) => request.channel === channel);
    // Somebody whose approval was voided, and who isn't asked now, has a request already.
    if (channel !== undefined && (wasAsked || recipients.includes(user)))
      await ask(call, channel, nudges, user);
  }
  if (result.kind === 'pending' && review.eligibility.steps[result.step]?.hasFailed)
    throw new NotYet('could not find out who may approve a post');
}

/** Finds the direct messages with a person. Undefined if Slack doesn't allow them. */
async function openDirectMessage(
  { context, client, review }: ReviewNotification,
  user: string,
): Promise<string | undefined> {
  const response = await tryCall(context, review.post, () => client.conversations.open({ users: user }));
  return response?.channel?.id;
}

/**
 * Sends the request, or a reply in its thread about what the conversation wasn't told. `user`: the person of a direct
 * message. Resolves with false if Slack refuses the message for good.
 */
async function ask(
  call: ReviewNotification,
  channel: string,
  nudges: readonly Nudge[],
  user?: string,
): Promise<boolean> {
  const told = nudges.map(({ key }) => key);
  const request = call.requests.findLast((message) => message.channel === channel);
  if (!request)
    return tellOfPost(call, { purpose: 'review', to: channel, told, render: () => renderRequest(call) });
  const toldBefore = call.messages.flatMap((message) => (message.channel === channel ? message.told : []));
  const nudge = nudges.findLast(
    ({ key, people }) => !toldBefore.includes(key) && (user === undefined || people.includes(user)),
  );
  if (!nudge) return true;
  const mentioned = user === undefined ? nudge.people : [];
  return tellOfPost(call, {
    ...{ purpose: 'reminder', to: channel, thread: request.ts, told },
    render: () => renderNudge(nudge.cause, mentioned, call.review.post.hand_over_at),
  });
}
