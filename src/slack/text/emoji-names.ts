import { readFileSync } from 'node:fs';
import { z } from 'zod';

/** Slack's own names. The file names its source; assets/emoji/emoji-names.ts, which makes it, explains the format. */
const FILE = new URL('../../../assets/emoji/names.json', import.meta.url);

const stored = z.object({ names: z.record(z.string(), z.string()) });

let known: ReadonlyMap<string, string> | undefined;

/** Read when the first code is met. */
function emoji(): ReadonlyMap<string, string> {
  known ??= new Map(
    Object.entries(stored.parse(JSON.parse(readFileSync(FILE, 'utf8'))).names).flatMap(([names, forms]) =>
      names.split(' ').map((name) => [name, forms]),
    ),
  );
  return known;
}

/** `1f44b-1f3fd` as Slack and the list write characters; undefined where it is not that. */
export function fromCodePoints(codes: string): string | undefined {
  if (!/^[0-9a-f]{2,5}(?:-[0-9a-f]{2,5}){0,15}$/i.test(codes)) return undefined;
  return String.fromCodePoint(...codes.split('-').map((code) => Number.parseInt(code, 16)));
}

/** Slack counts skin tones from 2 to 6; the code points begin with U+1F3FB. */
const FIRST_TONE = 0x1f3fb - 2;

/**
 * The character of a code, given without its colons; undefined where Slack has none of that name. `tones` are Slack's
 * skin tones, 2 to 6, one for each person; left out where the character has none.
 */
export function emojiOf(name: string, tones: readonly number[] = []): string | undefined {
  const [plain, ...toned] = emoji().get(name)?.split(' ') ?? [];
  const [first, second = first] = tones.map((tone) => (FIRST_TONE + tone).toString(16));
  if (plain === undefined || first === undefined || second === undefined)
    return plain && fromCodePoints(plain);
  // A form for one tone stands before the form for two.
  const form = first === second ? toned[0] : toned.find((other) => other.split('*').length > 2);
  return fromCodePoints((form ?? plain).replace('*', first).replace('*', second)) ?? fromCodePoints(plain);
}
