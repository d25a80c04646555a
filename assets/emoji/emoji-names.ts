import { z } from 'zod';

const listed = z.array(
  z.object({
    unified: z.string(),
    short_names: z.array(z.string()).min(1),
    skin_variations: z.record(z.string(), z.object({ unified: z.string() })).default({}),
  }),
);

/**
 * names.json from emoji-datasource's emoji.json: by an emoji's names its code points, and after spaces those with a
 * skin tone (`1F44B-*`) and with one for each of two people (`1FAF1-*-200D-1FAF2-*`), each `*` for a tone in order.
 */
export function emojiNames(emojiJson: string, version: string): string {
  const names = listed
    .parse(JSON.parse(emojiJson))
    .map(({ short_names, unified, skin_variations }) => [
      short_names.join(' '),
      [unified, ...tonedForms(skin_variations)].join(' '),
    ]);
  const file = {
    source: `emoji-datasource ${version} by Cal Henderson, https://github.com/iamcal/emoji-data`,
    licence: 'MIT, in LICENSE beside this file',
    regenerate: [
      `npm pack emoji-datasource@${version} --pack-destination /tmp`,
      `tar -xzf /tmp/emoji-datasource-${version}.tgz -C /tmp`,
      'npm run generate -- --emoji /tmp/package',
    ].join(' && '),
    names: Object.fromEntries(names),
  };
  return `${JSON.stringify(file, undefined, 2)}\n`;
}

const TONE = /1F3F[B-F]/g;

/** One form for all variations with one tone, and one for those with two. */
function tonedForms(variations: Readonly<Record<string, { unified: string }>>): readonly string[] {
  const forms = new Map<number, string>();
  for (const [key, { unified }] of Object.entries(variations)) {
    const [tones, form] = [unified.match(TONE) ?? [], unified.replace(TONE, '*')];
    const known = forms.get(tones.length) ?? form;
    if (tones.join('-') !== key || known !== form) throw new Error(`${unified} is not ${known} with ${key}`);
    forms.set(tones.length, form);
  }
  return [...forms].toSorted(([a], [b]) => a - b).map(([, form]) => form);
}
