import type { WebClient } from '@slack/web-api';
import type { Call } from '../handlers/call.ts';
import { within } from '../promises.ts';

/** Lifetime of a cached list of emoji. */
const CACHE_TTL_MS = 60_000;

interface EmojiList {
  /** Ms since the epoch. */
  fetchedAt: number;
  /** Without colons. Resolves with undefined if Slack didn't list the emoji. */
  names: Promise<ReadonlySet<string> | undefined>;
}

/** Cached lists of emoji, by client. A workspace has one client as long as its token is valid. */
const emojiCache = new WeakMap<WebClient, EmojiList>();

/** Returns the names of the workspace's custom emoji, without colons. Undefined if Slack doesn't list them in time. */
export async function getWorkspaceEmoji(call: Call): Promise<ReadonlySet<string> | undefined> {
  let list = emojiCache.get(call.client);
  if (!list || call.receivedAt - list.fetchedAt >= CACHE_TTL_MS) {
    list = { fetchedAt: call.receivedAt, names: fetchEmojiNames(call) };
    emojiCache.set(call.client, list);
  }
  return within(call.context.pace.formReadMs, list.names);
}

async function fetchEmojiNames({ client, log, reference }: Call): Promise<ReadonlySet<string> | undefined> {
  try {
    const { emoji } = await client.emoji.list();
    return new Set(Object.keys(emoji ?? {}));
  } catch (error) {
    // The scope `emoji:read` is missing, or Slack is busy.
    log.debug({ reference, err: error }, 'could not list the emoji of the workspace');
    return undefined;
  }
}
