import type { WebClient } from '@slack/web-api';
import { MINUTE_MS, readLocalTime } from '../../durations.ts';
import { parseMenuChoice } from '../../slack/blocks.ts';
import { LIMITS } from '../../slack/limits.ts';
import type { Log } from '../../slack/log.ts';
import { buildFailureMessage, type Message } from '../../slack/message.ts';
import { buildMessageResponse, isThirdView } from '../../slack/message-view.ts';
import { NotAllowed } from '../../slack/not-allowed.ts';
import { RateLimited } from '../../slack/rate-limits.ts';
import { createTimeLimit } from '../answer-when-ready.ts';
import type { Call, Handler, SubmissionResponse } from '../call.ts';
import { toOpenView, toSubmissionResponse } from './calls.ts';
import { replaceFallback, toFallbackId } from './failure.ts';
import type { Request, RequestOfKind } from './payloads.ts';
import { findHandler, type RouterOptions } from './routing.ts';

/** Acknowledges the request. Returns false if it was already acknowledged. */
export type Acknowledge = (payload?: unknown) => Promise<boolean>;

const UNSEALED_STATES = { open: (value: string): string | undefined => value };

export async function runAction(
  options: RouterOptions,
  request: RequestOfKind<'action'>,
  call: Call,
): Promise<void> {
  const [action] = request.actions;
  const choice = action && parseMenuChoice(action.action_id, action.selected_option?.value);
  const id = choice?.id ?? action?.action_id ?? '';
  const found = action && findHandler(options.features, (feature) => feature.actions, id);
  if (!found) {
    options.log.warn({ reference: call.reference, action: action?.action_id }, 'no handler for action');
    return call.reply(buildOutdatedMessage());
  }
  const isButton = action.type === 'button' || choice !== undefined;
  const permittedCall = await options.permit(call, found.feature, {
    surface: 'action',
    id,
    isButton,
  });
  const ts = request.container?.is_ephemeral ? undefined : request.container?.message_ts;
  const { buttonStates = UNSEALED_STATES } = options;
  const pressedValue = choice?.value ?? action.value;
  const value =
    typeof pressedValue === 'string' ? buttonStates.open(pressedValue, call.actor, call.now()) : undefined;
  await runRecorded(found.handler, {
    ...permittedCall,
    action: {
      id,
      ...(value !== undefined && { value }),
      ...(choice && { isFromMenu: true }),
      ...(action.selected_option && { selectedValue: action.selected_option.value }),
      ...(action.action_ts !== undefined && { actedAt: action.action_ts }),
    },
    ...(request.view?.type === 'modal' && { view: toOpenView(request.view) }),
    ...(request.channel && ts !== undefined && { message: { channel: request.channel.id, ts } }),
  });
}

/** Runs a handler. If it fails, the audit log says what that means. */
async function runRecorded<C extends Call>(handler: Handler<C>, call: C): Promise<void> {
  try {
    await handler.run(call);
  } catch (error) {
    const isRefused = error instanceof RateLimited || error instanceof NotAllowed;
    call.recordOutcome?.(isRefused ? 'unchanged' : 'unknown');
    throw error;
  }
}

export async function runShortcut(
  options: RouterOptions,
  request: RequestOfKind<'shortcut'>,
  call: Call,
): Promise<void> {
  const found = findHandler(options.features, (feature) => feature.shortcuts, request.callback_id);
  if (!found) {
    options.log.warn({ reference: call.reference, shortcut: request.callback_id }, 'no handler for shortcut');
    return call.reply(buildOutdatedMessage());
  }
  const requested = { surface: 'shortcut', id: request.callback_id } as const;
  const permittedCall = await options.permit(call, found.feature, requested);
  const { message } = request;
  await found.handler.run({ ...permittedCall, ...(message && { message }) });
}

export async function answerOptions(
  options: RouterOptions,
  request: RequestOfKind<'options'>,
  call: Call,
  acknowledge: Acknowledge,
): Promise<void> {
  const found = findHandler(options.features, (feature) => feature.options, request.action_id);
  if (!found) return void (await acknowledge({ options: [] }));
  const requested = { surface: 'options', id: request.action_id } as const;
  const permittedCall = await options.permit(call, found.feature, requested);
  const view = request.view && { view: toOpenView(request.view) };
  const choices = await found.handler.run({ ...permittedCall, query: request.value, ...view });
  await acknowledge({ options: choices.slice(0, LIMITS.options) });
}

export async function submitView(
  options: RouterOptions,
  request: RequestOfKind<'view'>,
  call: Call,
  acknowledge: Acknowledge,
): Promise<void> {
  const view = toOpenView(request.view);
  const found = findHandler(options.features, (feature) => feature.views, view.callbackId);
  if (!found) {
    options.log.warn({ reference: call.reference, view: view.callbackId }, 'no handler for submitted form');
    return void (await acknowledge(buildMessageResponse(request, buildOutdatedMessage())));
  }
  const { storesEntry } = found.handler;
  const requested = { surface: 'view', id: view.callbackId, values: view.values, storesEntry } as const;
  const permittedCall = await options.permit(call, found.feature, requested);
  let isAnswered = false;
  await runRecorded(found.handler, { ...permittedCall, view, answer, ...createTimeLimit(call) });

  async function answer(response: SubmissionResponse) {
    if ('errors' in response) permittedCall.recordOutcome?.('unchanged');
    if (await acknowledge(toSubmissionResponse(response))) {
      isAnswered = true;
      return true;
    }
    // Slack can still update the view, but can't show field errors, close it, or open another view on top.
    const isShown = 'view' in response;
    if (isShown) await call.client.views.update({ view_id: view.id, view: response.view });
    // The fallback was sent at the deadline. In place of a third view, it was that view, which shows the answer now.
    const isCovered = !isAnswered && !(isShown && isThirdView(request));
    if (isCovered) await replaceFallback(call, { text: findLateText(response) });
    return isShown;
  }
}

function findLateText(response: SubmissionResponse): string {
  if ('view' in response) return 'That took a while. Go back to see the result.';
  if ('close' in response) return 'That took a while, but it’s done.';
  return 'That took a while, and nothing has been done yet. Go back, and submit the form again.';
}

/** Builds the acknowledgement for a request that no handler has acknowledged before the deadline. */
export function buildLateResponse(request: Request, reference: string): unknown {
  if (request.kind === 'options') return { options: [] };
  if (request.kind !== 'view') return undefined;
  const text =
    'That took too long, and I don’t know whether it was done. Check `/upnext` before you repeat it.';
  return buildMessageResponse(request, buildFailureMessage(text, reference), toFallbackId({ reference }));
}

/** Builds the acknowledgement of an unknown request from the kind of the request. */
export function buildUnknownResponse(body: unknown): object | undefined {
  const kind = findPayloadType(body);
  // An empty acknowledgement would close the form and lose its content.
  if (kind === 'view_submission') return buildMessageResponse(body, buildOutdatedMessage());
  return kind?.endsWith('_suggestion') ? { options: [] } : undefined;
}

/**
 * The types of Slack's payloads: https://docs.slack.dev/reference/interaction-payloads and
 * https://docs.slack.dev/apis/events-api. The second and the third line contain types of older features.
 */
const PAYLOAD_TYPES = [
  ...['block_actions', 'block_suggestion', 'message_action', 'shortcut', 'view_closed', 'view_submission'],
  ...['dialog_cancellation', 'dialog_submission', 'dialog_suggestion'],
  ...['interactive_message', 'workflow_step_edit'],
  ...['app_rate_limited', 'event_callback', 'url_verification'],
];

/** Returns the `type` of a payload if it is one of Slack's types. Any other text may be content, which isn't logged. */
export function findPayloadType(body: unknown): string | undefined {
  const type = typeof body === 'object' && body !== null && 'type' in body ? body.type : undefined;
  return PAYLOAD_TYPES.find((known) => known === type);
}

/** Logs a request that the app can't read. After `app_rate_limited`, Slack sends no events for the rest of a minute. */
export function logUnknownRequest(log: Log, body: unknown, fields: object = {}): void {
  const kind = findPayloadType(body);
  log.warn(
    { ...fields, kind },
    kind === 'app_rate_limited' ? 'app_rate_limited: Slack drops events' : 'unknown request',
  );
}

/** Minimum time between two attempts to look up our own app id. */
const LOOKUP_INTERVAL_MS = 10 * MINUTE_MS;

/**
 * Creates a filter for requests that belong to another app (`api_app_id`) but were sent to our address. They are
 * acknowledged without running a handler. Only `bots.info` returns our own app id, so the filter accepts all requests
 * until this call has succeeded.
 */
export function createForeignAppFilter(log: Log) {
  let ownAppId: string | undefined;
  let nextLookupAt = 0;
  const fetchOwnAppId = async (client: WebClient, bot: string): Promise<void> => {
    const { bot: found } = await client.bots.info({ bot });
    ownAppId = found?.app_id;
  };
  const isForAnotherApp = (body: unknown) => {
    const namedAppId = getAppId(body);
    return ownAppId !== undefined && namedAppId !== undefined && namedAppId !== ownAppId;
  };
  return {
    isForeign: isForAnotherApp,
    /** Acknowledges a request for another app. Returns false if the request is for this app. */
    async acknowledgeForeignRequest(
      body: unknown,
      ack: (payload?: unknown) => Promise<void>,
    ): Promise<boolean> {
      if (!isForAnotherApp(body)) return false;
      const kind = findPayloadType(body);
      log.warn({ app: getAppId(body), kind }, 'request for another app');
      await ack(buildUnknownResponse(body));
      return true;
    },
    lookUpOwnAppId(client: WebClient, bot: string | undefined): void {
      if (ownAppId !== undefined || bot === undefined || readLocalTime() < nextLookupAt) return;
      nextLookupAt = readLocalTime() + LOOKUP_INTERVAL_MS;
      fetchOwnAppId(client, bot).catch((error: unknown) => log.debug({ err: error }, 'app id lookup failed'));
    },
  };
}

function getAppId(body: unknown): string | undefined {
  const appId =
    typeof body === 'object' && body !== null && 'api_app_id' in body ? body.api_app_id : undefined;
  return typeof appId === 'string' && appId !== '' ? appId : undefined;
}

/** Builds the reply to a button or form of another version of the app. */
function buildOutdatedMessage(): Message {
  return {
    text: 'This is from an older version of Upnext. See all commands with `/upnext help`.',
  };
}
