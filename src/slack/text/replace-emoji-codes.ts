import { findEmoji } from './emoji-names.ts';

/** An emoji name in Slack: up to 100 lower-case letters of any script, digits and punctuation marks. */
const NAME = "[\\p{Ll}\\p{Lo}\\p{M}\\p{N}_+'-]{1,100}";
/** Matches a web address, which stays unchanged, or an emoji code with optional skin tones. */
const CODE = new RegExp(
  `(?<![a-z0-9+.-])[a-zA-Z][a-zA-Z0-9+.-]{0,30}://\\S*|:(${NAME}):(?::skin-tone-([2-6])(?:-([2-6]))?:)?`,
  'gu',
);
const NEXT_CODE = new RegExp(`:${NAME}:`, 'uy');

/**
 * Replaces `:emoji:` codes with their characters. Other text between colons stays unchanged, as in "10:30:45" or
 * "a:b:c". `customEmoji`: names of custom emoji, without colons and duplicates. If `workspaceEmoji` is undefined, every
 * name that looks like an emoji counts as a custom emoji.
 */
export function replaceEmojiCodes(
  text: string,
  { workspaceEmoji }: { workspaceEmoji?: ReadonlySet<string> } = {},
): { text: string; customEmoji: string[] } {
  const customEmoji = new Set<string>();
  let [result, position] = ['', 0];
  CODE.lastIndex = 0;
  for (let match = CODE.exec(text); match; match = CODE.exec(text)) {
    const [code, name, ...tones] = match;
    if (name === undefined) continue;
    const [start, end] = [match.index, match.index + code.length];
    const kind = classifyCode(name, findFreeSides(text, start, end, position === start), workspaceEmoji);
    if (kind === 'text') {
      // The second colon may be the start of an emoji code.
      CODE.lastIndex = start + name.length + 1;
      continue;
    }
    if (kind === 'custom') customEmoji.add(name);
    const character = kind === 'custom' ? code : findEmoji(name, tones.filter(Boolean).map(Number));
    result += text.slice(position, start) + (character ?? code);
    position = end;
  }
  return { text: result + text.slice(position), customEmoji: [...customEmoji] };
}

interface FreeSides {
  isFreeBefore: boolean;
  isFreeAfter: boolean;
}

/**
 * Finds the free sides of a code. A side is free if it is not next to a letter, digit or colon. It may be next to
 * another emoji code. In "std::vector::" the code `:vector:` has no free side.
 */
function findFreeSides(text: string, start: number, end: number, isAfterCode: boolean): FreeSides {
  NEXT_CODE.lastIndex = end;
  return {
    isFreeBefore: isAfterCode || !/[A-Za-z0-9:]/.test(text.charAt(start - 1)),
    isFreeAfter: NEXT_CODE.test(text) || !/[A-Za-z0-9:]/.test(text.charAt(end)),
  };
}

function classifyCode(
  name: string,
  sides: FreeSides,
  workspaceEmoji: ReadonlySet<string> | undefined,
): 'emoji' | 'custom' | 'text' {
  const isFreeOnBothSides = sides.isFreeBefore && sides.isFreeAfter;
  // One free side is enough, as in "Great:tada:". Numbers and names of one or two characters need two free sides.
  const isStandalone = /^\d+$|^.{1,2}$/u.test(name)
    ? isFreeOnBothSides
    : sides.isFreeBefore || sides.isFreeAfter;
  if (isStandalone && findEmoji(name) !== undefined) return 'emoji';
  if (workspaceEmoji) return isStandalone && workspaceEmoji.has(name) ? 'custom' : 'text';
  return isFreeOnBothSides && name.length > 1 && /\p{L}/u.test(name) ? 'custom' : 'text';
}
