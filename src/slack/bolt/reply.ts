import type { WebClient } from '@slack/web-api';
import { section } from '../blocks.ts';
import { inert, type Message } from '../message.ts';
import { slackErrorCode } from '../slack-trouble.ts';
import type { Acknowledgement } from './acknowledgement.ts';
import type { Request, RequestOf } from './payloads.ts';
import { respond } from './response-url.ts';
import { addressOf, HOME_OPENED } from './run-event.ts';

/** A request that is answered, and what the answer goes through. */
interface Answering {
  request: Request;
  client: WebClient;
  ack: Acknowledgement;
  apiUrl: string | undefined;
}

/** The bot is not, or no longer, where it was spoken to, or not together with the person. */
const NOT_THERE = ['not_in_channel', 'channel_not_found', 'user_not_in_channel', 'is_archived'];

/** Says something to the person alone, where they asked; elsewhere than in a message, as a direct message. */
export async function reply(at: Answering, message: Message, replace: boolean): Promise<void> {
  const { request, client, ack, apiUrl } = at;
  if (request.kind === 'event') return replyToEvent(request, client, message);
  if (request.kind === 'command') {
    if (await ack.give({ ...inert(message), response_type: 'ephemeral' })) return;
  }
  const responseUrl = 'response_url' in request ? request.response_url : undefined;
  if (responseUrl !== undefined) {
    const thread = threadOf(request);
    const into = thread === undefined ? {} : { thread };
    return respond(responseUrl, message, { replace, apiUrl, ...into });
  }
  await toPerson(client, request.kind === 'command' ? request.user_id : request.user.id, message);
}

/** The thread that somebody asked from. */
export function threadOf(request: Request): string | undefined {
  if (request.kind === 'event') return request.event.thread_ts;
  return request.kind === 'action' ? request.container?.thread_ts : undefined;
}

async function replyToEvent(request: RequestOf<'event'>, client: WebClient, message: Message): Promise<void> {
  const { user = '', channel = '', type } = request.event;
  const thread = threadOf(request);
  const there = { channel, ...(thread !== undefined && { thread_ts: thread }) };
  const address = addressOf(request);
  if (address === 'direct') return void (await client.chat.postMessage({ ...there, ...inert(message) }));
  if (address === 'mention') return toOneIn(client, { ...there, user }, message);
  if (type !== HOME_OPENED) throw new Error(`nobody asked for an answer with ${type}`);
  const blocks = message.blocks ?? [section(message.text)];
  await client.views.publish({ user_id: user, view: { type: 'home', blocks } });
}

async function toOneIn(
  client: WebClient,
  at: { channel: string; user: string; thread_ts?: string },
  message: Message,
): Promise<void> {
  try {
    await client.chat.postEphemeral({ ...at, ...inert(message) });
  } catch (error) {
    if (!NOT_THERE.includes(slackErrorCode(error) ?? '')) throw error;
    await toPerson(client, at.user, message);
  }
}

async function toPerson(client: WebClient, user: string, message: Message): Promise<void> {
  await client.chat.postMessage({ channel: user, ...inert(message) });
}
