import { setTimeout as delay } from 'node:timers/promises';
import { buildNoteOptions, unescapeText } from '../../slack/blocks.ts';
import { buildFailureMessage, type Message, quoteTyped } from '../../slack/message.ts';
import { buildMessageResponse, buildMessageView } from '../../slack/message-view.ts';
import { NotAllowed, PermissionUnknown } from '../../slack/not-allowed.ts';
import { RateLimited } from '../../slack/rate-limits.ts';
import { isTriggerSpent, isViewChangedOrClosed } from '../../slack/slack-errors.ts';
import { DatabaseUnavailable, isDatabaseFailure } from '../../store/database-unavailable.ts';
import { renderCount } from '../../words.ts';
import type { Call } from '../call.ts';
import type { Request } from './payloads.ts';
import type { Acknowledgement } from './routing.ts';
import { awaitsAnswer } from './run-event.ts';

/** Handles a request's error: sends the actor a message with a reference, and logs it with that. Never throws. */
export async function answerFailure(failure: {
  error: unknown;
  request: Request;
  call: Call;
  ack: Acknowledgement;
  /** Whether the handler may have done what it was for before it failed. Defaults to false. */
  hasChanged?: boolean;
}): Promise<void> {
  const { request, call, ack, hasChanged = false } = failure;
  const { reference, log } = call;
  const error = unwrapError(failure.error);
  const fields = { reference, kind: request.kind, user: call.actor.user, workspace: call.actor.workspace };
  const isLimited = error instanceof RateLimited;
  // `createRateLimits` reports reached limits, so they are not logged again.
  if (isLimited) log.debug(fields, 'rate limited');
  else if (error instanceof NotAllowed) log.info(fields, 'not allowed');
  else log.error({ ...fields, err: error }, 'request failed');
  const mayBeDone = hasChanged || (request.kind === 'view' && ack.isSent());
  const message = call.sealButtons(
    isLimited && request.kind === 'view'
      ? buildLimitedFormMessage(error)
      : addTypedText(buildErrorMessage(error, reference, mayBeDone), request, error),
  );
  try {
    if (request.kind === 'options')
      await ack.send({
        options: isLimited
          ? buildNoteOptions(`Too many searches: type on in ${renderCount(error.seconds, 'second')}`)
          : [],
      });
    else if (request.kind === 'view' && (await ack.send(buildMessageResponse(request, message)))) return;
    else if (request.kind === 'view' && (await replaceFallback(call, message))) return;
    // The actor was notified a moment ago, and another message would cost as much as the request.
    else if (isLimited && error.wasRecentlyNotified && !isAnsweredInAck(request)) return;
    else if (request.kind === 'action' && request.view?.type === 'modal') await pushMessage(call, message);
    // Nobody waits for a response to this event.
    else if (request.kind === 'event' && !awaitsAnswer(request)) return;
    else await call.reply(message);
  } catch (replyError) {
    log.error({ reference, err: replyError }, 'could not notify the actor of a failed request');
  }
}

/** The id that Upnext gives to the view of `buildLateResponse`. An acknowledgement returns no id of Slack's. */
export const toFallbackId = ({ reference }: Pick<Call, 'reference'>): string => `late.${reference}`;

/** Replaces the fallback that covers a submitted view. Resolves with false if there is none, or Slack fails. */
export async function replaceFallback(call: Call, message: Message): Promise<boolean> {
  // Slack opens the fallback only after it has read the acknowledgement.
  await delay(call.context.pace.afterAcknowledgementMs);
  try {
    const external_id = toFallbackId(call);
    // Another answer may follow, and an update without the id takes it away from the view.
    await call.client.views.update({ external_id, view: { ...buildMessageView(message), external_id } });
    return true;
  } catch (error) {
    if (!isViewChangedOrClosed(error))
      call.log.warn({ reference: call.reference, err: error }, 'could not replace a late answer');
    return false;
  }
}

/** True if the acknowledgement can contain the message, so that no API call is needed. */
function isAnsweredInAck({ kind }: Request): boolean {
  return kind === 'command' || kind === 'view';
}

function buildLimitedFormMessage({ problem, seconds }: RateLimited): Message {
  const wait = renderCount(seconds, 'second');
  return {
    text: `${problem}, so nothing was sent. Your form is still here: go back and submit it again in ${wait}.`,
  };
}

function buildErrorMessage(error: unknown, reference: string, mayBeDone: boolean): Message {
  if (error instanceof NotAllowed) return error.copy;
  if (!mayBeDone) return buildFailureMessage(renderFailure(error), reference);
  if (isDatabaseFailure(error)) return buildFailureMessage(UNCERTAIN, reference);
  return buildUnsureMessage(reference, '/upnext');
}

/**
 * Builds the message that a form's handler failed after its acknowledgement. It may have done its work, which `command`
 * shows. Without one, it only reads.
 */
export function buildUnsureMessage(reference: string, command?: string): Message {
  if (command === undefined) return buildFailureMessage(renderFailure(undefined), reference);
  const problem = 'Something went wrong, and I don’t know whether this was done.';
  return buildFailureMessage(`${problem} Check \`${command}\` before you repeat it.`, reference);
}

/** Quotes a command that failed and may be typed again, because Slack has emptied the message field. */
function addTypedText(message: Message, request: Request, error: unknown): Message {
  const mayRepeat = error instanceof RateLimited || error instanceof PermissionUnknown;
  const isRefused = error instanceof NotAllowed && !mayRepeat;
  if (request.kind !== 'command' || request.text.trim() === '' || isRefused) return message;
  return quoteTyped(message, `${request.command} ${unescapeText(request.text)}`);
}

const UNCERTAIN = 'My database didn’t answer, so I’m not sure this was done. Check before you try again.';

function renderFailure(error: unknown): string {
  if (isTriggerSpent(error)) return 'That took longer than Slack waits. Please try again.';
  if (error instanceof DatabaseUnavailable) return 'I can’t reach my database. Try again in a minute.';
  return 'Something went wrong. Try again.';
}

/** Shows a message in a modal on top of the current modal, or as a reply if Slack accepts no further modal. */
export async function pushMessage(call: Call, message: Message, close?: string): Promise<void> {
  if (call.trigger === undefined) return call.reply(message);
  try {
    await call.client.views.push({
      trigger_id: call.trigger,
      view: buildMessageView(call.sealButtons(message), close),
    });
  } catch {
    // The trigger id has expired, or three modals are already open.
    await call.reply(message);
  }
}

/** Returns the original error, without the wrappers of Slack's SDK. */
export function unwrapError(error: unknown): unknown {
  if (error instanceof Error && 'original' in error && error.original instanceof Error)
    return unwrapError(error.original);
  return error;
}
