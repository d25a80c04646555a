import { PLATFORMS } from '../../../api/platforms.ts';
import type { ContentPart } from '../../../submissions/kind.ts';
import { listTexts, type PostContent } from './post-content.ts';

const ORDER: readonly string[] = PLATFORMS;

/**
 * Splits a post into one part for each distinct text, without the platforms in `sentTo`. The number of a part is that of
 * its first platform in the contract, from 1: a platform is in one part only, so an edit doesn't change its number. A post
 * with one text is a whole, with the number 0, unless some platforms are left out.
 */
export function splitPost(content: PostContent, sentTo: readonly string[]): ContentPart<PostContent>[] {
  const { ownTexts: _own, ...values } = content.values;
  const texts = listTexts(content);
  const [first] = texts;
  if (texts.length <= 1 && sentTo.length === 0 && (!first || first.isMain))
    return [{ item: 0, content: { ...content, values } }];
  const partOf = values.platforms;
  return texts.flatMap(({ platforms: names, text, isMain }) => {
    const platforms = names.filter((name) => !sentTo.includes(name));
    if (platforms.length === 0) return [];
    const item = 1 + Math.min(...platforms.map((name) => ORDER.indexOf(name)));
    const { furtherTexts: _further, ...ownValues } = values;
    const { text: _text, ...whole } = content;
    return [
      {
        item,
        content: isMain
          ? { ...content, values: { ...values, platforms }, partOf }
          : { ...whole, values: { ...ownValues, platforms, text }, partOf },
      },
    ];
  });
}
