import { readFileSync } from 'node:fs';

/** The names of all standard emoji, by the number of skin tones that they take: none, one or two. */
interface StandardEmoji {
  plain: string;
  toned: string;
  twoToned: string;
}

let maxTones: ReadonlyMap<string, number> | undefined;

function loadMaxTones(): ReadonlyMap<string, number> {
  if (maxTones) return maxTones;
  const file = new URL('names.json', import.meta.url);
  const { plain, toned, twoToned } = JSON.parse(readFileSync(file, 'utf8')) as StandardEmoji;
  const groups = [plain, toned, twoToned].entries();
  maxTones = new Map([...groups].flatMap(([tones, names]) => names.split(' ').map((name) => [name, tones])));
  return maxTones;
}

export const listStandardEmoji = (): string[] => [...loadMaxTones().keys()];

/**
 * Whether Slack has an emoji with this name or alias: `wave`, `wave::skin-tone-3`, `handshake::skin-tone-2-4`. A skin
 * tone is refused on emoji that have none; Slack doesn't document that case.
 */
export function isStandardEmoji(name: string): boolean {
  const [, emoji = name, tones = ''] = /^(.+)::skin-tone-([2-6](?:-[2-6])?)$/.exec(name) ?? [];
  const max = loadMaxTones().get(emoji);
  return max !== undefined && tones.split('-').filter((tone) => tone !== '').length <= max;
}
