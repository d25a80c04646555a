import type { WebClient } from '@slack/web-api';
import type { Call, ReplyOptions } from '../../app/call.ts';
import { section } from '../blocks.ts';
import { disableParsing, hasPictures, type Message } from '../message.ts';
import { getSlackErrorCode } from '../slack-errors.ts';
import { getThread, type Request, type RequestOfKind } from './payloads.ts';
import { respond } from './response-url.ts';
import type { Acknowledgement } from './routing.ts';
import { getMessageKind, HOME_OPENED } from './run-event.ts';
import type { ViewReplies } from './view-replies.ts';

/** The request to reply to, and the means to send the reply. */
interface ReplyTarget {
  request: Request;
  client: WebClient;
  ack: Acknowledgement;
  apiUrl: string | undefined;
  viewReplies: ViewReplies | undefined;
  call: Pick<Call, 'log' | 'reference'>;
}

/** Slack's error codes for a channel without the bot or the actor, and for an archived channel. */
const NOT_IN_CHANNEL = ['not_in_channel', 'channel_not_found', 'user_not_in_channel', 'is_archived'];

/** Replies where the request was made: in a modal or an ephemeral message. Otherwise sends a direct message. */
export async function reply(target: ReplyTarget, message: Message, options: ReplyOptions): Promise<void> {
  const { request, client, ack, apiUrl, viewReplies, call } = target;
  if (viewReplies) {
    try {
      return await viewReplies.reply(message, options);
    } catch (err) {
      call.log.warn({ reference: call.reference, err }, 'could not show the reply in a modal');
    }
  }
  if (request.kind === 'event') return replyToEvent(request, client, message);
  // Slack doesn't report whether it could fetch the pictures of an acknowledgement.
  if (request.kind === 'command' && !hasPictures(message.blocks)) {
    if (await ack.send({ ...disableParsing(message), response_type: 'ephemeral' })) return;
  }
  const responseUrl = 'response_url' in request ? request.response_url : undefined;
  if (responseUrl !== undefined) {
    const thread = getThread(request);
    const threadOption = thread === undefined ? {} : { thread };
    return respond(responseUrl, message, { replace: options.replace ?? false, apiUrl, ...threadOption });
  }
  await sendDirectMessage(client, request.kind === 'command' ? request.user_id : request.user.id, message);
}

async function replyToEvent(
  request: RequestOfKind<'event'>,
  client: WebClient,
  message: Message,
): Promise<void> {
  const { user = '', channel = '', type } = request.event;
  const thread = getThread(request);
  const destination = { channel, ...(thread !== undefined && { thread_ts: thread }) };
  const kind = getMessageKind(request);
  if (kind === 'direct')
    return void (await client.chat.postMessage({ ...destination, ...disableParsing(message) }));
  if (kind === 'mention') return sendEphemeral(client, { ...destination, user }, message);
  if (type !== HOME_OPENED) throw new Error(`an event of type ${type} can't be answered`);
  const blocks = message.blocks ?? [section(message.text)];
  await client.views.publish({ user_id: user, view: { type: 'home', blocks } });
}

async function sendEphemeral(
  client: WebClient,
  destination: { channel: string; user: string; thread_ts?: string },
  message: Message,
): Promise<void> {
  try {
    await client.chat.postEphemeral({ ...destination, ...disableParsing(message) });
  } catch (error) {
    if (!NOT_IN_CHANNEL.includes(getSlackErrorCode(error) ?? '')) throw error;
    await sendDirectMessage(client, destination.user, message);
  }
}

async function sendDirectMessage(client: WebClient, user: string, message: Message): Promise<void> {
  await client.chat.postMessage({ channel: user, ...disableParsing(message) });
}
