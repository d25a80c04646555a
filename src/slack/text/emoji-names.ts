import { readFileSync } from 'node:fs';
import { z } from 'zod';

/**
 * Slack's emoji names. The file states where the names come from. assets/emoji/emoji-names.ts generates it and
 * describes its format.
 */
const FILE = new URL('../../../assets/emoji/names.json', import.meta.url);

const emojiFile = z.object({ names: z.record(z.string(), z.string()) });

let cached: ReadonlyMap<string, string> | undefined;

/**
 * Returns the characters of each emoji, by name: the plain form, then the forms with skin tones, separated by spaces.
 * Reads the file on the first call.
 */
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
