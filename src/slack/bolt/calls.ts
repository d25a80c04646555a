import { performance } from 'node:perf_hooks';
import type { WebClient } from '@slack/web-api';
import { unescapeText } from '../escape.ts';
import type { Call, Catalogue, Feature, Log, OpenView, Prefill, SubmissionAnswer } from '../feature.ts';
import { inert, type Message } from '../message.ts';
import type { Acknowledgement } from './acknowledgement.ts';
import type { Request, ViewPayload } from './payloads.ts';
import { respond } from './response-url.ts';

/** What the calls of one bot have in common. */
export interface Frame<Parts> {
  parts: Parts;
  features: readonly Feature<Parts>[];
  catalogue: Catalogue;
  log: Log;
  now: () => Date;
  apiUrl?: string | undefined;
}

/** How a request of Slack's becomes what a handler gets. */
export function callFor<Parts>(
  frame: Frame<Parts>,
  request: Request,
  client: WebClient,
  ack: Acknowledgement,
  reference: string,
): Call<Parts> {
  const who = askerOf(request);
  const channel = request.kind === 'command' ? request.channel_id : channelOf(request);
  const trigger = 'trigger_id' in request ? request.trigger_id : undefined;
  const call: Call<Parts> = {
    parts: frame.parts,
    catalogue: frame.catalogue,
    who,
    client,
    log: frame.log,
    reference,
    receivedAt: performance.now(),
    ...(trigger !== undefined && { trigger }),
    ...(channel !== undefined && { channel }),
    now: frame.now,
    acknowledge: async () => {
      // A submission's empty acknowledgement would close the form and lose its words.
      if (request.kind === 'command' || request.kind === 'action') await ack.give();
    },
    reply: (message, options) => reply(frame, request, client, ack, message, options?.replace ?? false),
    open: async (name: string, prefill: Prefill) => {
      const feature = frame.features.find((one) => one.name === name);
      if (!feature?.open) throw new Error(`no feature opens as "${name}"`);
      await feature.open(call, prefill);
    },
  };
  return call;
}

function askerOf(request: Request): Call<unknown>['who'] {
  return request.kind === 'command'
    ? { workspace: request.team_id, user: request.user_id }
    : { workspace: request.team.id, user: request.user.id };
}

function channelOf(request: Request): string | undefined {
  return request.kind === 'action' ? request.channel?.id : undefined;
}

async function reply<Parts>(
  frame: Frame<Parts>,
  request: Request,
  client: WebClient,
  ack: Acknowledgement,
  message: Message,
  replace: boolean,
): Promise<void> {
  if (request.kind === 'command') {
    if (await ack.give({ ...inert(message), response_type: 'ephemeral' })) return;
  }
  const responseUrl = 'response_url' in request ? request.response_url : undefined;
  if (responseUrl !== undefined) {
    await respond(responseUrl, message, { replace, apiUrl: frame.apiUrl });
    return;
  }
  await client.chat.postMessage({ channel: askerOf(request).user, ...inert(message) });
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

export function commandWords(text: string): string {
  return unescapeText(text).trim();
}
