import { emojiOf } from './emoji-names.ts';

/** A name in Slack has up to 100 characters: lower-case letters of any script, digits, and a few punctuation marks. */
const NAME = "[\\p{Ll}\\p{Lo}\\p{M}\\p{N}_+'-]{1,100}";
/** Matches an address, which is not changed, or an emoji code followed by skin tones. */
const CODE = new RegExp(
  `(?<![a-z0-9+.-])[a-zA-Z][a-zA-Z0-9+.-]{0,30}://\\S*|:(${NAME}):(?::skin-tone-([2-6])(?:-([2-6]))?:)?`,
  'gu',
);
const NEXT_CODE = new RegExp(`:${NAME}:`, 'uy');

/**
 * Replaces `:emoji:` codes with their characters. Text between colons that isn't an emoji, as in "10:30:45" or "a:b:c",
 * stays. `unknown`: names of custom emoji, without colons and duplicates. These are names in `workspaceEmoji`, or, if
 * that isn't given, all names that look like an emoji.
 */
export function replaceEmojiCodes(
  text: string,
  { workspaceEmoji }: { workspaceEmoji?: ReadonlySet<string> } = {},
): { text: string; unknown: string[] } {
  const unknown = new Set<string>();
  let [replaced, at] = ['', 0];
  CODE.lastIndex = 0;
  for (let match = CODE.exec(text); match; match = CODE.exec(text)) {
    const [whole, name, ...tones] = match;
    if (name === undefined) continue;
    const [start, end] = [match.index, match.index + whole.length];
    const kind = kindOf(name, freeSides(text, start, end, at === start), workspaceEmoji);
    if (kind === 'text') {
      // The second colon may be the start of an emoji code.
      CODE.lastIndex = start + name.length + 1;
      continue;
    }
    if (kind === 'own') unknown.add(name);
    const character = kind === 'own' ? whole : emojiOf(name, tones.filter(Boolean).map(Number));
    replaced += text.slice(at, start) + (character ?? whole);
    at = end;
  }
  return { text: replaced + text.slice(at), unknown: [...unknown] };
}

interface FreeSides {
  before: boolean;
  after: boolean;
}

/**
 * A side is free if no word and no colon touches the code there, unlike in "std::vector::". Another code may touch it.
 */
function freeSides(text: string, start: number, end: number, afterCode: boolean): FreeSides {
  NEXT_CODE.lastIndex = end;
  return {
    before: afterCode || !/[A-Za-z0-9:]/.test(text.charAt(start - 1)),
    after: NEXT_CODE.test(text) || !/[A-Za-z0-9:]/.test(text.charAt(end)),
  };
}

function kindOf(
  name: string,
  free: FreeSides,
  workspaceEmoji: ReadonlySet<string> | undefined,
): 'emoji' | 'own' | 'text' {
  const both = free.before && free.after;
  // "Great:tada:" has an emoji code, but a number or one or two letters need both sides free.
  const standing = /^\d+$|^.{1,2}$/u.test(name) ? both : free.before || free.after;
  if (standing && emojiOf(name) !== undefined) return 'emoji';
  if (workspaceEmoji) return standing && workspaceEmoji.has(name) ? 'own' : 'text';
  return both && name.length > 1 && /\p{L}/u.test(name) ? 'own' : 'text';
}
