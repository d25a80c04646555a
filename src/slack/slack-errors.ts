import {
  WebAPIHTTPError,
  WebAPIPlatformError,
  WebAPIRateLimitedError,
  WebAPIRequestError,
} from '@slack/web-api';
import { APP_NAME } from './name.ts';

const INVITE = `I’m not in this channel. Type \`/invite @${APP_NAME}\` there, then try again.`;

// https://docs.slack.dev/reference/methods/chat.postMessage#errors
const SEND_ERRORS: Readonly<Record<string, string>> = {
  not_in_channel: INVITE,
  // Slack also returns this error for a private channel without the bot.
  channel_not_found: INVITE,
  is_archived: 'This channel is archived.',
  restricted_action: 'This workspace’s rules don’t let me post in this channel.',
  ratelimited: 'Slack is busy. Try again in a minute.',
};

/** Errors caused by the state of Slack, not by the request. */
const TRANSIENT = ['ratelimited', 'internal_error', 'fatal_error', 'service_unavailable', 'request_timeout'];

/**
 * Errors of a message that the person or channel can't get: the account was deactivated, the bot isn't in the channel, or
 * the workspace's rules forbid it. https://docs.slack.dev/reference/methods/chat.postMessage#errors
 */
const UNDELIVERABLE = [
  'is_archived',
  'channel_not_found',
  'not_in_channel',
  'user_not_found',
  'user_disabled',
  'messages_tab_disabled',
  'cannot_dm_bot',
  'restricted_action',
  'restricted_action_read_only_channel',
  'restricted_action_thread_only_channel',
] as const;
export type UndeliverableCode = (typeof UNDELIVERABLE)[number];

/** Returns Slack's error code, for example `not_in_channel`. Undefined if the error isn't a response of Slack. */
export function getSlackErrorCode(error: unknown): string | undefined {
  if (error instanceof WebAPIRateLimitedError) return 'ratelimited';
  return error instanceof WebAPIPlatformError ? error.data.error : undefined;
}

/** Renders in mrkdwn why a message couldn't be sent. Undefined if the actor can't fix the cause. */
export function renderSendError(error: unknown): string | undefined {
  return SEND_ERRORS[getSlackErrorCode(error) ?? ''];
}

/** True if an update failed because the modal was closed or changed. */
export function isViewChangedOrClosed(error: unknown): boolean {
  const code = getSlackErrorCode(error);
  return code === 'not_found' || code === 'hash_conflict' || code === 'view_not_found';
}

/** True if a message can't reach its person or channel until somebody changes something in Slack. */
export function isUndeliverable(error: unknown): boolean {
  const code = getSlackErrorCode(error);
  return UNDELIVERABLE.some((undeliverable) => undeliverable === code);
}

/** It couldn't be found out who reads a message now, so it isn't sent or changed yet. */
export class ReadersUnknown extends Error {
  override name = 'ReadersUnknown';
}

/** True if Slack is busy, failing or unreachable. The same call may succeed later. */
export function isTransient(error: unknown): boolean {
  const isNetworkError = error instanceof WebAPIRequestError || error instanceof WebAPIHTTPError;
  return (
    isNetworkError || error instanceof ReadersUnknown || TRANSIENT.includes(getSlackErrorCode(error) ?? '')
  );
}

/** True if the trigger id is older than 3 s or was used before. Slack reports this as an error code or in a message. */
export function isTriggerSpent(error: unknown): boolean {
  if (!(error instanceof WebAPIPlatformError)) return false;
  const { error: code, response_metadata: metadata } = error.data;
  if (code === 'expired_trigger_id' || code === 'exchanged_trigger_id') return true;
  return (
    code === 'invalid_arguments' &&
    (metadata?.messages ?? []).some((text) => /trigger_id/i.test(text) && /expired/i.test(text))
  );
}

/** Slack refuses a token permanently, so somebody has to change the token or the app. `code` is Slack's error code. */
export class SlackRefused extends Error {
  readonly code: string;
  readonly token: 'bot' | 'app';
  constructor(code: string, token: 'bot' | 'app') {
    super(`Slack refuses the ${token} token: ${code}`);
    this.name = 'SlackRefused';
    this.code = code;
    this.token = token;
  }
}
