import { getString, isRecord } from '../json.ts';
import { Refusal } from '../refusal.ts';
import type { Site } from '../site.ts';
import { findMessage } from '../state/messages.ts';
import { acceptContent } from './accept-content.ts';
import { removeMessage, rewriteMessage, writeMessage } from './write-message.ts';

/** The conversation and the person of an interaction, and the ts of its message. */
interface RespondTo {
  channel: string;
  person: string;
  ts?: string;
}

const isTrue = (value: unknown): boolean => value === true || value === 'true';

/**
 * Applies the response of an app, through a response_url or in the acknowledgement of a command. It sends a message, to
 * the person only unless `response_type` is `in_channel`, or it replaces or deletes the message of the interaction.
 */
export function respond(site: Site, to: RespondTo, response: unknown): void {
  const body = typeof response === 'string' ? { text: response } : response;
  if (!isRecord(body)) throw new Refusal('invalid_payload');
  const original = to.ts === undefined ? undefined : findMessage(site, to.channel, to.ts);
  if (isTrue(body.delete_original)) {
    if (original) removeMessage(site, original);
    return;
  }
  const { blocks, attachments } = body;
  const content = acceptContent(site, {
    text: getString(body, 'text') ?? '',
    // Unlike the Web API, responses may contain null for no blocks.
    blocks: blocks ?? undefined,
    attachments,
  });
  if (isTrue(body.replace_original) && original) {
    rewriteMessage(site, original, content);
    return;
  }
  const threadTs = getString(body, 'thread_ts');
  writeMessage(site, {
    channel: to.channel,
    user: site.state.app.botUserId,
    ...content,
    ...(threadTs === undefined ? {} : { threadTs }),
    ...(body.response_type === 'in_channel' ? {} : { ephemeralTo: to.person }),
  });
}
