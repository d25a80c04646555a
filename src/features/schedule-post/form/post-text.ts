import { setTimeout as delay } from 'node:timers/promises';
import type { WebClient } from '@slack/web-api';
import type { Call } from '../../../app/call.ts';
import { replaceEmojiCodes } from '../../../slack/text/text.ts';
import type { PostFormContext } from './post-form-context.ts';
import { joinTexts } from './text-parts.ts';

interface TextState {
  values: Parameters<typeof joinTexts>[0];
  formContext: Pick<PostFormContext, 'customEmoji'>;
}

/** Matches every text that may contain an emoji code. */
const MAYBE_CODE = /:[^\s:]{1,100}:/u;

/**
 * Builds the text to send: joins all text fields and replaces `:codes:` with emoji. `customCodes`: the codes, without
 * colons, of emoji that exist only in the workspace.
 */
export function buildPostText({ values, formContext }: TextState): {
  text: string;
  customCodes: readonly string[];
  hasCodes: boolean;
} {
  const typedText = joinTexts(values);
  if (!MAYBE_CODE.test(typedText)) return { text: typedText, customCodes: [], hasCodes: false };
  const { customEmoji } = formContext;
  const { text, customEmoji: customCodes } = replaceEmojiCodes(
    typedText,
    customEmoji ? { workspaceEmoji: new Set(customEmoji) } : {},
  );
  return { text, customCodes, hasCodes: text !== typedText };
}

/**
 * Stores the workspace's custom emoji that the text contains, if Slack lists its emoji in time. Otherwise
 * `buildPostText` guesses which codes are custom emoji.
 */
export async function updateCustomEmoji<Context extends PostFormContext>(
  { values, formContext }: { values: TextState['values']; formContext: Context },
  call: Call,
): Promise<Context> {
  const contextWithoutEmoji = { ...formContext, customEmoji: undefined };
  const typedText = joinTexts(values);
  if (!MAYBE_CODE.test(typedText))
    return formContext.customEmoji === undefined ? formContext : contextWithoutEmoji;
  const workspaceEmoji = await getWorkspaceEmoji(call);
  if (!workspaceEmoji) return formContext.customEmoji === undefined ? formContext : contextWithoutEmoji;
  const { customEmoji } = replaceEmojiCodes(typedText, { workspaceEmoji });
  return { ...formContext, customEmoji };
}

/** Lifetime of a cached list of emoji. */
const CACHE_TTL_MS = 60_000;

/** How long an acknowledgement waits for the list of emoji. */
const LIST_TIMEOUT_MS = 600;

interface CachedEmoji {
  readAt: number;
  names: Promise<ReadonlySet<string> | undefined>;
}

/** Cached lists of emoji, by client. A workspace has one client as long as its token is valid. */
const cachedEmoji = new WeakMap<WebClient, CachedEmoji>();

/** Returns the names of the workspace's custom emoji, without colons. Undefined if Slack doesn't list them in time. */
async function getWorkspaceEmoji(call: Call): Promise<ReadonlySet<string> | undefined> {
  const cached = cachedEmoji.get(call.client);
  const isFresh = cached !== undefined && call.receivedAt - cached.readAt < CACHE_TTL_MS;
  const { names } = isFresh ? cached : fetchEmoji(call);
  return Promise.race([names, delay(LIST_TIMEOUT_MS, undefined, { ref: false })]);
}

function fetchEmoji(call: Call): CachedEmoji {
  const cached = { readAt: call.receivedAt, names: listEmoji(call) };
  cachedEmoji.set(call.client, cached);
  return cached;
}

async function listEmoji({ client, log, reference }: Call): Promise<ReadonlySet<string> | undefined> {
  try {
    const { emoji } = await client.emoji.list();
    return new Set(Object.keys(emoji ?? {}));
  } catch (error) {
    // The scope `emoji:read` is missing, or Slack is busy.
    log.debug({ reference, reason: String(error) }, 'could not list the emoji of the workspace');
    return undefined;
  }
}
