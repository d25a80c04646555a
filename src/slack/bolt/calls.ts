import { performance } from 'node:perf_hooks';
import type { WebClient } from '@slack/web-api';
import type { Call, ChosenMessage, OpenView, Prefill, SubmissionAnswer } from '../../app/call.ts';
import { mapButtonValues } from '../message-buttons.ts';
import type { Acknowledgement } from './acknowledgement.ts';
import type { RouterOptions } from './frame.ts';
import type { Request, RequestOf, ViewPayload } from './payloads.ts';
import { reply, threadOf } from './reply.ts';
import { HOME_OPENED } from './run-event.ts';

/** How a request of Slack's becomes what a handler gets. `type` does what a line says. */
export function callFor(
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
    who: askerOf(request),
    client,
    log: frame.log,
    reference,
    receivedAt: performance.now(),
    ...(trigger !== undefined && { trigger }),
    ...(channel !== undefined && { channel }),
    ...(thread !== undefined && { thread }),
    now: frame.now,
    // Until `permit` says what they may.
    may: () => false,
    permit: notAsked,
    permitForm: notAsked,
    countCostly: () => frame.limits?.count('costly', call.who),
    acknowledge: async () => {
      // A submission's empty acknowledgement would close the form and lose its words.
      if (request.kind !== 'view' && request.kind !== 'options') await ack.give();
    },
    reply: (message, options) =>
      reply({ request, client, ack, apiUrl: frame.apiUrl }, call.sealed(message), options?.replace ?? false),
    sealed: (message) =>
      mapButtonValues(message, (value) => frame.state?.seal(value, call.who, frame.now()) ?? value),
    open: async (name: string, prefill: Prefill) => {
      const feature = frame.features.find((one) => one.name === name);
      if (!feature?.open) throw new Error(`no feature opens as "${name}"`);
      const allowed = await frame.permit(call, name, { surface: 'open' });
      await feature.open(allowed, prefill);
    },
    type: (line) => type(call, line),
  };
  return call;
}

async function notAsked(): Promise<void> {
  throw new Error('nobody has asked yet what this person may do');
}

function askerOf(request: Request): Call['who'] {
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
      // The one with the app, which is open beside its Home.
      return request.event.type === HOME_OPENED ? undefined : request.event.channel;
    case 'view':
      return undefined;
    default:
      return request.channel?.id;
  }
}

/** The message that a shortcut was chosen on. */
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
    async permalink() {
      try {
        return (await client.chat.getPermalink({ channel: channel.id, message_ts: ts })).permalink;
      } catch {
        // A private channel or a direct message that the bot is not in.
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

/** In Slack's shape, for the acknowledgement of a submission. */
export function submissionAnswer(answer: SubmissionAnswer): object {
  return 'errors' in answer
    ? { response_action: 'errors', errors: answer.errors }
    : { response_action: 'update', view: answer.view };
}
