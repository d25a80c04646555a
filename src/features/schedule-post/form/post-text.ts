import { setTimeout as delay } from 'node:timers/promises';
import type { WebClient } from '@slack/web-api';
import type { Call } from '../../../app/call.ts';
import { replaceEmojiCodes } from '../../../slack/text/text.ts';
import type { PostFormContext } from './post-form-context.ts';
import { joinedText } from './text-parts.ts';

interface TextState {
  values: Parameters<typeof joinedText>[0];
  formContext: Pick<PostFormContext, 'ownEmoji'>;
}

/** Matches every text that may have an emoji code. */
const MAYBE_CODE = /:[^\s:]{1,100}:/u;

/**
 * The text to send: all text fields joined, with `:codes:` replaced by emoji. `own` has the codes, without colons, of
 * emoji that exist only in the workspace.
 */
export function postText({ values, formContext }: TextState): {
  text: string;
  own: readonly string[];
  hasCodes: boolean;
} {
  const written = joinedText(values);
  if (!MAYBE_CODE.test(written)) return { text: written, own: [], hasCodes: false };
  const { ownEmoji } = formContext;
  const { text, unknown } = replaceEmojiCodes(written, ownEmoji ? { workspaceEmoji: new Set(ownEmoji) } : {});
  return { text, own: unknown, hasCodes: text !== written };
}

/** Finds the codes of the workspace's own emoji if Slack answers in time. Otherwise `postText` guesses them. */
export async function findWorkspaceEmoji<Kept extends PostFormContext>(
  { values, formContext }: { values: TextState['values']; formContext: Kept },
  call: Call,
): Promise<Kept> {
  const without = { ...formContext, ownEmoji: undefined };
  const written = joinedText(values);
  if (!MAYBE_CODE.test(written)) return formContext.ownEmoji === undefined ? formContext : without;
  const known = await workspaceEmoji(call);
  if (!known) return formContext.ownEmoji === undefined ? formContext : without;
  const { unknown } = replaceEmojiCodes(written, { workspaceEmoji: known });
  return { ...formContext, ownEmoji: unknown };
}

/** How long a cached list of emoji is used. Our own limit. */
const FRESH_MS = 60_000;

/** How long an acknowledgement waits for the list of emoji. */
const WAIT_MS = 600;

interface Remembered {
  readAt: number;
  names: Promise<ReadonlySet<string> | undefined>;
}

/** Cached lists by client: a workspace has one client for as long as its token is valid. */
const remembered = new WeakMap<WebClient, Remembered>();

/** The names of the workspace's own emoji, without colons; undefined if Slack doesn't return them in time. */
async function workspaceEmoji(call: Call): Promise<ReadonlySet<string> | undefined> {
  const known = remembered.get(call.client);
  const isFresh = known !== undefined && call.receivedAt - known.readAt < FRESH_MS;
  const { names } = isFresh ? known : readEmoji(call);
  return Promise.race([names, delay(WAIT_MS, undefined, { ref: false })]);
}

function readEmoji(call: Call): Remembered {
  const reading = { readAt: call.receivedAt, names: listEmoji(call) };
  remembered.set(call.client, reading);
  return reading;
}

async function listEmoji({ client, log, reference }: Call): Promise<ReadonlySet<string> | undefined> {
  try {
    const { emoji } = await client.emoji.list();
    return new Set(Object.keys(emoji ?? {}));
  } catch (error) {
    // The scope `emoji:read` is missing, or Slack is busy.
    log.debug({ reference, reason: String(error) }, 'the workspace’s emoji could not be listed');
    return undefined;
  }
}
