import { readFileSync } from 'node:fs';
import { z } from 'zod';

/** Slack's emoji names. The file names its source; assets/emoji/emoji-names.ts generates it and explains the format. */
const FILE = new URL('../../../assets/emoji/names.json', import.meta.url);

const stored = z.object({ names: z.record(z.string(), z.string()) });

let cached: ReadonlyMap<string, string> | undefined;

/** Name to character forms. The file is read on first use. */
function loadEmoji(): ReadonlyMap<string, string> {
  cached ??= new Map(
    Object.entries(stored.parse(JSON.parse(readFileSync(FILE, 'utf8'))).names).flatMap(([names, forms]) =>
      names.split(' ').map((name) => [name, forms]),
    ),
  );
  return cached;
}

/** Decodes code points as Slack and the file write them: `1f44b-1f3fd`. Undefined if `codes` has another form. */
export function fromCodePoints(codes: string): string | undefined {
  if (!/^[0-9a-f]{2,5}(?:-[0-9a-f]{2,5}){0,15}$/i.test(codes)) return undefined;
  return String.fromCodePoint(...codes.split('-').map((code) => Number.parseInt(code, 16)));
}

/** Slack numbers skin tones from 2 to 6. Their code points start at U+1F3FB. */
const FIRST_TONE = 0x1f3fb - 2;

/**
 * The character of an emoji, by its name without colons. Undefined if Slack has no emoji of that name. `tones`: Slack's
 * skin tones, 2 to 6, one for each person in the emoji; ignored if the emoji has no skin tones.
 */
export function emojiOf(name: string, tones: readonly number[] = []): string | undefined {
  const [plain, ...toned] = loadEmoji().get(name)?.split(' ') ?? [];
  const [first, second = first] = tones.map((tone) => (FIRST_TONE + tone).toString(16));
  if (plain === undefined || first === undefined || second === undefined)
    return plain && fromCodePoints(plain);
  // In the file, forms with one tone come before the form with two.
  const form = first === second ? toned[0] : toned.find((other) => other.split('*').length > 2);
  return fromCodePoints((form ?? plain).replace('*', first).replace('*', second)) ?? fromCodePoints(plain);
}
