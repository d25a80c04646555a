import { readFileSync } from 'node:fs';
import { z } from 'zod';

/** Slack's emoji names, with their source. assets/emoji/emoji-names.ts generates the file and describes its format. */
const FILE = new URL('../../../assets/emoji/names.json', import.meta.url);

const emojiFile = z.object({ names: z.record(z.string(), z.string()) });

let cached: ReadonlyMap<string, string> | undefined;

/** Returns each emoji's characters by name: the plain form, then those with skin tones. Reads the file once. */
function loadEmoji(): ReadonlyMap<string, string> {
  cached ??= new Map(
    Object.entries(emojiFile.parse(JSON.parse(readFileSync(FILE, 'utf8'))).names).flatMap(([names, forms]) =>
      names.split(' ').map((name) => [name, forms]),
    ),
  );
  return cached;
}

/** Decodes code points in the format of Slack and of the file: `1f44b-1f3fd`. Undefined if the format differs. */
export function decodeCodePoints(codes: string): string | undefined {
  if (!/^[0-9a-f]{2,5}(?:-[0-9a-f]{2,5}){0,15}$/i.test(codes)) return undefined;
  return String.fromCodePoint(...codes.split('-').map((code) => Number.parseInt(code, 16)));
}

/** Slack numbers skin tones from 2 to 6. Their code points start at U+1F3FB. */
const FIRST_TONE = 0x1f3fb - 2;

/**
 * Finds the character of an emoji by its name, without colons. Undefined if Slack has no emoji with this name. `tones`:
 * Slack's skin tones, 2 to 6, one for each person in the emoji. They are ignored if the emoji has no skin tones.
 */
export function findEmoji(name: string, tones: readonly number[] = []): string | undefined {
  const [plainForm, ...tonedForms] = loadEmoji().get(name)?.split(' ') ?? [];
  const [firstTone, secondTone = firstTone] = tones.map((tone) => (FIRST_TONE + tone).toString(16));
  if (plainForm === undefined || firstTone === undefined || secondTone === undefined)
    return plainForm && decodeCodePoints(plainForm);
  // Each `*` in a form stands for a skin tone. The form with one tone comes before the form with two.
  const form =
    firstTone === secondTone ? tonedForms[0] : tonedForms.find((other) => other.split('*').length > 2);
  return (
    decodeCodePoints((form ?? plainForm).replace('*', firstTone).replace('*', secondTone)) ??
    decodeCodePoints(plainForm)
  );
}

/** Matches texts that may contain an emoji code. */
export const POSSIBLE_CODE = /:[^\s:]{1,100}:/u;

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
