import type { WebClient } from '@slack/web-api';
import { openSlackFile, type SlackFileFailure, UnreadableSlackFile } from '../slack/slack-file.ts';
import { DAMAGED, TRUNCATED, UnusableMedia } from './byte-input.ts';
import { MAX_MEDIA_BYTES, renderTooLarge } from './read-media.ts';

/** What people read, by the reason for which a file can't be read. */
const PROBLEMS: Readonly<Record<Exclude<SlackFileFailure, 'too-large'>, string>> = {
  deleted: 'This file was deleted in Slack. Upload it again.',
  'not-found':
    'I can’t find this file. It was deleted, or it’s in a conversation without me. Upload it here.',
  'not-shared':
    'This file belongs to another organisation, and I can’t read it. Download it, and upload it here.',
  'not-in-slack': 'This file isn’t stored in Slack. Download it, and upload it here.',
  'not-permitted': 'I’m not allowed to read files here yet. Ask a workspace admin to install Upnext again.',
  'not-readable': 'Slack didn’t let me read this file. Try again.',
  damaged: DAMAGED,
  truncated: TRUNCATED,
};

/** Downloads a picture or video from Slack. Throws UnusableMedia. */
export async function* downloadSlackFile(client: WebClient, id: string): AsyncGenerator<Uint8Array> {
  try {
    yield* (await openSlackFile(client, id, { maxBytes: MAX_MEDIA_BYTES })).read();
  } catch (error) {
    if (!(error instanceof UnreadableSlackFile)) throw error;
    const { failure, bytes, cause } = error;
    throw new UnusableMedia(failure === 'too-large' ? renderTooLarge(bytes) : PROBLEMS[failure], cause);
  }
}
