import {
  WebAPIHTTPError,
  WebAPIPlatformError,
  WebAPIRateLimitedError,
  WebAPIRequestError,
} from '@slack/web-api';
import { APP_NAME } from './name.ts';

const INVITE = `I am not in this channel. Type \`/invite @${APP_NAME}\` there, then try again.`;

// https://docs.slack.dev/reference/methods/chat.postMessage#errors
const SEND_ERRORS: Readonly<Record<string, string>> = {
  not_in_channel: INVITE,
  // Slack also returns this for a private channel that the bot wasn't invited to.
  channel_not_found: INVITE,
  is_archived: 'This channel is archived, so nothing can be posted there.',
  restricted_action: 'The rules of this workspace do not let me post in this channel.',
  ratelimited: 'Slack asks me to wait a moment. Please try again in a minute.',
};

/** Errors that are about the state of Slack, not about the request. */
const TRANSIENT = ['ratelimited', 'internal_error', 'fatal_error', 'service_unavailable', 'request_timeout'];

/** Slack's error code (`not_in_channel` …). Undefined for any other error. */
export function slackErrorCode(error: unknown): string | undefined {
  if (error instanceof WebAPIRateLimitedError) return 'ratelimited';
  return error instanceof WebAPIPlatformError ? error.data.error : undefined;
}

/** mrkdwn: why a message couldn't be sent. Undefined if it is nothing that the person could fix. */
export function sendErrorText(error: unknown): string | undefined {
  return SEND_ERRORS[slackErrorCode(error) ?? ''];
}

/** The modal was closed or changed, so the update no longer applies. */
export function isViewGone(error: unknown): boolean {
  const code = slackErrorCode(error);
  return code === 'not_found' || code === 'hash_conflict' || code === 'view_not_found';
}

/** Slack is busy, failing or unreachable: the same call may succeed later. */
export function isTransient(error: unknown): boolean {
  const isNetworkError = error instanceof WebAPIRequestError || error instanceof WebAPIHTTPError;
  return isNetworkError || TRANSIENT.includes(slackErrorCode(error) ?? '');
}

/** The trigger id is older than 3 s or was already used. Slack reports this with two error codes, or in a message. */
export function isTriggerSpent(error: unknown): boolean {
  if (!(error instanceof WebAPIPlatformError)) return false;
  const { error: code, response_metadata: metadata } = error.data;
  if (code === 'expired_trigger_id' || code === 'exchanged_trigger_id') return true;
  return (
    code === 'invalid_arguments' &&
    (metadata?.messages ?? []).some((text) => /trigger_id.*expired/i.test(text))
  );
}
