import type { Platform } from '../../../api/platforms.ts';
import { listPlatformAliases, listPlatformChoices, parsePlatform } from '../../../posts/platforms.ts';
import { findNearest } from '../../../slack/suggest.ts';
import type { MomentReader } from './moment-reader.ts';

/** Matches platform names that are written as two words. */
const SPLIT_NAMES = /\b(linked)\s+(in)\b|\b(tik)\s+(tok)\b|\b(you)\s+(tube)\b|\b(face)\s+(book)\b/gi;

export const ALL_PLATFORMS: readonly Platform[] = listPlatformChoices().map(({ platform }) => platform);

// The words before, after and between the platforms of a list.
const LIST_PREFIX = /^(?:on|to|via)$/i;
export const LIST_SUFFIX = /^(?:platforms?|channels?|networks?)$/i;
const LIST_SEPARATOR = /^(?:,|&|\+|and)$/i;

/**
 * Finds the platforms in "on x, linkedin and fb", with or without "on", and removes them from the head. "All" means all
 * platforms only in "on all", in "all platforms" or within a list.
 */
export function extractPlatforms(
  head: string,
  momentReader: MomentReader,
): { platforms: Platform[]; unknownPlatforms: string[]; remainingHead: string } {
  const words = head.replace(SPLIT_NAMES, (name) => name.replace(/\s+/g, '')).match(/[^\s,]+|,/g) ?? [];
  const foundPlatforms: Platform[] = [];
  const unknownPlatforms: string[] = [];
  const otherWords: string[] = [];
  let isInList = false;
  let separators: string[] = [];
  for (const [index, word] of words.entries()) {
    const platforms = parsePlatformWord(word, words[index - 1], words[index + 1], isInList);
    const followsPrefix = isInList || LIST_PREFIX.test(words[index - 1] ?? '');
    const isUnknown = !platforms && followsPrefix && isOtherNetwork(word) && !momentReader.isMoment(word);
    if (platforms || isUnknown) {
      foundPlatforms.push(...(platforms ?? []));
      if (isUnknown) unknownPlatforms.push(word);
      if (!isInList && LIST_PREFIX.test(otherWords.at(-1) ?? '')) otherWords.pop();
      isInList = true;
      separators = [];
    } else if (isInList && LIST_SEPARATOR.test(word)) separators.push(word);
    else if (isInList && LIST_SUFFIX.test(word)) isInList = false;
    else {
      otherWords.push(...separators, word);
      separators = [];
      isInList = false;
    }
  }
  const remainingHead = joinWords(otherWords);
  const lastUnknown = extractUnknownPlatform(remainingHead, momentReader);
  return {
    platforms: [...new Set(foundPlatforms)],
    unknownPlatforms: [...unknownPlatforms, ...(lastUnknown ? [lastUnknown.name] : [])],
    remainingHead: lastUnknown?.remainingHead ?? remainingHead,
  };
}

/** Finds the name in "on myspace", if the other words of the head name a moment, or if there are none. */
function extractUnknownPlatform(head: string, { isMoment }: MomentReader) {
  const [match, before = '', name = '', after = ''] =
    /^(.*?)(?<![^\s,])(?:on|via)\s+([^\s,]+)(.*)$/is.exec(head) ?? [];
  if (match === undefined || isMoment(head)) return undefined;
  const remainingHead = joinWords([before.trim(), after.trim()].filter((part) => part !== ''));
  return remainingHead === '' || isMoment(remainingHead) ? { name, remainingHead } : undefined;
}

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

/** Parses "x" or "x/linkedin". Undefined if the word isn't only platforms, or if "all" doesn't mean platforms here. */
export function parsePlatformWord(
  word: string,
  previousWord: string | undefined,
  nextWord: string | undefined,
  isInList: boolean,
): Platform[] | undefined {
  const platforms = word.split(/[/&+]/).map(parsePlatform);
  if (platforms.length === 0 || platforms.includes(undefined)) return undefined;
  if (!platforms.includes('all')) return platforms.flatMap((name) => (name && name !== 'all' ? [name] : []));
  const meansAllPlatforms =
    isInList || LIST_PREFIX.test(previousWord ?? '') || LIST_SUFFIX.test(nextWord ?? '');
  return meansAllPlatforms ? [...ALL_PLATFORMS] : undefined;
}

/** Joins words and commas, without commas at the ends. */
function joinWords(words: readonly string[]): string {
  return words
    .join(' ')
    .replace(/ ,/g, ',')
    .replace(/^[\s,]+|[\s,]+$/g, '');
}
