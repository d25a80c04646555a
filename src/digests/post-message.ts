import type { ImageBlock, KnownBlock } from '@slack/types';
import { WebAPIRateLimitedError, WebAPIRequestError, type WebClient } from '@slack/web-api';
import { inert, type Message } from '../slack/message.ts';
import { slackErrorCode } from '../slack/slack-trouble.ts';
import type { PausedWhy } from './digest.ts';

/** How one message ended. Everything but `posted` and `unknown` is certain: Slack does not have it. */
export type Sent =
  | { kind: 'posted'; ts: string | undefined; conversation: string | undefined }
  | { kind: 'later'; waitMs: number }
  | { kind: 'not-reached' }
  | { kind: 'no-place'; reason: PausedWhy }
  | { kind: 'no-access' }
  /** The account of the bot is inactive, which Slack also says for a while when it is out of order. */
  | { kind: 'inactive' }
  | { kind: 'refused'; code: string }
  | { kind: 'unknown'; cause: string };

/** What ends so was never handed to Slack. */
export const NOT_SENT: Sent = { kind: 'not-reached' };

/** Nobody waits longer on Slack's word before the next try. A decision of ours. */
const LONGEST_WAIT_MS = 60 * 60 * 1000;
const USUAL_WAIT_MS = 60 * 1000;

/**
 * The errors of chat.postMessage with which Slack certainly did not post, by what they mean for us; what is not listed
 * is unknown. https://docs.slack.dev/reference/methods/chat.postMessage#errors
 */
const NO_PLACE: Readonly<Record<string, PausedWhy>> = {
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
/** Node's codes for a connection that there never was. */
const NEVER_REACHED = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN'];

interface Posting {
  channel: string;
  message: Message;
  thread?: string;
  /** By which the message can be found again. */
  occurrence?: string;
}

/** One call, once; never rejects. */
export async function postMessage(client: WebClient, posting: Posting): Promise<Sent> {
  const { channel, message, thread, occurrence } = posting;
  try {
    const answer = await client.chat.postMessage({
      channel,
      ...inert(message),
      ...(thread !== undefined && { thread_ts: thread }),
      ...(occurrence !== undefined && {
        metadata: { event_type: DIGEST_POSTED, event_payload: { occurrence } },
      }),
    });
    return { kind: 'posted', ts: answer.ts, conversation: answer.channel };
  } catch (error) {
    return sentOf(error);
  }
}

export const DIGEST_POSTED = 'digest_posted';

/** What an error of Slack's client says about a message. */
export function sentOf(error: unknown): Sent {
  if (error instanceof WebAPIRateLimitedError) return { kind: 'later', waitMs: asked(error.retryAfter) };
  const code = slackErrorCode(error);
  if (code === undefined) {
    const reached = error instanceof WebAPIRequestError ? codesOf(error.original) : [];
    if (reached.some((one) => NEVER_REACHED.includes(one))) return { kind: 'not-reached' };
    return { kind: 'unknown', cause: reached.at(-1) ?? (error instanceof Error ? error.name : 'thrown') };
  }
  const place = Object.hasOwn(NO_PLACE, code) ? NO_PLACE[code] : undefined;
  if (place) return { kind: 'no-place', reason: place };
  if (NO_ACCESS.includes(code)) return { kind: 'no-access' };
  if (code === 'account_inactive') return { kind: 'inactive' };
  if (REFUSED.includes(code)) return { kind: 'refused', code };
  if (LATER.includes(code)) return { kind: 'later', waitMs: USUAL_WAIT_MS };
  return { kind: 'unknown', cause: code };
}

function asked(seconds: number): number {
  const ms = seconds * 1000;
  return Number.isFinite(ms) ? Math.min(Math.max(ms, 1000), LONGEST_WAIT_MS) : USUAL_WAIT_MS;
}

/** The codes of an error and of what caused it. */
function codesOf(error: unknown): string[] {
  if (!(error instanceof Error)) return [];
  const own = 'code' in error && typeof error.code === 'string' ? [error.code] : [];
  const inner = error instanceof AggregateError ? error.errors.flatMap(codesOf) : [];
  return [...own, ...inner, ...codesOf(error.cause)];
}

/** A picture that lies with Slack already: the message keeps its metadata, which an upload into a channel has not. */
export function pictureBlock(file: string, picture: { alt: string; title?: string }): KnownBlock {
  const block: ImageBlock = {
    type: 'image',
    slack_file: { id: file },
    alt_text: picture.alt,
    ...(picture.title !== undefined && { title: { type: 'plain_text', text: picture.title } }),
  };
  return block;
}
