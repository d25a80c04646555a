import type { WebClient } from '@slack/web-api';
import { section } from '../../slack/blocks.ts';
import {
  disableParsing,
  hasPictures,
  type Message,
  mapButtonValues,
  removePictures,
} from '../../slack/message.ts';
import { getSlackErrorCode } from '../../slack/slack-errors.ts';
import { limitText } from '../../text-limits.ts';
import type { Call, OpenView, Prefill, ReplyOptions, SubmissionResponse } from '../call.ts';
import { getThread, type Request, type RequestOfKind, type ViewPayload } from './payloads.ts';
import type { Acknowledgement, RouterOptions } from './routing.ts';
import { getMessageKind, HOME_OPENED } from './run-event.ts';
import { respond, type ViewReplies } from './view-replies.ts';

/** Creates the `Call` for a handler. `runTypedLine` runs a line as if the actor had typed the line. */
export function createCall(
  routerOptions: RouterOptions,
  incoming: {
    request: Request;
    client: WebClient;
    ack: Acknowledgement;
    reference: string;
    viewReplies: ViewReplies | undefined;
    receivedAt: number;
    sentAt: number | undefined;
  },
  runTypedLine: (call: Call, ...typed: Parameters<Call['runLine']>) => Promise<void>,
): Call {
  const { request, client, ack, reference, viewReplies, receivedAt, sentAt } = incoming;
  const channel = getChannel(request);
  const channelName = getChannelName(request);
  const trigger = 'trigger_id' in request ? request.trigger_id : undefined;
  const call: Call = {
    context: routerOptions.context,
    catalogue: routerOptions.catalogue,
    actor: getActor(request),
    client,
    log: routerOptions.log,
    reference,
    receivedAt,
    ...(sentAt !== undefined && { sentAt: new Date(sentAt) }),
    ...(trigger !== undefined && { trigger }),
    ...(channel !== undefined && { channel }),
    ...(channelName !== undefined && { channelName }),
    now: routerOptions.now,
    // This call allows nothing. The permission check returns a copy that allows what the actor may do.
    may: () => false,
    lacks: () => true,
    permit: failUnchecked,
    requireFormPermission: failUnchecked,
    countCostlyAction: () => routerOptions.limits?.count('costly', call.actor),
    acknowledge: async () => {
      // An empty acknowledgement would close the form and lose its content.
      if (request.kind !== 'view' && request.kind !== 'options') await ack.send();
    },
    reply: (message, options = {}) =>
      reply(
        { request, client, ack, apiUrl: routerOptions.apiUrl, viewReplies, call },
        call.sealButtons(message),
        options,
      ),
    async openView(view, options) {
      if (viewReplies) return viewReplies.openView(view, options);
      const opened = await client.views.open({ trigger_id: trigger ?? '', view });
      const { id = '', hash } = opened.view ?? {};
      return { id, ...(hash !== undefined && { hash }) };
    },
    sealButtons: (message) =>
      mapButtonValues(
        message,
        (value) => routerOptions.buttonStates?.seal(value, call.actor, routerOptions.now()) ?? value,
      ),
    openFeature: async (name: string, prefill: Prefill) => {
      const feature = routerOptions.features.find((candidate) => candidate.name === name);
      if (!feature?.open) throw new Error(`no feature opens as "${name}"`);
      const allowed = await routerOptions.permit(call, name, { surface: 'open' });
      await feature.open.run(allowed, prefill);
    },
    runLine: (...typed) => runTypedLine(call, ...typed),
  };
  return call;
}

async function failUnchecked(): Promise<never> {
  throw new Error('permissions of this call have not been checked yet');
}

function getActor(request: Request): Call['actor'] {
  if (request.kind === 'command') return { workspace: request.team_id, user: request.user_id };
  if (request.kind !== 'event') return { workspace: request.team.id, user: request.user.id };
  const { event, team_id: team, authorizations } = request;
  return {
    workspace: authorizations?.[0]?.team_id ?? team,
    user: event.inviter ?? event.user ?? event.user_id ?? '',
  };
}

function getChannel(request: Request): string | undefined {
  if (request.kind === 'view') return undefined;
  if (request.kind === 'command') return request.channel_id;
  if (request.kind !== 'event') return request.channel?.id;
  // For Home, Slack sends the channel of the actor's direct messages with the app. Nobody typed anything there.
  return request.event.type === HOME_OPENED ? undefined : request.event.channel;
}

/** The names that Slack sends for channels that aren't public. */
const HIDDEN_NAMES = ['privategroup', 'directmessage'];

function getChannelName(request: Request): string | undefined {
  const { kind } = request;
  const isInChannel = kind === 'action' || kind === 'shortcut';
  const name = kind === 'command' ? request.channel_name : isInChannel ? request.channel?.name : undefined;
  return name !== undefined && !HIDDEN_NAMES.includes(name) ? limitText(name, 'name') : undefined;
}

export function toOpenView(view: ViewPayload): OpenView {
  return {
    id: view.id,
    hash: view.hash,
    callbackId: view.callback_id,
    metadata: view.private_metadata,
    values: view.state.values,
    blockIds: view.blocks.flatMap((block) => block.block_id ?? []),
    optionalBlockIds: view.blocks.flatMap(({ block_id: id, optional }) => (optional && id) || []),
  };
}

/**
 * Converts the response to a submission to Slack's format. It has no pictures from the web, because Slack doesn't report
 * whether it could fetch the pictures of an acknowledgement.
 */
export function toSubmissionResponse(response: SubmissionResponse): object {
  if ('close' in response) return { response_action: 'clear' };
  if ('errors' in response) return { response_action: 'errors', errors: response.errors };
  return 'push' in response
    ? { response_action: 'push', view: removePictures(response.push) }
    : { response_action: 'update', view: removePictures(response.view) };
}

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
async function reply(target: ReplyTarget, message: Message, options: ReplyOptions): Promise<void> {
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
  if (kind === 'direct' || kind === 'file')
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
