import type { Platform } from '../../../api/platforms.ts';
import { platformChoices, platformNamed } from '../../../posts/platforms.ts';

/** Names that are written in two words as well. */
const IN_TWO = /\b(linked)\s+(in)\b|\b(tik)\s+(tok)\b|\b(you)\s+(tube)\b|\b(face)\s+(book)\b/gi;

export const ALL: readonly Platform[] = platformChoices().map(({ platform }) => platform);

/** Before a list of platforms, and after it. */
const BEFORE = /^(?:on|to|via)$/i;
const AFTER = /^(?:platforms?|channels?|networks?)$/i;
const BETWEEN = /^(?:,|&|\+|and)$/i;

/**
 * A line's words without the platforms that they name: "on x, linkedin and fb", also without "on". "All" is all of
 * them only where it cannot be anything else: "on all", "all platforms".
 */
export function takePlatforms(head: string): { platforms: Platform[]; rest: string } {
  const words = head.replace(IN_TWO, (name) => name.replace(/\s+/g, '')).match(/[^\s,]+|,/g) ?? [];
  const found: Platform[] = [];
  const kept: string[] = [];
  let isList = false;
  let between: string[] = [];
  for (const [index, word] of words.entries()) {
    const named = platformsIn(word, words[index - 1], words[index + 1], isList);
    if (named) {
      found.push(...named);
      if (!isList && BEFORE.test(kept.at(-1) ?? '')) kept.pop();
      isList = true;
      between = [];
    } else if (isList && BETWEEN.test(word)) between.push(word);
    else if (isList && AFTER.test(word)) isList = false;
    else {
      kept.push(...between, word);
      between = [];
      isList = false;
    }
  }
  return { platforms: [...new Set(found)], rest: joined(kept) };
}

function platformsIn(
  word: string,
  before: string | undefined,
  after: string | undefined,
  isList: boolean,
): Platform[] | undefined {
  const named = word.split(/[/&+]/).map(platformNamed);
  if (named.length === 0 || named.includes(undefined)) return undefined;
  if (!named.includes('all')) return named.flatMap((name) => (name && name !== 'all' ? [name] : []));
  const isAll = isList || BEFORE.test(before ?? '') || AFTER.test(after ?? '');
  return isAll ? [...ALL] : undefined;
}

/** With commas where they stood; none at the edges. */
function joined(words: readonly string[]): string {
  return words
    .join(' ')
    .replace(/ ,/g, ',')
    .replace(/^[\s,]+|[\s,]+$/g, '');
}
