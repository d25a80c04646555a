import { performance } from 'node:perf_hooks';
import type { WebClient } from '@slack/web-api';
import type { Call, ChosenMessage, OpenView, Prefill, SubmissionAnswer } from '../../app/call.ts';
import { section } from '../blocks.ts';
import { inert, type Message } from '../message.ts';
import { mapButtonValues } from '../message-buttons.ts';
import { slackErrorCode } from '../slack-errors.ts';
import type { Acknowledgement, RouterOptions } from './frame.ts';
import type { Request, RequestOf, ViewPayload } from './payloads.ts';
import { respond } from './response-url.ts';
import { HOME_OPENED, messageKind } from './run-event.ts';

/** Creates the Call that a handler gets, from a request. `type` runs a typed line. */
export function createCall(
  frame: RouterOptions,
  at: { request: Request; client: WebClient; ack: Acknowledgement; reference: string },
  type: (call: Call, line: string) => Promise<void>,
): Call {
  const { request, client, ack, reference } = at;
  const channel = channelOf(request);
  const thread = threadOf(request);
  const trigger = 'trigger_id' in request ? request.trigger_id : undefined;
  const call: Call = {
    context: frame.context,
    catalogue: frame.catalogue,
    actor: actorOf(request),
    client,
    log: frame.log,
    reference,
    receivedAt: performance.now(),
    ...(trigger !== undefined && { trigger }),
    ...(channel !== undefined && { channel }),
    ...(thread !== undefined && { thread }),
    now: frame.now,
    // Nothing is allowed until the permission check returns another Call.
    may: () => false,
    permit: notChecked,
    permitForm: notChecked,
    countCostlyAction: () => frame.limits?.count('costly', call.actor),
    acknowledge: async () => {
      // An empty acknowledgement would close the form and lose its content.
      if (request.kind !== 'view' && request.kind !== 'options') await ack.give();
    },
    reply: (message, options) =>
      reply(
        { request, client, ack, apiUrl: frame.apiUrl },
        call.sealButtons(message),
        options?.replace ?? false,
      ),
    sealButtons: (message) =>
      mapButtonValues(message, (value) => frame.state?.seal(value, call.actor, frame.now()) ?? value),
    openFeature: async (name: string, prefill: Prefill) => {
      const feature = frame.features.find((one) => one.name === name);
      if (!feature?.open) throw new Error(`no feature opens as "${name}"`);
      const allowed = await frame.permit(call, name, { surface: 'open' });
      await feature.open(allowed, prefill);
    },
    runLine: (line) => type(call, line),
  };
  return call;
}

async function notChecked(): Promise<void> {
  throw new Error('permissions of this call have not been checked yet');
}

function actorOf(request: Request): Call['actor'] {
  if (request.kind === 'command') return { workspace: request.team_id, user: request.user_id };
  if (request.kind !== 'event') return { workspace: request.team.id, user: request.user.id };
  const { event, team_id: team, authorizations } = request;
  return { workspace: authorizations?.[0]?.team_id ?? team, user: event.inviter ?? event.user ?? '' };
}

function channelOf(request: Request): string | undefined {
  switch (request.kind) {
    case 'command':
      return request.channel_id;
    case 'event':
      // Home's channel is the direct message with the app, where nobody typed anything.
      return request.event.type === HOME_OPENED ? undefined : request.event.channel;
    case 'view':
      return undefined;
    default:
      return request.channel?.id;
  }
}

/** The message for which a message shortcut was chosen. */
export function chosenMessage(request: RequestOf<'shortcut'>, client: WebClient): ChosenMessage | undefined {
  if (!request.message) return undefined;
  const { channel, message } = request;
  const { ts, text, blocks, files, user, bot_id: bot, thread_ts: thread } = message;
  const author = user ?? bot;
  return {
    text,
    blocks,
    files,
    channel: channel.id,
    ts,
    ...(thread !== undefined && { thread }),
    ...(author !== undefined && { user: author }),
    async fetchPermalink() {
      try {
        return (await client.chat.getPermalink({ channel: channel.id, message_ts: ts })).permalink;
      } catch {
        // The bot isn't in this private channel or direct message.
        return undefined;
      }
    },
  };
}

export function openView(view: ViewPayload): OpenView {
  return {
    id: view.id,
    hash: view.hash,
    callbackId: view.callback_id,
    metadata: view.private_metadata,
    values: view.state.values,
    blockIds: view.blocks.flatMap((block) => block.block_id ?? []),
  };
}

/** The acknowledgement of a submission, in Slack's format. */
export function submissionAnswer(answer: SubmissionAnswer): object {
  return 'errors' in answer
    ? { response_action: 'errors', errors: answer.errors }
    : { response_action: 'update', view: answer.view };
}

/** A request, and the ways to answer it. */
interface Answering {
  request: Request;
  client: WebClient;
  ack: Acknowledgement;
  apiUrl: string | undefined;
}

/** Errors that mean that the bot or the person isn't in the channel, or that it is closed. */
const NOT_IN_CHANNEL = ['not_in_channel', 'channel_not_found', 'user_not_in_channel', 'is_archived'];

/** Sends a message only the actor sees, in the same place as the request; if that has no place, a direct message. */
async function reply(at: Answering, message: Message, replace: boolean): Promise<void> {
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
  await sendDirectMessage(client, request.kind === 'command' ? request.user_id : request.user.id, message);
}

/** The thread that the request came from: the ts of its first message. */
function threadOf(request: Request): string | undefined {
  if (request.kind === 'event') return request.event.thread_ts;
  return request.kind === 'action' ? request.container?.thread_ts : undefined;
}

async function replyToEvent(request: RequestOf<'event'>, client: WebClient, message: Message): Promise<void> {
  const { user = '', channel = '', type } = request.event;
  const thread = threadOf(request);
  const there = { channel, ...(thread !== undefined && { thread_ts: thread }) };
  const address = messageKind(request);
  if (address === 'direct') return void (await client.chat.postMessage({ ...there, ...inert(message) }));
  if (address === 'mention') return sendEphemeral(client, { ...there, user }, message);
  if (type !== HOME_OPENED) throw new Error(`an event of type ${type} can't be answered`);
  const blocks = message.blocks ?? [section(message.text)];
  await client.views.publish({ user_id: user, view: { type: 'home', blocks } });
}

async function sendEphemeral(
  client: WebClient,
  at: { channel: string; user: string; thread_ts?: string },
  message: Message,
): Promise<void> {
  try {
    await client.chat.postEphemeral({ ...at, ...inert(message) });
  } catch (error) {
    if (!NOT_IN_CHANNEL.includes(slackErrorCode(error) ?? '')) throw error;
    await sendDirectMessage(client, at.user, message);
  }
}

async function sendDirectMessage(client: WebClient, user: string, message: Message): Promise<void> {
  await client.chat.postMessage({ channel: user, ...inert(message) });
}
