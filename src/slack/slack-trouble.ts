import {
  WebAPIHTTPError,
  WebAPIPlatformError,
  WebAPIRateLimitedError,
  WebAPIRequestError,
} from '@slack/web-api';
import { APP_NAME } from './name.ts';

const INVITE = `I am not in this channel. Type \`/invite @${APP_NAME}\` there, then try again.`;

// https://docs.slack.dev/reference/methods/chat.postMessage#errors
const WORDS: Readonly<Record<string, string>> = {
  not_in_channel: INVITE,
  // Also the answer for a private channel that the bot was not invited to.
  channel_not_found: INVITE,
  is_archived: 'This channel is archived, so nothing can be posted there.',
  restricted_action: 'The rules of this workspace do not let me post in this channel.',
  ratelimited: 'Slack asks me to wait a moment. Please try again in a minute.',
};

/** Not about what was asked, but about Slack at this moment. */
const PASSING = ['ratelimited', 'internal_error', 'fatal_error', 'service_unavailable', 'request_timeout'];

/** Slack's own error string (`not_in_channel` …); undefined for anything else that was thrown. */
export function slackErrorCode(error: unknown): string | undefined {
  if (error instanceof WebAPIRateLimitedError) return 'ratelimited';
  return error instanceof WebAPIPlatformError ? error.data.error : undefined;
}

/** Why a message could not be posted, for the person; undefined where it is nothing that they could mend. */
export function sendErrorText(error: unknown): string | undefined {
  return WORDS[slackErrorCode(error) ?? ''];
}

/** The modal is closed or replaced: there is nothing left to update. */
export function isViewGone(error: unknown): boolean {
  const code = slackErrorCode(error);
  return code === 'not_found' || code === 'hash_conflict' || code === 'view_not_found';
}

/** Slack is busy, out of order or not reached: the same call may go through another time. */
export function isTransient(error: unknown): boolean {
  const isOfTheLine = error instanceof WebAPIRequestError || error instanceof WebAPIHTTPError;
  return isOfTheLine || PASSING.includes(slackErrorCode(error) ?? '');
}

/** The 3 s of a trigger have passed, or it was used: both of Slack's spellings. */
export function isTriggerSpent(error: unknown): boolean {
  if (!(error instanceof WebAPIPlatformError)) return false;
  const { error: code, response_metadata: metadata } = error.data;
  if (code === 'expired_trigger_id' || code === 'exchanged_trigger_id') return true;
  return (
    code === 'invalid_arguments' &&
    (metadata?.messages ?? []).some((text) => /trigger_id.*expired/i.test(text))
  );
}
