import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { z } from 'zod';

const require = createRequire(import.meta.url);

/** Slack's own names come from this list: https://github.com/iamcal/emoji-data */
const listed = z.array(
  z.object({
    unified: z.string(),
    short_names: z.array(z.string()),
    skin_variations: z.record(z.string(), z.object({ unified: z.string() })).optional(),
  }),
);

interface Emoji {
  character: string;
  /** By the tone's code point, or two of them for two people: `1F3FB`, `1F3FB-1F3FC`. */
  tones: ReadonlyMap<string, string>;
}

let known: ReadonlyMap<string, Emoji> | undefined;

/** The list takes about 15 ms to read and 1 MB to keep, so it is read when the first code is met. */
function emoji(): ReadonlyMap<string, Emoji> {
  known ??= readList();
  return known;
}

function readList(): ReadonlyMap<string, Emoji> {
  // Not imported: the modules' cache would keep all of its 1.3 MB.
  const file = require.resolve('emoji-datasource/emoji.json');
  const names = new Map<string, Emoji>();
  for (const { unified, short_names, skin_variations = {} } of listed.parse(
    JSON.parse(readFileSync(file, 'utf8')),
  )) {
    const tones = Object.entries(skin_variations).flatMap(([tone, variation]) => {
      const character = fromCodePoints(variation.unified);
      return character === undefined ? [] : [[tone, character] as const];
    });
    const character = fromCodePoints(unified);
    if (character === undefined) continue;
    for (const name of short_names) names.set(name, { character, tones: new Map(tones) });
  }
  return names;
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
  const found = emoji().get(name);
  const [first, second = first] = tones.map((tone) => (FIRST_TONE + tone).toString(16).toUpperCase());
  if (!found || first === undefined) return found?.character;
  const one = first === second ? found.tones.get(first) : undefined;
  return one ?? found.tones.get(`${first}-${second}`) ?? found.character;
}
