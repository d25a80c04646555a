import type { ImageBlock } from '@slack/types';
import { WebAPIRateLimitedError, WebAPIRequestError, type WebClient } from '@slack/web-api';
import { HOUR_MS, MINUTE_MS } from '../durations.ts';
import { disableParsing, type Message } from '../slack/message.ts';
import { getSlackErrorCode, type UndeliverableCode } from '../slack/slack-errors.ts';
import { clip } from '../words.ts';
import type { UndeliverableReason } from './digest.ts';

/** The result of sending one message. After `sent`, Slack has it; after `unknown`, it may; after others, it doesn't. */
export type SendResult =
  | { kind: 'sent'; ts: string | undefined; conversation: string | undefined }
  | { kind: 'rate-limited'; waitMs: number }
  | { kind: 'not-reached' }
  | { kind: 'undeliverable'; reason: UndeliverableReason }
  /** Slack called the bot's account inactive. Slack also does so temporarily during outages. */
  | { kind: 'inactive' }
  | { kind: 'refused'; code: string }
  | { kind: 'unknown'; cause: string };

/** The result of a message for which no request was made. */
export const NOT_SENT: SendResult = { kind: 'not-reached' };

/** Maximum wait. A longer wait that Slack requests in `Retry-After` is shortened. */
const MAX_WAIT_MS = HOUR_MS;
/** The wait if Slack's response has no valid `Retry-After`. */
const DEFAULT_WAIT_MS = MINUTE_MS;

/**
 * The message certainly doesn't exist after `account_inactive` and after the errors in the following three lists. After
 * any other error, the outcome is unknown. https://docs.slack.dev/reference/methods/chat.postMessage#errors
 */
const UNDELIVERABLE_ERRORS: Readonly<Record<string, UndeliverableReason>> = {
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
  token_revoked: 'no-access',
  token_expired: 'no-access',
  invalid_auth: 'no-access',
  not_authed: 'no-access',
  app_uninstalled: 'no-access',
  missing_scope: 'no-access',
  team_access_not_granted: 'no-access',
} satisfies Record<UndeliverableCode, UndeliverableReason> & Record<string, UndeliverableReason>;
const REFUSAL_ERRORS = [
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
const RATE_LIMIT_ERRORS = ['ratelimited', 'rate_limited', 'message_limit_exceeded'];
/** Node's error codes of connections that weren't established. */
const NOT_CONNECTED_CODES = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN'];

interface OutgoingMessage {
  channel: string;
  message: Message;
  thread?: string;
  /** The occurrence's id. Reconciliation finds the message by this id in the metadata. */
  occurrence?: string;
}

/** Calls chat.postMessage once, without retries. Never rejects. */
export async function sendMessage(client: WebClient, outgoing: OutgoingMessage): Promise<SendResult> {
  const { channel, message, thread, occurrence } = outgoing;
  try {
    const response = await client.chat.postMessage({
      channel,
      ...disableParsing(message),
      ...(thread !== undefined && { thread_ts: thread }),
      ...(occurrence !== undefined && {
        metadata: { event_type: DIGEST_SENT, event_payload: { occurrence } },
      }),
    });
    return { kind: 'sent', ts: response.ts, conversation: response.channel };
  } catch (error) {
    return classifySendError(error);
  }
}

/** The event type in the metadata of a digest's message. */
export const DIGEST_SENT = 'digest_sent';

export function classifySendError(error: unknown): SendResult {
  if (error instanceof WebAPIRateLimitedError)
    return { kind: 'rate-limited', waitMs: parseRetryAfter(error.retryAfter) };
  const code = getSlackErrorCode(error);
  if (code === undefined) {
    const codes = error instanceof WebAPIRequestError ? collectErrorCodes(error.original) : [];
    if (codes.some((errorCode) => NOT_CONNECTED_CODES.includes(errorCode))) return { kind: 'not-reached' };
    return { kind: 'unknown', cause: codes.at(-1) ?? (error instanceof Error ? error.name : 'thrown') };
  }
  const reason = Object.hasOwn(UNDELIVERABLE_ERRORS, code) ? UNDELIVERABLE_ERRORS[code] : undefined;
  if (reason) return { kind: 'undeliverable', reason };
  if (code === 'account_inactive') return { kind: 'inactive' };
  if (REFUSAL_ERRORS.includes(code)) return { kind: 'refused', code };
  if (RATE_LIMIT_ERRORS.includes(code)) return { kind: 'rate-limited', waitMs: DEFAULT_WAIT_MS };
  return { kind: 'unknown', cause: code };
}

function parseRetryAfter(seconds: number): number {
  const ms = seconds * 1000;
  return Number.isFinite(ms) ? Math.min(Math.max(ms, 1000), MAX_WAIT_MS) : DEFAULT_WAIT_MS;
}

function collectErrorCodes(error: unknown): string[] {
  if (!(error instanceof Error)) return [];
  const ownCodes = 'code' in error && typeof error.code === 'string' ? [error.code] : [];
  const innerCodes = error instanceof AggregateError ? error.errors.flatMap(collectErrorCodes) : [];
  return [...ownCodes, ...innerCodes, ...collectErrorCodes(error.cause)];
}

/** Builds an uploaded picture's block. Uploaded into the channel, it would be a separate message without metadata. */
export function buildPictureBlock(file: string, { alt }: Pick<Picture, 'alt'>): ImageBlock {
  return { type: 'image', slack_file: { id: file }, alt_text: alt };
}

export interface Picture {
  png: Buffer;
  alt: string;
  name: string;
}

/** Stored in the column `file` instead of a file id: the message is sent without its picture, or without any blocks. */
export const [NO_PICTURE, NO_BLOCKS] = ['none', 'no blocks'] as const;

/**
 * Slack's limit for the description of a file. The description in an image block may be twice as long.
 * https://docs.slack.dev/reference/methods/files.getUploadURLExternal
 */
const MAX_FILE_ALT_LENGTH = 1_000;
/** Timeout of an upload. A week's picture is small, so 15 seconds are ample. */
const UPLOAD_TIMEOUT_MS = 15_000;

/** Waits before each attempt to show a picture while a person waits. Slack refuses one that it hasn't processed. */
export const PICTURE_WAITS_MS = [1_000, 1_000, 2_000, 4_000];

/**
 * Uploads a picture without sharing it, and returns the file's id. Rejects if a step fails. The unshared file then
 * stays in Slack, and the next attempt uploads a new file.
 * https://docs.slack.dev/reference/methods/files.getUploadURLExternal
 */
export async function uploadPicture(
  client: WebClient,
  { png, name, alt }: Picture,
  fetchUrl: typeof fetch = fetch,
): Promise<string> {
  const { upload_url: url, file_id: id } = await client.files.getUploadURLExternal({
    filename: name,
    length: png.length,
    alt_text: clip(alt, MAX_FILE_ALT_LENGTH),
  });
  if (url === undefined || id === undefined) throw new Error('Slack returned no upload URL');
  const response = await fetchUrl(url, {
    method: 'POST',
    body: new Uint8Array(png),
    headers: { 'content-type': 'application/octet-stream' },
    redirect: 'error',
    signal: AbortSignal.timeout(UPLOAD_TIMEOUT_MS),
  });
  if (response.status === 429)
    throw new WebAPIRateLimitedError(Number(response.headers.get('retry-after') ?? Number.NaN));
  if (!response.ok) throw new Error(`Slack answered an upload with ${response.status}`);
  await client.files.completeUploadExternal({ files: [{ id, title: name }] });
  return id;
}
