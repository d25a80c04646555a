import { z } from 'zod';

const emojiFile = z.object({ source: z.string(), names: z.record(z.string(), z.string()) });

/** The emoji names of the practice workspace, grouped by how many skin tones they take, from the list in assets/emoji. */
export function renderEmojiGroups(emojiJson: string): string {
  const { source, names } = emojiFile.parse(JSON.parse(emojiJson));
  const groups = Map.groupBy(Object.entries(names), ([, forms]) => forms.split(' ').length - 1);
  const join = (tones: number) => (groups.get(tones) ?? []).map(([emoji]) => emoji).join(' ');
  const file = {
    source,
    licence: 'MIT, in LICENSE beside this file',
    plain: join(0),
    toned: join(1),
    twoToned: join(2),
  };
  return `${JSON.stringify(file, undefined, 2)}\n`;
}
