import type { Call } from '../../app/call.ts';
import type { Message } from '../message.ts';
import { messageView } from '../message-view.ts';
import { APP_NAME } from '../name.ts';
import { noChoice } from '../no-choice.ts';
import { NotAllowed } from '../not-allowed.ts';
import { RateLimited, secondsText } from '../rate-limits.ts';
import { isTriggerSpent } from '../slack-errors.ts';
import type { Acknowledgement } from './frame.ts';
import type { Request } from './payloads.ts';
import { awaitsAnswer } from './run-event.ts';

/**
 * The single error handler for requests. The person gets a message with a reference, and the log gets the error with
 * the same reference. Never throws.
 */
export async function answerFailure(failed: {
  error: unknown;
  request: Request;
  call: Call;
  ack: Acknowledgement;
  /** The outcome is unknown: the handler may have done its work before it failed. */
  mayBeDone?: boolean;
}): Promise<void> {
  const { request, call, ack, mayBeDone = false } = failed;
  const { reference, log } = call;
  const error = unwrapError(failed.error);
  const facts = { reference, kind: request.kind, user: call.actor.user, workspace: call.actor.workspace };
  const isLimited = error instanceof RateLimited;
  // Reached rate limits are logged where requests are counted.
  if (isLimited) log.debug(facts, 'rate limited');
  else if (error instanceof NotAllowed) log.info(facts, 'not allowed');
  else log.error({ ...facts, err: error }, 'request failed');
  const isHalfDone = request.kind === 'view' && ack.given;
  const how = mayBeDone ? 'unsure' : isHalfDone ? 'half-done' : 'not-done';
  const message =
    isLimited && request.kind === 'view' ? waitWithForm(error) : messageFor(error, reference, how);
  try {
    if (request.kind === 'options')
      await ack.give({ options: isLimited ? noChoice(tooManySearches(error)) : [] });
    // On top of the form, which stays open underneath with its content.
    else if (
      request.kind === 'view' &&
      (await ack.give({ response_action: 'push', view: messageView(message) }))
    )
      return;
    // The person was notified a moment ago, and another message would cost as much as the request.
    else if (isLimited && error.isNotified && !isAnsweredInAck(request)) return;
    else if (request.kind === 'action' && request.view?.type === 'modal') await pushMessage(call, message);
    // Nobody waits for an answer to an event that no person caused.
    else if (request.kind === 'event' && !awaitsAnswer(request)) return;
    else await call.reply(message);
  } catch (second) {
    log.error({ reference, err: second }, 'could not notify the person of a failed request');
  }
}

/** Slack accepts the answer as the acknowledgement, without another API call. */
function isAnsweredInAck({ kind }: Request): boolean {
  return kind === 'command' || kind === 'view';
}

function waitWithForm({ problem, seconds }: RateLimited): Message {
  const wait = secondsText(seconds);
  return {
    text: `${problem}, so nothing was sent. Your form is still here: go back and submit it again in ${wait}.`,
  };
}

function tooManySearches({ seconds }: RateLimited): string {
  return `Too many searches: type on in ${secondsText(seconds)}`;
}

function messageFor(error: unknown, reference: string, how: 'not-done' | 'half-done' | 'unsure'): Message {
  if (error instanceof NotAllowed) return error.copy;
  if (how === 'unsure') return { text: unsure(reference) };
  return { text: how === 'half-done' ? halfDone(reference) : failureText(error, reference) };
}

function unsure(reference: string): string {
  return `My database didn’t answer, so I’m not sure this was done. Check before you try again. Reference: ${reference}`;
}

/** Shows a message on top of the modal with the pressed button, or as a reply if Slack accepts no further modal. */
export async function pushMessage(call: Call, message: Message, close?: string): Promise<void> {
  if (call.trigger === undefined) return call.reply(message);
  try {
    await call.client.views.push({
      trigger_id: call.trigger,
      view: messageView(call.sealButtons(message), close),
    });
  } catch {
    // The trigger has expired or three modals are open already.
    await call.reply(message);
  }
}

/** For a form that was acknowledged before the failure: its work may have been done. */
function halfDone(reference: string): string {
  return `Something went wrong on our side, and I do not know how it ended. See \`/upnext\` before you send it again. Reference: ${reference}`;
}

function failureText(error: unknown, reference: string): string {
  if (isTriggerSpent(error))
    return `Slack took longer than it allows itself. Please try again. Reference: ${reference}`;
  return `Something went wrong on our side. Please try again; if it stays, tell whoever runs ${APP_NAME} this reference: ${reference}`;
}

/** The error that a listener threw. Bolt wraps it. */
export function unwrapError(error: unknown): unknown {
  if (error instanceof Error && 'original' in error && error.original instanceof Error)
    return unwrapError(error.original);
  return error;
}
