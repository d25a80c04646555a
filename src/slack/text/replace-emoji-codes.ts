import { emojiOf } from './emoji-names.ts';

/** Slack's names have up to 100 signs: lower-case letters of any script, digits, and a few joining signs. */
const NAME = "[\\p{Ll}\\p{Lo}\\p{M}\\p{N}_+'-]{1,100}";
/** An address, which is left as it is, or a code with the skin tones after it. */
const CODE = new RegExp(
  `(?<![a-z0-9+.-])[a-zA-Z][a-zA-Z0-9+.-]{0,30}://\\S*|:(${NAME}):(?::skin-tone-([2-6])(?:-([2-6]))?:)?`,
  'gu',
);
const NEXT_CODE = new RegExp(`:${NAME}:`, 'uy');

/**
 * `:emoji:` codes as the characters they stand for. What is between colons and is no emoji, as in "10:30:45" or
 * "a:b:c", stays. `unknown` has the names, without colons and each once, that only this workspace can have: those of
 * `workspaceEmoji`, or where that is not given every name that looks like one.
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
      // Its second colon may be the first of a code.
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

/** Where no word goes on and no colon stands, as in "std::vector::"; another code may stand directly beside. */
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
  // "Great:tada:" is a code; a number, a letter or two must stand free on both sides.
  const standing = /^\d+$|^.{1,2}$/u.test(name) ? both : free.before || free.after;
  if (standing && emojiOf(name) !== undefined) return 'emoji';
  if (workspaceEmoji) return standing && workspaceEmoji.has(name) ? 'own' : 'text';
  return both && name.length > 1 && /\p{L}/u.test(name) ? 'own' : 'text';
}
