import type { Platform } from '../../../api/platforms.ts';
import {
  BEFORE_PLATFORMS,
  listPlatformAliases,
  listPlatformChoices,
  parsePlatform,
} from '../../../posts/platforms.ts';
import { findNearest } from '../../../slack/suggest.ts';
import { ONLY } from '../../../when/recurrence.ts';

export const ALL_PLATFORMS: readonly Platform[] = listPlatformChoices().map(({ platform }) => platform);

/** The words after the platforms of a list. */
export const LIST_SUFFIX = /^(?:platforms?|channels?|networks?)(?!\p{L})/iu;

/** "Only" in all languages. */
export const ONLY_WORD = new RegExp(`^(?:${ONLY.source})$`, 'iu');

/** After "all", which are then no platforms: "to all of you", "to all our friends". */
const NOT_PLATFORMS = /^(?:of|our|my|you|your|those|who|the)(?!\p{L})/iu;

/** Other social networks, which people name and the service doesn't support. */
const OTHER_NETWORKS =
  'bluesky bsky discord flickr google line mastodon medium myspace quora signal snap snapchat substack tumblr twitch vimeo vk wechat weibo whatsapp xing'.split(
    ' ',
  );

/** Minimum length of a misspelled platform, in characters. Shorter words resemble too many other words. */
const MIN_MISSPELLED_LENGTH = 5;

/** Whether the word names a network that the service doesn't support, or misspells a platform: "linkdin". */
export function isOtherNetwork(word: string): boolean {
  const name = word.toLowerCase();
  if (OTHER_NETWORKS.includes(name)) return true;
  const longNames = listPlatformAliases().filter((alias) => alias.length >= MIN_MISSPELLED_LENGTH);
  return name.length >= MIN_MISSPELLED_LENGTH && findNearest(name, longNames) !== undefined;
}

/** Whether the word names a platform, or another network in capitals: "3 days on medium heat" has none. */
export function isPlatformName(word: string, nextWord = ''): boolean {
  const isOther = /^\p{Lu}/u.test(word) && OTHER_NETWORKS.includes(word.toLowerCase());
  const isNamed = (name: string) => parsePlatformWord(name, undefined, nextWord, false) !== undefined;
  return isOther || isNamed(word) || isNamed(`${word}${nextWord}`);
}

/** Parses "x", "x/linkedin" or "xとlinkedin". Undefined if the word isn't only platforms, or if "all" doesn't mean platforms here. */
export function parsePlatformWord(
  word: string,
  previousWord: string | undefined,
  nextWord: string | undefined,
  isInList: boolean,
): Platform[] | undefined {
  const isAfterPrefix = isInList || BEFORE_PLATFORMS.test(previousWord ?? '');
  // "xで" is "on x" in Japanese, and "on x." ends a sentence, unlike "x." in "x. marks the spot".
  const platforms = word
    .replace(isAfterPrefix ? /(?<=[a-z])(?:で|に|[.;])$/i : /(?<=[a-z])(?:で|に|;)$/i, '')
    .split(/[/&+・と]/)
    .map(parsePlatform);
  if (platforms.length === 0 || platforms.includes(undefined)) return undefined;
  if (!platforms.includes('all')) return platforms.flatMap((name) => (name && name !== 'all' ? [name] : []));
  if (NOT_PLATFORMS.test(nextWord ?? '')) return undefined;
  return isAfterPrefix || LIST_SUFFIX.test(nextWord ?? '') ? [...ALL_PLATFORMS] : undefined;
}
