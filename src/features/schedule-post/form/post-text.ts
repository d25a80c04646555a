import type { Call } from '../../../app/call.ts';
import { replaceEmojiCodes } from '../../../slack/text/replace-emoji-codes.ts';
import type { PostFacts } from './post-facts.ts';
import { joinedText } from './text-parts.ts';
import { workspaceEmoji } from './workspace-emoji.ts';

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
