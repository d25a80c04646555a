import type { WebClient } from '@slack/web-api';
import { disableParsing, type Message } from '../../slack/message.ts';
import { isTransient } from '../../slack/slack-errors.ts';
import { messageAddress } from '../../slack/tell-once.ts';
import {
  computeNotificationKey,
  findNotification,
  NOTIFICATION_EVENT,
} from '../../submissions/find-notification.ts';
import type { HeldPostContext } from '../held-post-context.ts';
import type { HeldPostRow } from '../sql/held-posts.ts';
import { type HeldPostMessageRow, saveHeldPostMessage } from '../sql/messages.ts';
import type { LoadedReview } from './load-review.ts';
import { renderReviewRequest } from './review-text.ts';
import { readShownReview } from './show-review.ts';

/** A notification of a post's reviewers. `requests`: the messages that ask them. */
export interface NotifyCall {
  context: HeldPostContext;
  client: WebClient;
  review: LoadedReview;
  messages: readonly HeldPostMessageRow[];
  requests: readonly HeldPostMessageRow[];
}

export async function renderRequest({ context, client, review }: NotifyCall) {
  const shown = await readShownReview(context, client, review);
  return renderReviewRequest(shown, { viewers: 'everyone', now: context.now() });
}

/** A message to reviewers. `told`: the keys of the nudges that it makes unnecessary. */
interface ReviewMessage {
  channel: string;
  purpose: 'review' | 'reminder';
  /** The `ts` of the request to which a reminder replies. */
  thread_ts?: string;
  told: readonly string[];
  render(): Promise<Message> | Message;
}

/**
 * Sends a message to reviewers, unless an earlier claim has sent it and couldn't record it. Resolves with false if Slack
 * refuses the message for good.
 */
export async function sendOnce(call: NotifyCall, message: ReviewMessage): Promise<boolean> {
  const { context, client, review } = call;
  const { notifying_since: startedAt, notify_at: claimedUntil } = review.post;
  const { channel, purpose, told, thread_ts: thread } = message;
  const wasStartedBefore =
    startedAt !== null &&
    claimedUntil !== null &&
    claimedUntil.getTime() - startedAt.getTime() > context.pace.notifyLeaseMs;
  if (!wasStartedBefore) return send(call, message);
  const notified = { ...toNotified(call, message), author: channel, notifiedChannel: channel, thread };
  const earlier = await findNotification(context, client, notified, startedAt);
  if (!earlier) return send(call, message);
  await record(call, { channel, ts: earlier.ts, purpose, told });
  return true;
}

/** The row for the key of a message. A later reminder in the same state tells something else. */
function toNotified({ review }: NotifyCall, { purpose, told }: ReviewMessage) {
  const { id, fence, state } = review.post;
  return { id, fence, state: `${state} ${purpose}${purpose === 'review' ? '' : ` ${told.at(-1)}`}` };
}

async function send(call: NotifyCall, message: ReviewMessage): Promise<boolean> {
  const { context, client, review } = call;
  const { channel, purpose, thread_ts, told } = message;
  const rendered = await message.render();
  await context.pace.onCrashPoint?.('before-message');
  const response = await tryCall(context, review.post, () =>
    client.chat.postMessage({
      channel,
      ...disableParsing(rendered),
      ...(thread_ts !== undefined && { thread_ts }),
      metadata: {
        event_type: NOTIFICATION_EVENT,
        event_payload: { notification: computeNotificationKey(toNotified(call, message)) },
      },
    }),
  );
  await context.pace.onCrashPoint?.('after-message');
  if (!response) return false;
  await record(call, { ...messageAddress.parse(response), purpose, told });
  return true;
}

function record(
  { context, review }: NotifyCall,
  message: { channel: string; ts: string } & Pick<ReviewMessage, 'purpose' | 'told'>,
): Promise<void> {
  const { workspace, id } = review.post;
  return saveHeldPostMessage(context.db, {
    workspace,
    held_post: id,
    ...message,
    sent_at: context.clock(),
  });
}

/** Makes a call to Slack. Resolves with undefined after a permanent failure, and throws after a temporary one. */
export async function tryCall<Result>(
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
