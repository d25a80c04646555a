import { readFileSync } from 'node:fs';

const file = new URL('../src/emoji/names.json', import.meta.url);

/** Names of standard emoji, each of another emoji or the same. */
export const EMOJI_NAMES: readonly string[] = (
  JSON.parse(readFileSync(file, 'utf8')) as { plain: string }
).plain.split(' ');
