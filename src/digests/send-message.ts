import type { ImageBlock, KnownBlock } from '@slack/types';
import { WebAPIRateLimitedError, WebAPIRequestError, type WebClient } from '@slack/web-api';
import { disableParsing, type Message } from '../slack/message.ts';
import { getSlackErrorCode } from '../slack/slack-errors.ts';
import type { PauseReason } from './digest.ts';

/** The result of sending one message. Unless it is `sent` or `unknown`, Slack certainly doesn't have the message. */
export type SendResult =
  | { kind: 'sent'; ts: string | undefined; conversation: string | undefined }
  | { kind: 'rate-limited'; waitMs: number }
  | { kind: 'not-reached' }
  | { kind: 'no-channel'; reason: PauseReason }
  | { kind: 'no-access' }
  /** The bot's account is inactive. Slack also answers this for a while during outages. */
  | { kind: 'inactive' }
  | { kind: 'refused'; code: string }
  | { kind: 'unknown'; cause: string };

/** The result of a message for which no request was made. */
export const NOT_SENT: SendResult = { kind: 'not-reached' };

/** The longest `Retry-After` of Slack's that is followed. Our own choice. */
const MAX_WAIT_MS = 60 * 60 * 1000;
/** The wait if Slack names none. */
const DEFAULT_WAIT_MS = 60 * 1000;

/**
 * The errors of chat.postMessage after which the message certainly doesn't exist. With any other error the outcome is
 * unknown. https://docs.slack.dev/reference/methods/chat.postMessage#errors
 */
const NO_PLACE: Readonly<Record<string, PauseReason>> = {
  is_archived: 'archived',
  channel_not_found: 'not-in-channel',
  not_in_channel: 'not-in-channel',
  user_not_found: 'not-in-channel',
  user_disabled: 'not-in-channel',
  messages_tab_disabled: 'restricted',
  cannot_dm_bot: 'restricted',
  restricted_action: 'restricted',
  restricted_action_read_only_channel: 'restricted',
  restricted_action_thread_only_channel: 'restricted',
};
const NO_ACCESS = [
  'token_revoked',
  'token_expired',
  'invalid_auth',
  'not_authed',
  'app_uninstalled',
  'missing_scope',
  'team_access_not_granted',
];
const REFUSED = [
  'invalid_blocks',
  'invalid_blocks_format',
  'invalid_arguments',
  'invalid_metadata_format',
  'invalid_metadata_schema',
  'metadata_too_large',
  'msg_blocks_too_long',
  'msg_too_long',
  'no_text',
  'too_many_attachments',
];
const LATER = ['ratelimited', 'rate_limited', 'message_limit_exceeded'];
/** Node's error codes for connections that were never established. */
const NEVER_REACHED = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN'];

interface OutgoingMessage {
  channel: string;
  message: Message;
  thread?: string;
  /** The occurrence's id, stored in the message's metadata to find it again. */
  occurrence?: string;
}

/** Calls chat.postMessage once, without retries. Never rejects. */
export async function sendMessage(client: WebClient, posting: OutgoingMessage): Promise<SendResult> {
  const { channel, message, thread, occurrence } = posting;
  try {
    const answer = await client.chat.postMessage({
      channel,
      ...disableParsing(message),
      ...(thread !== undefined && { thread_ts: thread }),
      ...(occurrence !== undefined && {
        metadata: { event_type: DIGEST_SENT, event_payload: { occurrence } },
      }),
    });
    return { kind: 'sent', ts: answer.ts, conversation: answer.channel };
  } catch (error) {
    return classifySendError(error);
  }
}

export const DIGEST_SENT = 'digest_sent';

/** Whether a message exists after an error of Slack's client. */
export function classifySendError(error: unknown): SendResult {
  if (error instanceof WebAPIRateLimitedError)
    return { kind: 'rate-limited', waitMs: retryAfterMs(error.retryAfter) };
  const code = getSlackErrorCode(error);
  if (code === undefined) {
    const reached = error instanceof WebAPIRequestError ? codesOf(error.original) : [];
    if (reached.some((one) => NEVER_REACHED.includes(one))) return { kind: 'not-reached' };
    return { kind: 'unknown', cause: reached.at(-1) ?? (error instanceof Error ? error.name : 'thrown') };
  }
  const place = Object.hasOwn(NO_PLACE, code) ? NO_PLACE[code] : undefined;
  if (place) return { kind: 'no-channel', reason: place };
  if (NO_ACCESS.includes(code)) return { kind: 'no-access' };
  if (code === 'account_inactive') return { kind: 'inactive' };
  if (REFUSED.includes(code)) return { kind: 'refused', code };
  if (LATER.includes(code)) return { kind: 'rate-limited', waitMs: DEFAULT_WAIT_MS };
  return { kind: 'unknown', cause: code };
}

function retryAfterMs(seconds: number): number {
  const ms = seconds * 1000;
  return Number.isFinite(ms) ? Math.min(Math.max(ms, 1000), MAX_WAIT_MS) : DEFAULT_WAIT_MS;
}

/** The codes of an error and of its causes. */
function codesOf(error: unknown): string[] {
  if (!(error instanceof Error)) return [];
  const own = 'code' in error && typeof error.code === 'string' ? [error.code] : [];
  const inner = error instanceof AggregateError ? error.errors.flatMap(codesOf) : [];
  return [...own, ...inner, ...codesOf(error.cause)];
}

/** An image block of an uploaded picture. Uploading into the channel instead would create a message without metadata. */
export function pictureBlock(file: string, picture: { alt: string; title?: string }): KnownBlock {
  const block: ImageBlock = {
    type: 'image',
    slack_file: { id: file },
    alt_text: picture.alt,
    ...(picture.title !== undefined && { title: { type: 'plain_text', text: picture.title } }),
  };
  return block;
}
