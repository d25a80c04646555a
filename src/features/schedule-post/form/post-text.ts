import { setTimeout as delay } from 'node:timers/promises';
import type { WebClient } from '@slack/web-api';
import type { Call } from '../../../app/call.ts';
import { replaceEmojiCodes } from '../../../slack/text/text.ts';
import type { PostFacts } from './post-facts.ts';
import { joinedText } from './text-parts.ts';

interface TextState {
  typed: Parameters<typeof joinedText>[0];
  facts: Pick<PostFacts, 'ownEmoji'>;
}

/** Without one of these there is no code in a text. */
const MAYBE_CODE = /:[^\s:]{1,100}:/u;

/**
 * The words as they are sent: all fields as one, `:codes:` as the characters that they stand for. `own` has the codes,
 * without colons, that only the workspace can show.
 */
export function postText({ typed, facts }: TextState): {
  text: string;
  own: readonly string[];
  hasCodes: boolean;
} {
  const written = joinedText(typed);
  if (!MAYBE_CODE.test(written)) return { text: written, own: [], hasCodes: false };
  const { ownEmoji } = facts;
  const { text, unknown } = replaceEmojiCodes(written, ownEmoji ? { workspaceEmoji: new Set(ownEmoji) } : {});
  return { text, own: unknown, hasCodes: text !== written };
}

/** Which codes of the text are the workspace's own, where Slack says it in time; without, it is guessed. */
export async function lookForEmoji<Kept extends PostFacts>(
  { typed, facts }: { typed: TextState['typed']; facts: Kept },
  call: Call,
): Promise<Kept> {
  const without = { ...facts, ownEmoji: undefined };
  const written = joinedText(typed);
  if (!MAYBE_CODE.test(written)) return facts.ownEmoji === undefined ? facts : without;
  const known = await workspaceEmoji(call);
  if (!known) return facts.ownEmoji === undefined ? facts : without;
  const { unknown } = replaceEmojiCodes(written, { workspaceEmoji: known });
  return { ...facts, ownEmoji: unknown };
}

/** A list is not older than this, ms: emoji come and go. */
const FRESH_MS = 60_000;

/** A form's acknowledgement does not wait longer; then it is guessed which codes are emoji. */
const WAIT_MS = 600;

interface Remembered {
  readAt: number;
  names: Promise<ReadonlySet<string> | undefined>;
}

/** Each workspace has a client of its own, for as long as its token holds. */
const remembered = new WeakMap<WebClient, Remembered>();

/** The names of a workspace's own emoji, without colons; undefined where Slack does not say, or not in time. */
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
    // The right to it was not given, or Slack is busy.
    log.debug({ reference, reason: String(error) }, 'the workspace’s emoji could not be listed');
    return undefined;
  }
}
